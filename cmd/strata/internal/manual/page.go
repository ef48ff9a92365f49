// Package manual writes what there is to read of a command: its help, on one screen
// where its flags allow, and its page of the manual.
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
	// Columns is how wide help is written where the screen is not narrower.
	Columns = 80
	// rows is how many lines a terminal has, and screen how many of them the help of a
	// command takes where that can be: one is for the next prompt.
	rows, screen = 24, 23
)

// Help is the help of a command: what it does, how it is called, its own flags, and as
// many examples as there is room for. Where all that is more than a screen, it is said in
// fewer words unless it shall be whole: of the description the beginning, of flags what
// they mean in short. What all commands have in common stands in topics of its own.
func Help(cmd *cobra.Command, columns int, whole bool) string {
	h := help{cmd: cmd, columns: columns}
	h.layOut(description(cmd, columns), Flags(ownFlags(cmd), columns))
	if whole || h.lines() <= screen || !cmd.HasParent() {
		return h.text(whole)
	}
	h.brief = true
	flags := briefFlags(ownFlags(cmd), columns, math.MaxInt)
	h.layOut("", flags) // an empty description is a line, too
	if over := h.lines() - screen; over > 0 {
		flags = briefFlags(ownFlags(cmd), columns, 1+strings.Count(flags, "\n")-over)
		h.layOut("", flags)
	}
	h.layOut(beginning(cmd, columns, screen-h.lines()+1), flags)
	return h.text(whole)
}

// help is a page that is laid out.
type help struct {
	cmd      *cobra.Command
	columns  int
	brief    bool
	sections []string // with an empty line between them
}

// layOut makes the sections, but for the examples.
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

// lines is how many the page has, with one example.
func (h *help) lines() int {
	n := len(h.sections) - 1 // the empty ones between them
	for _, s := range h.sections {
		n += 1 + strings.Count(s, "\n")
	}
	if h.cmd.Example != "" {
		n += 3 + strings.Count(examples(h.cmd.Example, h.columns, 0), "\n") // an empty line and the heading
	}
	return n
}

// text is the page, with the examples that have room; all of them where it shall be whole,
// and none where not even one has.
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

// ownFlags are the flags that a command does not have in common with all others.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	if !cmd.HasParent() {
		return cmd.LocalNonPersistentFlags()
	}
	return cmd.LocalFlags()
}

// usage is how a command is called.
func usage(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND [flags]"
	}
	return cmd.UseLine()
}

// description is the long description, without what is said of its output for scripts:
// that is in the manual.
func description(cmd *cobra.Command, columns int) string {
	var parts []string
	for _, p := range paragraphs(cmd) {
		if !strings.HasPrefix(p, "With -o json") {
			parts = append(parts, fill(p, columns))
		}
	}
	return strings.Join(parts, "\n\n")
}

// beginning is the first sentence of the description and as many of those that follow as
// have room in so many lines.
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

// leading are the first sentences of a paragraph that have room in so many lines.
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

// paragraphs are those of the long description, or the short one alone.
func paragraphs(cmd *cobra.Command) []string {
	text := strings.TrimSpace(cmd.Long)
	if text == "" {
		text = cmd.Short + "."
	}
	return strings.Split(text, "\n\n")
}

// fill breaks a paragraph into lines anew. One that is laid out in columns stays as it is.
func fill(paragraph string, columns int) string {
	if strings.Contains("\n"+paragraph, "\n  ") {
		return terminal.Fold(paragraph, columns, 4)
	}
	return strings.Join(terminal.Wrap(paragraph, columns), "\n")
}

// commands lists the commands of a command, by their groups.
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

// An example is a command line and what it does.
type example struct{ doc, line string }

// examplesOf reads the examples of a command: lines, each below a comment that it may
// have.
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

// examples are the first ones that have room in so many lines, but one at least.
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
