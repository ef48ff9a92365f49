package main

import (
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/output"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/home/config"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/schema"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// mostCompletions bounds the values offered to a shell, and the time it takes to find
// them.
const mostCompletions = 200

// completeGlobalFlags offers values for the global flags.
func (a *app) completeGlobalFlags(root *cobra.Command) {
	for _, s := range config.Settings() {
		switch {
		case s.Flag == "" || s.Local:
		case s.Name == config.Home || s.Name == config.Workspace:
			cmdline.Complete(root, s.Flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveFilterDirs
			})
		case s.Name == config.Scope:
			cmdline.Complete(root, s.Flag, a.completeValues("scope"))
		case len(s.Enum) > 0:
			cmdline.Complete(root, s.Flag, cmdline.Fixed(s.Enum))
		default:
			cmdline.Complete(root, s.Flag, cmdline.Fixed(nil))
		}
	}
}

// completeField offers values for the flag of a field.
func (a *app) completeField(cmd *cobra.Command, f schema.Field) {
	switch {
	case len(f.Enum) > 0:
		cmdline.Complete(cmd, flagName(f), cmdline.Fixed(f.Enum))
	case f.Values != "":
		cmdline.Complete(cmd, flagName(f), a.completeValues(f.Values))
	case f.Type != "boolean":
		cmdline.Complete(cmd, flagName(f), cmdline.Fixed(nil))
	}
}

// completeArgs offers values for the arguments of a command. It offers files for texts,
// and after the last argument if a file may follow.
func (a *app) completeArgs(cmd *cobra.Command, args []schema.Field, files bool) {
	if len(args) == 0 || args[0].Values == "" {
		return // the shell offers files
	}
	after := cobra.ShellCompDirectiveNoFileComp
	if files {
		after = cobra.ShellCompDirectiveDefault
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, given []string, typed string) ([]string, cobra.ShellCompDirective) {
		switch at := len(given); {
		case at >= len(args):
			return nil, after
		case args[at].File || args[at].Values == "":
			return nil, cobra.ShellCompDirectiveDefault
		default:
			return a.completeValues(args[at].Values)(cmd, given, typed)
		}
	}
}

// scopeWords returns the scopes that have a word of their own.
func scopeWords() []string { return []string{"global", "workspace", "agent", "agent:global"} }

// completeValues offers the values of a kind in memory. It creates no home, and offers
// nothing after an error: there is nowhere to show it.
func (a *app) completeValues(kind string) cmdline.Completer {
	return func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		values := []string{}
		if kind == "scope" {
			values = scopeWords()
		}
		if a.ephemeral || a.configure(cmd) != nil {
			return values, cobra.ShellCompDirectiveNoFileComp
		}
		if _, err := os.Stat(local.Database(a.home())); err != nil {
			return values, cobra.ShellCompDirectiveNoFileComp
		}
		env, err := a.environment(cmd.Context())
		if err != nil {
			return values, cobra.ShellCompDirectiveNoFileComp
		}
		for _, v := range a.offers(cmd, env, kind) {
			if !slices.Contains(values, v) {
				values = append(values, v)
			}
		}
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}

// offers returns the values of a kind in memory, leaving out what cannot be read.
func (a *app) offers(cmd *cobra.Command, env *operation.Env, kind string) []string {
	ctx, mem := cmd.Context(), env.Engine
	switch kind {
	case "scope":
		list, _ := mem.Scopes(ctx)
		return operation.Each(list, strata.Scope.Key)
	case "category":
		list, _ := mem.Categories(ctx, env.View)
		return operation.Each(list, func(c strata.Category) string { return c.Name })
	case "fact", "memory":
		list, _ := mem.Facts(ctx, env.View, strata.FactFilter{Limit: mostCompletions})
		return operation.Each(list, func(f strata.Fact) string { return f.ID + "\t" + brief(f.Text) })
	case "skill":
		list, _ := mem.Skills(ctx, env.View, "")
		return operation.Each(list, func(s edit.Skill) string { return s.Dir + "\t" + brief(s.Description) })
	case "note", "path", "waiting":
		f := strata.DocumentFilter{Limit: mostCompletions}
		switch kind {
		case "note":
			f.Kind = strata.DocumentNote
		case "waiting":
			f.Kind, f.System = strata.DocumentSystem, true
		}
		list, _ := mem.Documents(ctx, env.View, f)
		return operation.Each(list, func(d strata.Document) string { return d.Path + "\t" + brief(d.Name) })
	case "day":
		list, _ := mem.DailyLogs(ctx, env.View)
		return operation.Each(list, func(l documents.DailyLog) string { return l.Day })
	case "decision":
		list, _ := mem.Decisions(ctx, env.View, strata.DecisionFilter{Limit: mostCompletions})
		return operation.Each(list, func(d strata.Decision) string { return d.ID + "\t" + brief(output.Done(d.Op)+" "+d.Reason) })
	case "session":
		list, _ := mem.Sessions(ctx, env.View, mostCompletions)
		return operation.Each(list, func(s strata.Session) string { return s.ID })
	case "dream":
		list, _ := mem.Dreams(ctx, env.View, mostCompletions)
		return operation.Each(list, func(d strata.Dream) string { return d.ID + "\t" + output.When(d.StartedAt) })
	case "question":
		list, _ := mem.Questions(ctx, env.View, mostCompletions)
		return operation.Each(list, func(q strata.Question) string { return q.ID + "\t" + brief(q.Reason) })
	case "trace":
		list, _ := mem.Traces(ctx, env.View, store.TraceFilter{Limit: mostCompletions})
		return operation.Each(list, func(t store.Trace) string { return t.ID + "\t" + brief(t.Query) })
	}
	return nil
}

// brief shortens a text to describe a value.
func brief(text string) string { return terminal.Cut(terminal.Clean(text), 60) }
