package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/manual"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// Help topics that are not commands.
const (
	topicFlags     = "flags"
	topicExitCodes = "exit-codes"
	topicMan       = "man"
)

// newHelpCommand returns the command help, for commands and for what they have in common.
func newHelpCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show the help of a command, flags, exit-codes, or write the manual",
		Long: "Show the help of a command.\n\n" +
			"strata help flags lists the flags of every command, strata help exit-codes lists the exit codes of commands, and\n" +
			"strata help man DIR writes the manual pages into a directory.",
		Example: "  strata help recall\n  strata help flags\n  strata help man /usr/local/share/man/man1",
		// It does not read the settings, so that it works even if one is wrong.
		PersistentPreRunE: func(*cobra.Command, []string) error { return nil },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			at, _, err := cmd.Root().Find(args)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var names []string
			for _, sub := range at.Commands() {
				if sub.IsAvailableCommand() && strings.HasPrefix(sub.Name(), typed) {
					names = append(names, sub.Name()+"\t"+sub.Short)
				}
			}
			if len(args) == 0 {
				names = append(names, topicFlags, topicExitCodes, topicMan)
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch {
			case len(args) == 1 && args[0] == topicFlags:
				return a.page("Flags of every command:\n" + manual.Flags(root.PersistentFlags(), a.columns()) + "\n")
			case len(args) == 1 && args[0] == topicExitCodes:
				return a.page(terminal.Fold(exitCodes(), a.columns(), len("  00  rejected_secret  ")))
			case len(args) > 0 && args[0] == topicMan:
				return a.writeManual(root, args[1:])
			}
			of, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 && of == root {
				return cmdline.UnknownCommand(root, strings.Join(args, " "))
			}
			return of.Help()
		},
	}
	cmd.Flags().BoolVar(&a.longHelp, "long", false, "the whole help, even if it is longer than a screen")
	return cmd
}

// showHelp prints the help of a command. It generates the help of an operation only now,
// because that takes longer than most commands take to run.
func (a *app) showHelp(cmd *cobra.Command, _ []string) {
	if describe := a.describe[cmd]; describe != nil {
		describe()
	}
	_ = a.page(manual.Help(cmd, a.columns(), a.longHelp)) // cobra expects no error here
}

// page prints a text that is already laid out.
func (a *app) page(text string) error {
	p := a.out.Page(a.out.Stdout)
	p.Printf("%s", text)
	return p.Err()
}

// columns returns the width of help.
func (a *app) columns() int {
	if n := terminal.Width(a.out.Stdout, a.getenv); n > 0 {
		return min(n, manual.Columns)
	}
	return manual.Columns
}

// writeManual writes a manual page for every command.
func (a *app) writeManual(root *cobra.Command, args []string) error {
	if len(args) != 1 {
		return strata.Invalid("", "no directory for the manual pages", "usage: strata help man DIR")
	}
	for _, describe := range a.describe {
		describe()
	}
	n, err := manual.WritePages(root, args[0], exitCodes())
	if err != nil {
		return err
	}
	return a.page(fmt.Sprintf("written  %d pages into %s\n", n, terminal.Clean(args[0])))
}

// exitCodes lists the exit codes with their meaning.
func exitCodes() string {
	var out strings.Builder
	out.WriteString("Exit codes:\n   0  success\n")
	for _, c := range strata.Codes() {
		fmt.Fprintf(&out, "  %2d  %-16s %s\n", c.ExitCode(), c, c.Meaning())
	}
	return out.String()
}

// long returns the long help of an operation's command.
func (c *opCommand) long() string {
	var parts []string
	parts = append(parts, c.info.Summary+".")
	if c.info.Description != "" {
		parts = append(parts, c.info.Description)
	}
	for _, f := range c.args {
		switch {
		case f.File:
			parts = append(parts, strings.ToUpper(f.Name)+" is "+f.Doc+". @FILE reads it from a file, - from standard input; "+
				"a text that begins with @ is written with @@.")
		case len(c.args) > 1 || c.info.Family != "":
			parts = append(parts, strings.ToUpper(f.Name)+" is "+f.Doc+".")
		}
	}
	if fields := c.outputFields(); fields != "" {
		parts = append(parts, "With -o json it prints an object with "+fields+"; docs/cli-json.md describes them.")
	}
	return strings.Join(parts, "\n\n")
}

// outputFields describes the fields of the output.
func (c *opCommand) outputFields() string {
	var names []string
	for _, f := range c.op.Outputs() {
		if !strings.Contains(f.Name, ".") {
			names = append(names, f.Name)
		}
	}
	return strings.Join(names, ", ")
}
