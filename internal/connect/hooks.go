package connect

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// hooks is the form of hooks that Claude Code defined and Codex adopted: lists of
// commands by event.
type hooks struct {
	tools string // matches the tools that change files or run commands
}

// hookEvent is an event that memory handles, and its name on the command line.
type hookEvent struct {
	event, name string
	tool        bool // whether it concerns a tool
}

var hookEvents = []hookEvent{
	{"SessionStart", "session-start", false},
	{"UserPromptSubmit", "prompt", false},
	{"PreToolUse", "pre-tool", true},
	{"PreCompact", "pre-compact", false},
	{"Stop", "stop", false},
	{"SessionEnd", "session-end", false},
}

// matcher returns the matcher for the tools that an event is for; empty for all.
func (h hooks) matcher(e hookEvent) string {
	if e.tool {
		return h.tools
	}
	return ""
}

// hookGroup is an element of the list of an event.
type hookGroup struct {
	Matcher string        `json:"matcher,omitempty"`
	Hooks   []hookCommand `json:"hooks"`
}

// hookCommand is one command of a group.
type hookCommand struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}

func (h hooks) set(text string, s Server) (string, error) {
	if h.whole(text, s) {
		return text, nil
	}
	text, err := h.remove(text)
	if err != nil {
		return "", err
	}
	for _, e := range hookEvents {
		group := hookGroup{Matcher: h.matcher(e), Hooks: []hookCommand{{Type: "command", Command: hookLine(s, e.name)}}}
		if text, err = addElement(text, "hooks", e.event, group); err != nil {
			return "", err
		}
	}
	return text, nil
}

// whole reports whether every event has the command of a server exactly once.
func (h hooks) whole(text string, s Server) bool {
	for _, e := range hookEvents {
		ours := 0
		for _, g := range groupsOf(text, e.event) {
			if isOurs(g) {
				if g.Matcher != h.matcher(e) || len(g.Hooks) != 1 || g.Hooks[0].Command != hookLine(s, e.name) {
					return false
				}
				ours++
			}
		}
		if ours != 1 {
			return false
		}
	}
	return true
}

func (hooks) remove(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	root, err := parseObject(text)
	if err != nil {
		return "", err
	}
	all := find(root.Value.(*hujson.Object), "hooks")
	if all == nil {
		return text, nil
	}
	events, ok := all.Value.Value.(*hujson.Object)
	if !ok {
		return text, nil
	}
	changed := false
	var empty []string // events that had no other groups
	for _, m := range events.Members {
		list, ok := m.Value.Value.(*hujson.Array)
		if !ok {
			continue
		}
		before := len(list.Elements)
		list.Elements = slices.DeleteFunc(list.Elements, func(v hujson.ArrayElement) bool {
			var g hookGroup
			return json.Unmarshal(standardized(v), &g) == nil && isOurs(g)
		})
		if n := len(list.Elements); n < before {
			changed = true
			if n > 0 {
				list.Elements[n-1].AfterExtra = nil
			} else {
				empty = append(empty, nameOf(m))
			}
		}
	}
	if !changed {
		return text, nil
	}
	text = string(root.Pack())
	for _, event := range empty {
		if text, err = removeMember(text, []string{"hooks"}, event); err != nil {
			return "", err
		}
	}
	if len(events.Members) == len(empty) {
		return removeMember(text, nil, "hooks")
	}
	return text, nil
}

func (hooks) get(text string) (Server, bool, error) {
	if _, err := parseObject(text); err != nil {
		return Server{}, false, err
	}
	for _, e := range hookEvents {
		if slices.ContainsFunc(groupsOf(text, e.event), isOurs) {
			return Server{}, true, nil // the command is a shell line, which is not parsed
		}
	}
	return Server{}, false, nil
}

// groupsOf returns the groups of an event, skipping those that cannot be parsed.
func groupsOf(text, event string) (list []hookGroup) {
	var raw []json.RawMessage
	if _, err := member(text, []string{"hooks"}, event, &raw); err != nil {
		return nil
	}
	for _, r := range raw {
		var g hookGroup
		if json.Unmarshal(r, &g) == nil {
			list = append(list, g)
		}
	}
	return list
}

// isOurs reports whether all commands of a group are Strata's hooks.
func isOurs(g hookGroup) bool {
	return len(g.Hooks) > 0 && !slices.ContainsFunc(g.Hooks, func(c hookCommand) bool { return !isHookLine(c.Command) })
}

// hookLine returns the command of a hook as a shell line.
func hookLine(s Server, event string) string {
	words := []string{quoteShell(s.Command)}
	for _, a := range s.Args {
		if a != "mcp" {
			words = append(words, quoteShell(a))
		}
	}
	return strings.Join(append(words, "hook", event), " ")
}

// isHookLine reports whether a shell line calls Strata with nothing but options and a
// hook, as hookLine writes it. The program is named strata or like this one.
func isHookLine(line string) bool {
	words, ok := shellWords(line)
	n := len(words)
	if !ok || n < 3 || words[n-2] != "hook" || n > 3 && !strings.HasPrefix(words[1], "-") {
		return false
	}
	program := programName(words[0])
	self, err := os.Executable()
	return slices.ContainsFunc(hookEvents, func(e hookEvent) bool { return e.name == words[n-1] }) &&
		(program == Name || err == nil && program == programName(self))
}

// programName returns the name of the program at a path of any system.
func programName(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
}

// shellWords splits a shell line into words without their quotes. It returns false if the
// line is more than one plain command.
func shellWords(line string) (words []string, ok bool) {
	var word strings.Builder
	begun := false // there is a word, which may be empty
	var quote rune // that is open; 0 for none
	escaped := false
	for _, r := range line + " " {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote == 0:
			escaped, begun = true, true
		case r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, begun = r, true
		case strings.ContainsRune(";&|<>()`\n", r):
			return nil, false
		case r != ' ' && r != '\t':
			word.WriteRune(r)
			begun = true
		case begun:
			words, begun = append(words, word.String()), false
			word.Reset()
		}
	}
	return words, quote == 0 && !escaped
}

// quoteShell quotes a word for a shell.
func quoteShell(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// addElement appends an element to the list name in the object called object, and creates
// either if it is missing.
func addElement(text, object, name string, element any) (string, error) {
	value, err := json.Marshal(element)
	if err != nil {
		return "", err
	}
	root, err := parseObject(text)
	if err != nil {
		return "", err
	}
	m := find(root.Value.(*hujson.Object), object)
	if m == nil {
		return setMember(text, []string{object}, name, []any{element})
	}
	events, ok := m.Value.Value.(*hujson.Object)
	if !ok {
		return "", fmt.Errorf("%q is not an object", object)
	}
	list := find(events, name)
	if list == nil {
		return setMember(text, []string{object}, name, []any{element})
	}
	array, ok := list.Value.Value.(*hujson.Array)
	if !ok {
		return "", fmt.Errorf("%q is not a list", object+"."+name)
	}
	step := indentOf(text)
	v := indented(value, step, 3)
	v.BeforeExtra = hujson.Extra("\n" + strings.Repeat(step, 3))
	if n := len(array.Elements); n > 0 && array.Elements[n-1].AfterExtra != nil {
		v.AfterExtra = hujson.Extra{} // keeps a trailing comma
	}
	if hasComment(array.AfterExtra) {
		v.BeforeExtra = before(array.AfterExtra, string(v.BeforeExtra))
	}
	array.Elements = append(array.Elements, v)
	array.AfterExtra = hujson.Extra("\n" + strings.Repeat(step, 2))
	return finish(root, text), nil
}
