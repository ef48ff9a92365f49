package cmdline

import "github.com/spf13/cobra"

// Completer offers values with a description after a tab.
type Completer = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective)

// Complete ties a completer to a flag. It fails only for a flag that does not
// exist or has one already; the tests visit every flag.
func Complete(cmd *cobra.Command, flag string, offer Completer) {
	_ = cmd.RegisterFlagCompletionFunc(flag, offer)
}

// Fixed offers a fixed list and no files.
func Fixed(values []string) Completer {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}
