// Package cmdline has what the commands of the program share: how many arguments they
// take, what a shell offers after a tab, and how a command line is written.
package cmdline

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// NoArgs refuses arguments.
var NoArgs = MaxArgs(0)

// MaxArgs refuses more than n arguments.
func MaxArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return strata.Invalid("", "one argument too many: "+terminal.Quote(args[n]), "usage: "+cmd.UseLine())
	}
}

// ExactArgs refuses another number of arguments.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return strata.Invalid("", fmt.Sprintf("%d arguments, want %d", len(args), n), "usage: "+cmd.UseLine())
	}
}

// NoSubcommand refuses words that are no subcommand.
func NoSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return UnknownCommand(cmd, args[0])
}

// UnknownCommand says what the user may have meant.
func UnknownCommand(parent *cobra.Command, name string) error {
	hint := "strata --help lists the commands"
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return strata.Invalid("", "no such command: "+terminal.Quote(name), hint)
}

// FlagError makes a mistake in the flags an error with code and hint. A mistyped
// command comes first: its flags are unknown to the root.
func FlagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
		return UnknownCommand(cmd, words[0])
	}
	return strata.Invalid("", err.Error(), cmd.CommandPath()+" --help lists the flags")
}
