package main

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/status"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/local"
)

// Groups of commands in the help of the root.
const (
	groupUse      = "use"
	groupLook     = "look"
	groupUndo     = "undo"
	groupMaintain = "maintain"
	groupTry      = "try"
)

// newRoot builds the command tree. If a command line begins with a word, it builds only
// the operations that begin with that word, because building all takes most of the time
// of a small command. If the word is empty or names nothing, it builds all.
func newRoot(a *app, word string) *cobra.Command {
	root := &cobra.Command{
		Use:   "strata",
		Short: "A memory for AI agents that survives resets",
		Long: "Strata keeps what is said to an agent and finds it again: by words, by meaning, and by the subject it belongs to.\n" +
			"Everything is in one home directory; no server and no model are needed.",
		Example: "  strata save \"My cat's name is Whiskerino\"\n" +
			"  strata recall \"what is my cat called?\"",
		Version:                    buildVersion().Version,
		SilenceErrors:              true, // Main reports errors
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
	root.AddCommand(newBackupCommand(a))
	root.AddCommand(subcommands(a)...)
	a.addOperations(root, word)
	if word != "" && !hasCommand(root, word) {
		a.addOperations(root, "")
	}
	a.markRunning(root)
	return root
}

// hasCommand reports whether a command has a subcommand with a name.
func hasCommand(cmd *cobra.Command, name string) bool {
	return slices.ContainsFunc(cmd.Commands(), func(sub *cobra.Command) bool { return sub.Name() == name })
}

// addOperations adds the commands generated from operations: all of them, or only those
// that begin with word if it is not empty.
func (a *app) addOperations(root *cobra.Command, word string) {
	families := make(map[string]*cobra.Command)
	for _, cmd := range root.Commands() {
		families[cmd.Name()] = cmd // some operations have the same name as a family
	}
	for _, op := range ops.All() {
		name, words := op.About().Name, op.About().Words()
		family := words[0]
		if word != "" && word != family && (word != name || len(words) == 1) {
			continue
		}
		cmd := newOpCommand(a, op)
		if cmd == nil {
			continue
		}
		if len(words) == 1 {
			families[cmd.Name()] = cmd
			root.AddCommand(cmd)
			continue
		}
		if families[family] == nil {
			families[family] = newFamilyCommand(family)
			root.AddCommand(families[family])
		}
		families[family].AddCommand(cmd)
		switch {
		case name == family:
			takeArguments(families[family], cmd)
		case !strings.HasPrefix(name, family+"_"):
			root.AddCommand(formerCommand(newOpCommand(a, op), name))
		}
	}
	if notes := families["note"]; notes != nil {
		notes.AddCommand(newNoteEditCommand(a))
	}
}

// showStatus shows the current state, or how to begin if there is no home yet. It creates
// none.
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

// markRunning records when a command's own work begins: any error from cobra before that
// is a mistake in the command line.
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

// subcommands returns the commands that are not generated from an operation. Add new ones
// here.
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

// groupOf returns the group of an operation's command; empty inside a family, which has
// no groups.
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
