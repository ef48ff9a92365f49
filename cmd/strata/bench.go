package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/workspace"
)

// newBenchCommand measures retrieval on data the user has.
func newBenchCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "bench",
		GroupID: groupTry,
		Short:   "Measure how well and how fast memory is found",
		Long: "Ingests a collection into a throw-away home through the engine, asks its queries, writes the answers as a\n" +
			"TREC run file and prints recall, nDCG@10, MRR and latencies.",
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchRetrieval(a), newBenchLoCoMo(a))
	return cmd
}

// noSubcommand rejects words that are no subcommand.
func noSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	return nil
}

func newBenchRetrieval(a *app) *cobra.Command {
	var dir string
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "retrieval --dir DIR [--run FILE]",
		Short: "Score a collection in the BEIR layout",
		Long: "Reads corpus.jsonl, queries.jsonl and qrels/test.tsv below DIR. A row's metadata may hold scope (a query searches\n" +
			"only its own), session, seq, speaker and time: rows with a session are turns of it, others are facts.",
		Example: "  strata bench retrieval --dir scifact --run scifact.trec",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.bench(cmd.Context(), o, func() (bench.Collection, error) { return bench.ReadBEIR(dir) })
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the directory of the collection")
	o.addTo(cmd)
	_ = cmd.MarkFlagRequired("dir")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

func newBenchLoCoMo(a *app) *cobra.Command {
	var data string
	var o benchOptions
	cmd := &cobra.Command{
		Use:     "locomo --data FILE [--run FILE]",
		Short:   "Score the LoCoMo conversations",
		Long:    "Reads LoCoMo's JSON. Each conversation is a scope of its own; a document is <sample_id>/<dia_id>.",
		Example: "  strata bench locomo --data locomo10.json --run locomo.trec",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.bench(cmd.Context(), o, func() (bench.Collection, error) { return bench.ReadLoCoMo(data) })
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the JSON file of the conversations")
	o.addTo(cmd)
	_ = cmd.MarkFlagRequired("data")
	_ = cmd.MarkFlagFilename("data", "json")
	return cmd
}

// benchOptions are the flags of every benchmark.
type benchOptions struct {
	run     string  // file for the TREC run; empty: none
	flat    bool    // without the tiers
	asFacts bool    // turns as facts
	floor   float64 // least recall@10
}

func (o *benchOptions) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.run, "run", "", "write the answers to this file in TREC's run format")
	cmd.Flags().BoolVar(&o.flat, "flat", false, "search without the tiers of categories and sessions, for comparison")
	cmd.Flags().BoolVar(&o.asFacts, "as-facts", false, "save turns as facts, and report the categories they end in")
	cmd.Flags().Float64Var(&o.floor, "floor", 0, "fail if recall@10 is below this")
	_ = cmd.MarkFlagFilename("run", "trec")
}

// benchReport is what a benchmark prints.
type benchReport struct {
	Documents  int                   `json:"documents"`
	Queries    int                   `json:"queries"`
	Embedder   string                `json:"embedder"`
	Ingest     time.Duration         `json:"ingest_ns"`
	Scores     bench.Scores          `json:"scores"`
	Categories *bench.CategoryScores `json:"categories,omitempty"`
	Run        string                `json:"run,omitempty"`
}

// bench reads, ingests, asks, writes and scores.
func (a *app) bench(ctx context.Context, o benchOptions, read func() (bench.Collection, error)) error {
	c, err := read()
	if err != nil {
		return err
	}
	if a.temp == nil { // a benchmark never touches a real home
		if err := a.makeEphemeral(); err != nil {
			return err
		}
	}
	mem, err := a.openAt(ctx, a.temp.Home, workspace.Found{})
	if err != nil {
		return err
	}
	if o.asFacts {
		c = bench.AsFacts(c)
	}
	report := benchReport{Documents: len(c.Documents), Queries: len(c.Queries), Embedder: mem.Embedder(), Run: o.run}

	begin := time.Now()
	p := a.newProgress("ingest")
	names, err := bench.Ingest(ctx, mem, c.Documents, func(done int) { p.report(int64(done), int64(len(c.Documents))) })
	p.finish()
	if err != nil {
		return err
	}
	report.Ingest = time.Since(begin)

	p = a.newProgress("ask")
	answers, err := bench.Ask(ctx, mem, c.Queries, names, bench.Options{
		Flat: o.flat, Progress: func(done int) { p.report(int64(done), int64(len(c.Queries))) },
	})
	p.finish()
	if err != nil {
		return err
	}
	report.Scores = bench.Score(answers, c.Relevant)
	if o.asFacts {
		if report.Categories, err = bench.ScoreCategories(ctx, mem, c, names); err != nil {
			return err
		}
	}
	if o.run != "" {
		if err := writeRun(o.run, answers); err != nil {
			return err
		}
	}
	if err := a.printBench(report); err != nil {
		return err
	}
	if got := report.Scores.Recall[1]; got < o.floor {
		return &strata.Error{Code: strata.CodeInternal, Op: "bench", Message: fmt.Sprintf("recall@10 is %.4f, the floor is %.4f", got, o.floor),
			Hint: "compare the run file with that of an earlier version"}
	}
	return nil
}

func writeRun(path string, answers []bench.Answer) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return &strata.Error{Code: strata.CodeInvalid, Op: "write run", Message: "cannot write " + path,
			Hint: "name a file in a directory that can be written", Err: err}
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return bench.WriteRun(f, answers)
}

func (a *app) printBench(r benchReport) error {
	if a.format != formatTable {
		return a.print(r)
	}
	w := a.stdout
	fmt.Fprintf(w, "%d documents in %s (%.0f a second), %d queries, %d of them judged, embedder %s\n\n",
		r.Documents, r.Ingest.Round(time.Millisecond), float64(r.Documents)/r.Ingest.Seconds(), r.Queries, r.Scores.Queries, r.Embedder)
	printScores(w, r.Scores)
	if c := r.Categories; c != nil {
		fmt.Fprintf(w, "\ncategories: %s a scope, the largest holds %.1f%%; all evidence in the three nearest for %.1f%% of the queries\n",
			c.Range(), 100*c.Largest, 100*c.InNearest)
	}
	if r.Run != "" {
		fmt.Fprintf(w, "\nrun written to %s\n", r.Run)
	}
	return nil
}

func printScores(w io.Writer, s bench.Scores) {
	fmt.Fprintf(w, "%-14s %8s", "", "queries")
	for _, k := range bench.Cutoffs {
		fmt.Fprintf(w, " %9s", fmt.Sprintf("recall@%d", k))
	}
	fmt.Fprintf(w, " %9s %9s\n%-14s %8d", "nDCG@10", "MRR", "all", s.Queries)
	for _, r := range s.Recall {
		fmt.Fprintf(w, " %9.4f", r)
	}
	fmt.Fprintf(w, " %9.4f %9.4f\n", s.NDCG10, s.MRR)
	var groups []string
	for name := range s.Groups {
		groups = append(groups, name)
	}
	slices.Sort(groups)
	for _, name := range groups {
		g := s.Groups[name]
		fmt.Fprintf(w, "%-14s %8d", name, g.Queries)
		for _, r := range g.Recall {
			fmt.Fprintf(w, " %9.4f", r)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "\nlatency, embedding included: p50 %s  p95 %s  p99 %s\n",
		s.P50.Round(time.Microsecond), s.P95.Round(time.Microsecond), s.P99.Round(time.Microsecond))
}
