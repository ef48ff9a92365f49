package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/config"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store/sqlite"
)

// newBenchMeasure is the part of bench scale that runs in a process of its own.
// Nobody else needs it, so it is not listed.
func newBenchMeasure(a *app) *cobra.Command {
	probe := bench.Probe{Corpus: bench.Corpus{Seed: scaleSeed}}
	cmd := &cobra.Command{
		Use:    "measure --home DIR --facts N --questions N",
		Short:  "Measure a home that bench scale filled",
		Long:   "Opens a home that bench scale filled and asks questions. bench scale runs it as a process of its own.",
		Hidden: true,
		Args:   noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if probe.Facts < 1 || probe.Questions < 0 {
				return strata.Invalid("", "there is nothing to measure", "run strata bench scale")
			}
			point, err := a.benchMeasure(cmd.Context(), probe)
			if err != nil {
				return err
			}
			return a.print(point)
		},
	}
	cmd.Flags().IntVar(&probe.Facts, "facts", 0, "how many facts the home holds")
	cmd.Flags().IntVar(&probe.Scopes, "scopes", 1, "how many scopes they are in")
	cmd.Flags().IntVar(&probe.Questions, "questions", 0, "questions to ask; 0: only open it")
	return cmd
}

// benchMeasure opens the home and asks.
func (a *app) benchMeasure(ctx context.Context, probe bench.Probe) (point bench.Point, err error) {
	home := a.cfg.Get(config.Home)
	begin := time.Now()
	mem, err := local.OpenWith(ctx, local.Options{Home: home, Embedder: builtin.New(), LeaveUnrecorded: true, Logger: a.log})
	if err != nil {
		return bench.Point{}, err
	}
	opened := time.Since(begin)
	defer func() { err = errors.Join(err, mem.Close()) }()
	if probe.Questions == 0 {
		return bench.Point{Facts: probe.Facts, Open: opened}, nil
	}
	// The parts alone are asked of the same database through a store of their
	// own. It holds nothing in memory until it is asked.
	db, err := sqlite.Open(ctx, local.Database(home), &sqlite.Options{ReadOnly: true})
	if err != nil {
		return bench.Point{}, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	probe.Store, probe.Embedder = db, builtin.New()
	point, err = probe.Measure(ctx, mem)
	point.Open = opened
	return point, err
}
