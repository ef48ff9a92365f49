package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/plainfile"
)

// WritePages writes manual pages (section 1) for a command and all its subcommands into a
// directory, and returns how many. exitCodes is the section about exit codes in the page
// of the command itself.
func WritePages(root *cobra.Command, dir, exitCodes string) (int, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, &strata.Error{Code: strata.CodeInvalid, Op: "write manual", Message: "the directory " + dir + " cannot be made",
			Hint: "name a directory that exists, or one that can be made", Err: err}
	}
	pages := 0
	var write func(cmd *cobra.Command) error
	write = func(cmd *cobra.Command) error {
		codes := ""
		if cmd == root {
			codes = exitCodes
		}
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		if err := plainfile.WriteBytes(filepath.Join(dir, name+".1"), 0o644, page(cmd, name, codes)); err != nil {
			return err
		}
		pages++
		for _, sub := range cmd.Commands() {
			if !sub.IsAvailableCommand() {
				continue
			}
			if err := write(sub); err != nil {
				return err
			}
		}
		return nil
	}
	return pages, write(root)
}

// page returns the manual page of a command in man(7) format.
func page(cmd *cobra.Command, name, exitCodes string) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, ".TH %s 1\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(name)), roff(name), roff(cmd.Short))
	fmt.Fprintf(&out, ".SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n", roff(usage(cmd)))
	for _, p := range paragraphs(cmd) {
		if strings.Contains("\n"+p, "\n  ") {
			fmt.Fprintf(&out, ".PP\n.nf\n%s\n.fi\n", roff(p))
			continue
		}
		fmt.Fprintf(&out, ".PP\n%s\n", roff(strings.Join(strings.Fields(p), " ")))
	}
	if cmd.HasAvailableSubCommands() {
		out.WriteString(".SH COMMANDS\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&out, ".TP\n.B %s\n%s\n", roff(sub.Name()), roff(sub.Short))
			}
		}
	}
	options(&out, "OPTIONS", cmd.LocalFlags())
	if list := examplesOf(cmd.Example); len(list) > 0 {
		out.WriteString(".SH EXAMPLES\n")
		for _, e := range list {
			fmt.Fprintf(&out, ".TP\n.B %s\n%s\n", roff(e.line), roff(e.doc))
		}
	}
	if exitCodes != "" {
		fmt.Fprintf(&out, ".SH EXIT STATUS\n.nf\n%s.fi\n", roff(exitCodes))
	}
	if cmd.HasParent() {
		fmt.Fprintf(&out, ".SH SEE ALSO\n.BR %s (1),\nfor the options and exit codes of every command\n", roff(cmd.Root().Name()))
	}
	return out.Bytes()
}

// options writes a section of flags, unless there are none.
func options(out *bytes.Buffer, title string, flags *pflag.FlagSet) {
	for i, f := range listed(flags, false) {
		if i == 0 {
			fmt.Fprintf(out, ".SH %s\n", title)
		}
		fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(f.name)), roff(f.meaning))
	}
}

// roff escapes text so that nothing in it is taken for a roff request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
