package benchmark

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/bench/year"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/diskfault"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
)

// yearOptions are the flags of bench year.
type yearOptions struct {
	sessions int
	seed     uint64
	report   string
	result   string
}

// newYear lives a simulated year with a memory.
func newYear(h Host) *cobra.Command {
	var o yearOptions
	cmd := &cobra.Command{
		Use:   "year [--sessions N] [--seed N] [--report FILE] [--result NAME]",
		Short: "Live a simulated year, and judge what memory made of it",
		Long: "Plays the conversations of one person over 365 days to a throw-away home, on a clock of its own: at home and in two\n" +
			"projects, with facts of many kinds that change, are corrected and end, plans that pass, standing rules, small talk,\n" +
			"tasks, pasted code and logs, words of others, and secrets. Facts are extracted by rules, whatever the settings say.\n" +
			"Then it counts what was kept and is found, what is past and still given as current, what is noise, which secrets are\n" +
			"on the disk, what of one project the other sees, and whether the prompt stays as long as it was. What extraction\n" +
			"missed is counted apart. --report writes a page with plots and examples of what went wrong.\n\n" +
			"A thousand sessions take some minutes.",
		Example: "  strata bench year --sessions 100\n" +
			"  strata bench year --sessions 1000 --seed 1 --report year.html --result year",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.year(cmd, o) },
	}
	cmd.Flags().IntVar(&o.sessions, "sessions", 1000, fmt.Sprintf("sessions in the year, %d to %d", year.MinSessions, year.MaxSessions))
	cmd.Flags().Uint64Var(&o.seed, "seed", bench.DefaultSeed, "the same seed makes the same year")
	cmd.Flags().StringVar(&o.report, "report", "", "write a page about it to this file, as HTML")
	resultFlag(cmd, &o.result, "keep the figures and examples as NAME.json")
	_ = cmd.MarkFlagFilename("report", "html")
	return cmd
}

// yearOutput is what bench year prints and keeps.
type yearOutput struct {
	bench.Result
	Year year.Result `json:"year"`
}

// year lives the year, prints what came of it and keeps it.
func (h Host) year(cmd *cobra.Command, o yearOptions) error {
	scratch, err := h.Scratch()
	if err != nil {
		return err
	}
	dir := filepath.Join(scratch, "year")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return diskfault.Explain(&strata.Error{Code: strata.CodeUnavailable, Op: "bench year", Message: "there is no room for a throw-away home",
			Hint: "see that TMPDIR names a directory that can be written", Err: err}, "")
	}
	p := h.Out.Progress("live")
	got, err := year.Run(cmd.Context(), year.Options{
		Dir: dir, Seed: o.seed, Sessions: o.sessions,
		Open: func(ctx context.Context, home string, workspaces map[string]string, now func() time.Time) (*engine.Engine, error) {
			return local.OpenWith(ctx, local.Options{Home: home, Workspaces: workspaces, Embedder: builtin.New(), Logger: h.Log(), Now: now})
		},
		Progress: func(done int) { p.Report(int64(done), int64(o.sessions)) },
	})
	p.Finish()
	if err != nil {
		return err
	}
	out := yearOutput{h.newResult(cmd, bench.KindYear), got}
	out.Data = bench.Data{Name: "year", Seed: o.seed}
	out.Settings = bench.Settings{Embedder: builtin.Model}
	if o.report != "" {
		page, err := got.Report()
		if err != nil {
			return err
		}
		if err := bench.WritePage(o.report, page); err != nil {
			return err
		}
	}
	if o.result != "" {
		if err := bench.WriteFigures(o.result, out); err != nil {
			return err
		}
	}
	if !h.Out.ForPeople() {
		return h.Out.Print(out)
	}
	return h.printYear(got, o)
}

// printYear writes the figures for people.
func (h Host) printYear(r year.Result, o yearOptions) error {
	w := h.Out.Stdout
	fmt.Fprintf(w, "%d sessions, %d turns, seed %d\n\n", r.Sessions, r.Figures.Turns, r.Seed)
	t := table.Table{Header: []string{"figure", "reached", "wanted"}}
	for _, line := range r.Headlines() {
		t.Add(line.Name, line.Value, line.Goal)
	}
	if err := t.Write(w, 0, h.Out.Style(w)); err != nil {
		return err
	}
	if o.report != "" {
		fmt.Fprintf(w, "\nreport written to %s\n", o.report)
	}
	h.printKept(o.result)
	return nil
}
