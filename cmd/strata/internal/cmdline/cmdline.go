// Package cmdline has what the commands of the program share: how many arguments they
// accept, what they offer for completion, and how to write a command line.
package cmdline

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/home/homedir"
)

// NoArgs rejects arguments.
var NoArgs = MaxArgs(0)

// MaxArgs rejects more than n arguments.
func MaxArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) <= n {
			return nil
		}
		return strata.Invalid("", "one argument too many: "+terminal.Quote(args[n]), "usage: "+cmd.UseLine())
	}
}

// ExactArgs rejects any number of arguments but n.
func ExactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return strata.Invalid("", fmt.Sprintf("%d arguments, want %d", len(args), n), "usage: "+cmd.UseLine())
	}
}

// NoSubcommand rejects words that are not a subcommand.
func NoSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return UnknownCommand(cmd, args[0])
}

// UnknownCommand returns the error for an unknown command, suggesting what the user may
// have meant.
func UnknownCommand(parent *cobra.Command, name string) error {
	hint := "strata --help lists the commands"
	if near := parent.SuggestionsFor(name); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return strata.Invalid("", "no such command: "+terminal.Quote(name), hint)
}

// FlagError gives an error about flags a code and a hint. It reports a mistyped command
// first, whose flags the root does not know.
func FlagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); !cmd.HasParent() && len(words) > 0 {
		return UnknownCommand(cmd, words[0])
	}
	return strata.Invalid("", err.Error(), cmd.CommandPath()+" --help lists the flags")
}

// Completer returns values with descriptions for completion.
type Completer = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// Complete attaches a completer to a flag. It fails only if the flag does not exist or
// already has a completer; the tests visit every flag.
func Complete(cmd *cobra.Command, flag string, offer Completer) {
	_ = cmd.RegisterFlagCompletionFunc(flag, offer)
}

// Fixed offers a fixed list of values and no files.
func Fixed(values []string) Completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// ExpandPaths expands the beginning of the paths in flags, see [homedir.Expand]. It
// applies to flags that were given and that MarkFlagFilename or MarkFlagDirname declares
// to hold paths.
func ExpandPaths(flags *pflag.FlagSet, getenv func(string) string, userHome string) error {
	var errs []error
	flags.Visit(func(f *pflag.Flag) {
		_, file := f.Annotations[cobra.BashCompFilenameExt]
		_, dir := f.Annotations[cobra.BashCompSubdirsInDir]
		if !file && !dir {
			return
		}
		list, many := f.Value.(pflag.SliceValue)
		paths := []string{f.Value.String()}
		if many {
			paths = list.GetSlice()
		}
		for i, path := range paths {
			var err error
			if paths[i], err = homedir.Expand(path, getenv, userHome); err != nil {
				var known *strata.Error
				if errors.As(err, &known) {
					err = strata.Invalid(known.Op, "--"+f.Name+": "+known.Message, known.Hint)
				}
				errs = append(errs, err)
				return
			}
		}
		if many {
			errs = append(errs, list.Replace(paths))
		} else {
			errs = append(errs, f.Value.Set(paths[0]))
		}
	})
	return errors.Join(errs...)
}

// ShellQuote quotes a word for a POSIX shell if necessary.
func ShellQuote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+=,"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `$`, `\$`, "`", "\\`").Replace(word) + `"`
}
