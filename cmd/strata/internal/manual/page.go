// Package manual generates the documentation of a command: its help, on one screen if
// possible, and its manual page.
package manual

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

const (
	// Columns is the width of help unless the screen is narrower.
	Columns = 80
	// rows is the number of lines of a terminal, and screen how many of them the help of
	// a command takes if possible: one is left for the next prompt.
	rows, screen = 24, 23
)

// Help returns the help of a command: what it does, its usage, its own flags, and as many
// examples as fit. If that is more than a screen, and whole is false, it shortens the
// description to its beginning and the flags to their essential meaning. What all
// commands have in common is in topics of its own.
func Help(cmd *cobra.Command, columns int, whole bool) string {
	h := help{cmd: cmd, columns: columns}
	h.layOut(description(cmd, columns), Flags(ownFlags(cmd), columns))
	if whole || h.lines() <= screen || !cmd.HasParent() {
		return h.text(whole)
	}
	h.brief = true
	flags := briefFlags(ownFlags(cmd), columns, math.MaxInt)
	h.layOut("", flags) // an empty description counts as a line, too
	if over := h.lines() - screen; over > 0 {
		flags = briefFlags(ownFlags(cmd), columns, 1+strings.Count(flags, "\n")-over)
		h.layOut("", flags)
	}
	h.layOut(beginning(cmd, columns, screen-h.lines()+1), flags)
	return h.text(whole)
}

// help is a page of help.
type help struct {
	cmd      *cobra.Command
	columns  int
	brief    bool
	sections []string // separated by empty lines
}

// layOut makes the sections other than the examples.
func (h *help) layOut(description, flags string) {
	h.sections = []string{description, terminal.Fold("Usage: "+usage(h.cmd), h.columns, 2)}
	if h.cmd.HasAvailableSubCommands() {
		h.sections = append(h.sections, commands(h.cmd, h.columns))
	}
	if flags != "" {
		h.sections = append(h.sections, "Flags:\n"+flags)
	}
	more := "strata help flags, strata help exit-codes"
	if h.brief {
		more = strings.TrimPrefix(h.cmd.CommandPath(), h.cmd.Root().Name()+" ")
		more = "strata help " + more + " --long, strata help flags"
	}
	h.sections = append(h.sections, terminal.Fold("More: "+more, h.columns, 2))
}

// lines returns the number of lines of the page with one example.
func (h *help) lines() int {
	n := len(h.sections) - 1 // the empty lines between them
	for _, s := range h.sections {
		n += 1 + strings.Count(s, "\n")
	}
	if h.cmd.Example != "" {
		n += 3 + strings.Count(examples(h.cmd.Example, h.columns, 0), "\n") // plus an empty line and the heading
	}
	return n
}

// text returns the page with the examples that fit: all of them if whole, and none if not
// even one fits.
func (h *help) text(whole bool) string {
	room := screen - h.lines() + 1
	if whole {
		room = len(h.cmd.Example)
	}
	sections := h.sections
	if h.brief && h.lines() > rows {
		return strings.Join(sections, "\n\n") + "\n"
	}
	if shown := examples(h.cmd.Example, h.columns, room); shown != "" {
		at := len(sections) - 1
		if h.cmd.HasAvailableSubCommands() {
			at = 2 // before the commands
		}
		sections = slices.Insert(slices.Clone(sections), at, "Examples:\n"+shown)
	}
	return strings.Join(sections, "\n\n") + "\n"
}

// ownFlags returns the flags of a command that are not global.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	if !cmd.HasParent() {
		return cmd.LocalNonPersistentFlags()
	}
	return cmd.LocalFlags()
}

// usage returns the usage line of a command.
func usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

// description returns the long description without the part about output for scripts,
// which is in the manual.
func description(cmd *cobra.Command, columns int) string {
	var parts []string
	for _, p := range paragraphs(cmd) {
		if !strings.HasPrefix(p, "With -o json") {
			parts = append(parts, fill(p, columns))
		}
	}
	return strings.Join(parts, "\n\n")
}

