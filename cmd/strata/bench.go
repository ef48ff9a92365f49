package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/cmd/strata/internal/benchmark"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/workspace"
)

// newBenchCommand returns the command bench, which measures retrieval on the user's data.
func newBenchCommand(a *app) *cobra.Command {
	cmd := benchmark.New(benchmark.Host{
		Out: a.out, Log: func() *slog.Logger { return a.log }, Home: a.home, Scratch: a.scratch,
		Open: func(ctx context.Context, home string) (*engine.Engine, error) {
			return a.openAt(ctx, home, workspace.Found{})
		},
	})
	cmd.GroupID = groupTry
	return cmd
}
