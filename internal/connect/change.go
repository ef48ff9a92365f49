package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/diskfault"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// maxFile bounds a configuration file, in bytes. Claude Code keeps its history in its
// own.
const maxFile = 64 << 20

// Change is a planned change of a configuration file.
type Change struct {
	Client Client
	// File is the path of the file, with links resolved. Made means that it does not
	// exist yet.
	File string
	Made bool
	// Before and After are the text of the file. They are equal if there is nothing to
	// do.
	Before, After string

	whole bool // the file belongs to Strata alone, and is removed when it becomes empty
}

// Done reports whether there is nothing to do.
func (c Change) Done() bool { return c.Before == c.After }

// Plan returns the changes that put a server, and the hooks if the client has any, into
// the configuration files of the client. It returns invalid for a file that the client
// could not parse, and unavailable for one that cannot be read.
func (c Client) Plan(sys System, s Server) ([]Change, error) {
	return c.changes(sys, func(e entry, text string) (string, error) { return e.set(text, s) })
}

// PlanRemoval returns the changes that remove Strata from the configuration files of the
// client. Errors are those of [Client.Plan].
func (c Client) PlanRemoval(sys System) ([]Change, error) {
	return c.changes(sys, entry.remove)
}

// changes plans a change of each configuration file of the client.
func (c Client) changes(sys System, change func(entry, string) (string, error)) ([]Change, error) {
	list := make([]Change, 0, 2)
	one, err := c.plan(c.file(sys), func(text string) (string, error) { return change(c.entry, text) })
	if err != nil || c.hooks == nil {
		return append(list, one), err
	}
	two, err := c.plan(c.settings(sys), func(text string) (string, error) { return change(c.hooks, text) })
	_, two.whole = c.hooks.(plugin)
	return append(list, one, two), err
}

// Entry returns the server in Strata's entry in the configuration of the client, if there
// is one. A disabled entry has no command. Errors are those of [Client.Plan].
func (c Client) Entry(sys System) (s Server, there bool, err error) {
	_, err = c.plan(c.file(sys), func(text string) (string, error) {
		var err error
		s, there, err = c.entry.get(text)
		return text, err
	})
	return s, there, err
}

// plan reads a configuration file and plans its change.
func (c Client) plan(file string, change func(string) (string, error)) (Change, error) {
	out := Change{Client: c, File: file}
	if real, err := filepath.EvalSymlinks(out.File); err == nil {
		out.File = real // keeps the link a link
	}
	text, err := read(out.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Made = true
	case err != nil:
		return out, &strata.Error{Code: strata.CodeUnavailable, Op: "connect", Message: "the configuration of " + c.Name + " cannot be read: " + out.File,
			Hint: "check its permissions, or add the entry by hand", Err: err}
	default:
		out.Before = text
	}
	if out.After, err = change(out.Before); err != nil {
		return out, &strata.Error{Code: strata.CodeInvalid, Op: "connect", Message: fmt.Sprintf("the configuration of %s is left as it is: %s: %v", c.Name, out.File, err),
			Hint: "mend the file, or add the entry by hand", Err: err}
	}
	return out, nil
}

// read reads a file of bounded size.
func read(name string) (text string, err error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return "", errors.New("it is no file, or far too large")
	}
	data, err := os.ReadFile(name)
	return string(data), err
}

// Apply writes the file atomically, and keeps the old content beside it under the name
// backup. It returns conflict if the file changed since it was read, and unavailable if
// it cannot be written; then the file is unchanged.
func (c Change) Apply(now time.Time) (backup string, err error) {
	if c.Done() {
		return "", nil
	}
	failed := func(err error) error {
		return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "connect", Message: "the configuration of " + c.Client.Name + " cannot be written: " + c.File,
			Hint: "check the permissions of the file and its directory", Err: err}, c.File)
	}
	conflict := &strata.Error{Code: strata.CodeConflict, Op: "connect", Message: "another program changed " + c.File + " meanwhile", Hint: "run the command again"}
	text, err := read(c.File)
	if errors.Is(err, fs.ErrNotExist) != c.Made || err == nil && text != c.Before {
		return "", conflict
	}
	if err != nil && !c.Made {
		return "", failed(err)
	}
	if c.Made {
		if err := os.MkdirAll(filepath.Dir(c.File), 0o700); err != nil {
			return "", failed(err)
		}
	} else {
		// Check that the file is writable before making a copy beside it.
		f, err := os.OpenFile(c.File, os.O_WRONLY, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return "", conflict
		}
		if err != nil {
			return "", failed(err)
		}
		f.Close()
		backup = c.File + ".strata-" + now.UTC().Format("20060102T150405.000000")
		if err := plainfile.WriteBytes(backup, 0o600, []byte(c.Before)); err != nil {
			return "", failed(err)
		}
	}
	if c.whole && c.After == "" {
		if err = os.Remove(c.File); errors.Is(err, fs.ErrNotExist) {
			err = nil // another process removed it at the same time
		}
	} else {
		err = plainfile.WriteBytes(c.File, 0o600, []byte(c.After))
	}
	if err != nil {
		return backup, failed(err)
	}
	return backup, nil
}

// Diff returns the lines that change, each after a minus or a plus sign. It shows no
// other lines, which may be private. It is empty if there is nothing to do.
func (c Change) Diff() string {
	before, after := lines(c.Before), lines(c.After)
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if head == len(before) && head == len(after) {
		return ""
	}
	var out bytes.Buffer
	for _, l := range before[head : len(before)-tail] {
		fmt.Fprintf(&out, "- %s\n", l)
	}
	for _, l := range after[head : len(after)-tail] {
		fmt.Fprintf(&out, "+ %s\n", l)
	}
	return out.String()
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