// beginning returns the first sentence of the description and as many of the following
// ones as fit in the given number of lines.
func beginning(cmd *cobra.Command, columns, room int) string {
	parts := strings.SplitN(description(cmd, columns), "\n\n", 3)
	first := leading(parts[0], columns, room)
	if first == "" {
		sentence, _, _ := strings.Cut(strings.Join(strings.Fields(parts[0]), " "), ". ")
		return strings.Join(terminal.Wrap(strings.TrimSuffix(sentence, ".")+".", columns), "\n")
	}
	if len(parts) > 1 {
		room -= strings.Count(first, "\n") + len("\n\n")
		if rest := leading(parts[1], columns, room); rest != "" {
			return first + "\n\n" + rest
		}
	}
	return first
}

// leading returns the first sentences of a paragraph that fit in the given number of
// lines.
func leading(paragraph string, columns, room int) string {
	text := strings.Join(strings.Fields(paragraph), " ")
	shown := ""
	for end := 0; end < len(text); {
		next := strings.Index(text[end:], ". ")
		if next < 0 {
			next = len(text) - end - 1
		}
		end += next + 1
		lines := terminal.Wrap(strings.TrimSpace(text[:end]), columns)
		if len(lines) > room {
			break
		}
		shown = strings.Join(lines, "\n")
	}
	return shown
}

// paragraphs returns the paragraphs of the long description, or the short description.
func paragraphs(cmd *cobra.Command) []string {
	text := strings.TrimSpace(cmd.Long)
	if text == "" {
		text = cmd.Short + "."
	}
	return strings.Split(text, "\n\n")
}

// fill rewraps a paragraph. It leaves one that is laid out in columns as it is.
func fill(paragraph string, columns int) string {
	if strings.Contains("\n"+paragraph, "\n  ") {
		return terminal.Fold(paragraph, columns, 4)
	}
	return strings.Join(terminal.Wrap(paragraph, columns), "\n")
}

// commands lists the subcommands of a command by group.
func commands(cmd *cobra.Command, columns int) string {
	var sections []string
	list := func(title, group string) {
		var out strings.Builder
		for _, sub := range cmd.Commands() {
			if sub.GroupID == group && (sub.IsAvailableCommand() || sub.Name() == "help") {
				line := fmt.Sprintf("\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
				out.WriteString(terminal.Fold(line, columns, sub.NamePadding()+1))
			}
		}
		if out.Len() > 0 {
			sections = append(sections, title+":"+out.String())
		}
	}
	for _, g := range cmd.Groups() {
		list(g.Title, g.ID)
	}
	if len(cmd.Groups()) > 0 {
		list("More", "")
	} else {
		list("Commands", "")
	}
	return strings.Join(sections, "\n\n")
}

// An example is a command line and a comment on what it does.
type example struct{ doc, line string }

// examplesOf parses the examples of a command: lines, each optionally preceded by a
// comment.
func examplesOf(text string) []example {
	var list []example
	doc := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if comment, ok := strings.CutPrefix(line, "# "); ok {
			doc = comment
			continue
		}
		if line != "" {
			list = append(list, example{doc, line})
		}
		doc = ""
	}
	return list
}

// examples returns as many of the first examples as fit in room lines, but at least one.
func examples(text string, columns, room int) string {
	var lines []string
	for _, e := range examplesOf(text) {
		next := []string{"  " + e.line}
		if together := next[0] + "  # " + e.doc; e.doc != "" && len(together) <= columns {
			next[0] = together
		} else if e.doc != "" {
			next = []string{"  # " + e.doc, next[0]}
		}
		next = strings.Split(terminal.Fold(strings.Join(next, "\n"), columns, 2), "\n")
		if len(lines) > 0 && len(lines)+len(next) > room {
			break
		}
		lines = append(lines, next...)
	}
	return strings.Join(lines, "\n")
}
