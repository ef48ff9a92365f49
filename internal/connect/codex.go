package connect

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/pelletier/go-toml/v2"
)

// codex is the form with a TOML table for each server.
type codex struct{}

// codexFile is the part of the configuration that is read.
type codexFile struct {
	Servers map[string]codexEntry `toml:"mcp_servers"`
}

// codexEntry is the table of a server.
type codexEntry struct {
	Command string   `toml:"command"`
	Args    []string `toml:"args"`
	Enabled *bool    `toml:"enabled"` // nil: enabled
}

// header matches the header of a table, and ours that of Strata's table or of a table
// below it.
var (
	header = lazyregexp.New(`(?m)^[ \t]*\[.*$`)
	ours   = lazyregexp.New(`^[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*["']?` + Name + `["']?[ \t]*(?:\.[^\]]*)?\]`)
)

func (c codex) set(text string, s Server) (string, error) {
	had, there, err := c.get(text)
	if err != nil || there && had.Equal(s) {
		return text, err
	}
	rest, at, err := c.cut(text)
	if err != nil {
		return "", err
	}
	args := make([]string, len(s.Args))
	for i, a := range s.Args {
		args[i] = quoteTOML(a)
	}
	table := fmt.Sprintf("[mcp_servers.%s]\ncommand = %s\nargs = [%s]\n", Name, quoteTOML(s.Command), strings.Join(args, ", "))
	before, after := rest[:at], rest[at:]
	if before != "" {
		before = strings.TrimRight(before, "\r\n") + "\n\n"
	}
	if after != "" {
		table += "\n"
	}
	out := before + table + after
	// Check that the result parses as intended: the servers may be written in a form that
	// leaves no room for a table.
	if got, _, err := c.get(out); err != nil || !got.Equal(s) {
		return "", fmt.Errorf("its mcp_servers are no tables of their own, so %s has to be added by hand", Name)
	}
	return out, nil
}

func (c codex) remove(text string) (string, error) {
	_, there, err := c.get(text)
	if err != nil || !there {
		return text, err
	}
	rest, at, err := c.cut(text)
	if err != nil {
		return "", err
	}
	before, after := strings.TrimRight(rest[:at], "\r\n"), rest[at:]
	switch {
	case before == "":
		return after, nil
	case after == "":
		return before + "\n", nil
	}
	return before + "\n\n" + after, nil
}

func (codex) get(text string) (Server, bool, error) {
	var f codexFile
	if err := toml.Unmarshal([]byte(text), &f); err != nil {
		return Server{}, false, err
	}
	e, there := f.Servers[Name]
	if e.Enabled != nil && !*e.Enabled {
		return Server{}, there, nil
	}
	return Server{Command: e.Command, Args: e.Args}, there, nil
}

// cut removes Strata's tables from a text. It returns the position of the first, or the
// end of the text if there were none.
func (c codex) cut(text string) (rest string, at int, err error) {
	heads := header.FindAllStringIndex(text, -1)
	at = -1
	var out strings.Builder
	from := 0
	for i, h := range heads {
		if !ours.MatchString(text[h[0]:h[1]]) {
			continue
		}
		end := len(text)
		if i+1 < len(heads) {
			end = commentsBefore(text, heads[i+1][0])
		}
		out.WriteString(text[from:h[0]])
		if at < 0 {
			at = out.Len()
		}
		from = end
	}
	out.WriteString(text[from:])
	if at < 0 {
		at = out.Len()
	}
	rest = out.String()
	if _, there, err := c.get(rest); err != nil || there {
		return "", 0, fmt.Errorf("its entry of %s is no table of its own, so it has to be changed by hand", Name)
	}
	return rest, at, nil
}

// commentsBefore returns the start of the comments directly above the position at.
func commentsBefore(text string, at int) int {
	lines := strings.SplitAfter(text[:at], "\n")
	for _, line := range slices.Backward(lines) {
		if line != "" && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			break
		}
		at -= len(line)
	}
	return at
}

// quoteTOML quotes a string for TOML, as a literal string if possible, so that the
// backslashes of a path stay as they are.
func quoteTOML(s string) string {
	if !strings.ContainsAny(s, "'\n\r") && strings.Contains(s, `\`) {
		return "'" + s + "'"
	}
	return fmt.Sprintf("%q", s)
}
