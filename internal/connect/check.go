package connect

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/strata-memory/strata/internal/home/homedir"
)

// Connection describes how a client is connected, according to its configuration.
type Connection struct {
	Client Client
	File   string // the configuration file
	Server Server // what the client starts; the zero Server if unknown
	// Fault is why the client does not reach this memory; empty if it does.
	Fault string
	// Again reports whether connecting the client again fixes it.
	Again bool
}

// Check examines the clients that are connected to Strata, and reports whether each
// starts an existing program, with its hooks, on the given home. It changes nothing, and
// leaves out clients without an entry.
func Check(sys System, home string) (found []Connection) {
	for _, c := range Clients() {
		s, there, err := c.Entry(sys)
		switch {
		case err != nil && exists(c.File(sys)):
			found = append(found, Connection{Client: c, File: c.File(sys), Fault: err.Error()})
		case err == nil && there:
			found = append(found, c.check(sys, s, home))
		}
	}
	return found
}

// check examines a client that has an entry.
func (c Client) check(sys System, s Server, home string) Connection {
	out := Connection{Client: c, File: c.File(sys), Server: s}
	if s.Command == "" {
		out.Fault = "its entry is switched off, or cannot be read"
		return out
	}
	if _, err := exec.LookPath(s.Command); err != nil {
		out.Fault, out.Again = s.Command+", which it starts, is not there", true
		return out
	}
	if other := sys.homeOf(s); !sameDirectory(other, home) {
		out.Fault = "it uses the home " + other
		return out
	}
	if c.hooks == nil {
		return out
	}
	change, err := c.plan(c.settings(sys), func(text string) (string, error) { return c.hooks.set(text, s) })
	switch {
	case err != nil:
		out.File, out.Fault = change.File, err.Error()
	case !change.Done():
		out.File, out.Fault, out.Again = change.File, "its hooks are missing, or others than this version's", true
	}
	return out
}

// homeOf returns the home that a server uses: the one in its arguments, or the default.
func (s System) homeOf(started Server) string {
	if i := slices.Index(started.Args, "--home"); i >= 0 && i+1 < len(started.Args) {
		return started.Args[i+1]
	}
	return s.in(homedir.Variable, []string{homedir.Name}, nil)
}

// sameDirectory reports whether two paths lead to one directory.
func sameDirectory(one, other string) bool {
	if filepath.Clean(one) == filepath.Clean(other) {
		return true
	}
	a, errA := os.Stat(one)
	b, errB := os.Stat(other)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
