package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// noArgs refuses arguments.
var noArgs = maxArgs(0)

// maxArgs refuses more than n arguments.
func maxArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return strata.Invalid("", "one argument too many: "+terminal.Quote(args[n]), "usage: "+cmd.UseLine())
	}
}

// exactArgs refuses another number of arguments.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return strata.Invalid("", fmt.Sprintf("%d arguments, want %d", len(args), n), "usage: "+cmd.UseLine())
	}
}

// noSubcommand refuses words that are no subcommand.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return unknownCommand(cmd, args[0])
}

// unknownCommand says what the user may have meant.
func unknownCommand(parent *cobra.Command, name string) error {
	hint := "strata --help lists the commands"
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return strata.Invalid("", "no such command: "+terminal.Quote(name), hint)
}

// flagError makes a mistake in the flags an error with code and hint. A mistyped
// command comes first: its flags are unknown to the root.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
		return unknownCommand(cmd, words[0])
	}
	return strata.Invalid("", err.Error(), cmd.CommandPath()+" --help lists the flags")
}
