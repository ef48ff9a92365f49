package main

import (
	"context"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/status"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
)

// The groups of commands in the root's help.
const (
	groupUse      = "use"
	groupLook     = "look"
	groupUndo     = "undo"
	groupMaintain = "maintain"
	groupTry      = "try"
)

// newRoot builds the whole command tree.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "strata",
		Short: "A memory for AI agents that survives resets",
		Long: "Strata keeps what is said to an agent and finds it again: by words, by meaning, and by the subject it belongs to.\n" +
			"Everything lies in one home directory; no server and no model are needed.",
		Example: "  strata save \"My cat's name is Whiskerino\"\n" +
			"  strata recall \"what is my cat called?\"",
		Version:                    buildVersion().Version,
		SilenceErrors:              true, // Main reports them
		SilenceUsage:               true,
		SuggestionsMinimumDistance: 2,
		Args:                       cmdline.NoSubcommand,
		RunE:                       func(cmd *cobra.Command, _ []string) error { return a.showStatus(cmd.Context()) },
		PersistentPreRunE:          func(cmd *cobra.Command, _ []string) error { return a.configure(cmd) },
	}
	root.SetIn(a.stdin)
	root.SetOut(a.out.Stdout)
	root.SetErr(a.out.Stderr)
	root.SetFlagErrorFunc(cmdline.FlagError)
	root.SetHelpFunc(a.showHelp)
	root.SetHelpCommand(newHelpCommand(a))
	root.AddGroup(
		&cobra.Group{ID: groupUse, Title: "Remember and recall"},
		&cobra.Group{ID: groupLook, Title: "See what is kept"},
		&cobra.Group{ID: groupUndo, Title: "Undo and forget"},
		&cobra.Group{ID: groupMaintain, Title: "Look after the home"},
		&cobra.Group{ID: groupTry, Title: "Try and measure"},
	)
	root.SetHelpCommandGroupID("")
	a.addGlobalFlags(root)
	families := map[string]*cobra.Command{"backup": newBackupCommand(a)}
	root.AddCommand(families["backup"])
	for _, op := range ops.All() {
		cmd := newOpCommand(a, op)
		if cmd == nil {
			continue
		}
		words := op.About().Words()
		if len(words) == 1 {
			families[cmd.Name()] = cmd // some operations have a family of the same name
			root.AddCommand(cmd)
			continue
		}
		family := words[0]
		if families[family] == nil {
			families[family] = newFamilyCommand(family)
			root.AddCommand(families[family])
		}
		families[family].AddCommand(cmd)
		switch name := op.About().Name; {
		case name == family:
			takeArguments(families[family], cmd)
		case !strings.HasPrefix(name, family+"_"):
			root.AddCommand(formerCommand(newOpCommand(a, op), name))
		}
	}
	families["note"].AddCommand(newNoteEditCommand(a))
	root.AddCommand(subcommands(a)...)
	a.markRunning(root)
	return root
}

// showStatus says where one is, or how to begin where no home is there yet. It makes none.
func (a *app) showStatus(ctx context.Context) error {
	if _, err := os.Stat(local.Database(a.home())); err != nil && a.temp == nil {
		return a.out.Print(status.Empty(a.home()))
	}
	env, err := a.environment(ctx)
	if err != nil {
		return err
	}
	out, err := status.Of(ctx, env)
	if err != nil {
		return err
	}
	return a.out.Print(out)
}

// markRunning notes when a command's own work begins: what cobra says before is
// a mistake in the command line.
func (a *app) markRunning(cmd *cobra.Command) {
	if run := cmd.RunE; run != nil {
		cmd.RunE = func(cmd *cobra.Command, args []string) error {
			a.running = true
			return run(cmd, args)
		}
	}
	for _, sub := range cmd.Commands() {
		a.markRunning(sub)
	}
}

// subcommands are the commands that are not made from an operation. A new one
// is added here.
func subcommands(a *app) []*cobra.Command {
	return []*cobra.Command{
		newInitCommand(a),
		newRecoverCommand(a),
		newChatCommand(a),
		newMCPCommand(a),
		newServeCommand(a),
		newTokenCommand(a),
		newUICommand(a),
		newWatchCommand(a),
		newConnectCommand(a),
		newHookCommand(a),
		newSalvageCommand(a),
		newRestoreCommand(a),
		newConfigCommand(a),
		newTourCommand(a),
		newDemoCommand(a),
		newBenchCommand(a),
		newVersionCommand(a),
	}
}

// groupOf is the group of an operation's command; empty inside of a family,
// which has none.
func groupOf(info operation.Info) string {
	if len(info.Words()) > 1 {
		return ""
	}
	switch info.Name {
	case "save", "recall", "think", "search", "expand", "learn", "remember", "update", "list", "context", "ingest", "memory_tool":
		return groupUse
	case "undo", "revert", "delete", "forget":
		return groupUndo
	case "doctor", "health", "embed", "reindex", "export", "import", "close", "sync", "checkpoint":
		return groupMaintain
	}
	return groupLook
}
