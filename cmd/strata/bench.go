package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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
		Long: "retrieval and locomo ingest a collection into a throw-away home through the engine, ask its queries, write the\n" +
			"answers as a TREC run file and print recall, nDCG@10, MRR and latencies. scale measures speed and size over the\n" +
			"number of facts. compare sets what they keep with --result question against question.",
		Example: "  strata bench locomo --data locomo10.json --result after\n" +
			"  strata bench compare before after\n" +
			"  strata bench scale --facts 1000,10000 --result scale",
		Args: noSubcommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newBenchRetrieval(a), newBenchLoCoMo(a), newBenchCompare(a), newBenchScale(a), newBenchMeasure(a))
	return cmd
}

func newBenchRetrieval(a *app) *cobra.Command {
	var dir string
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "retrieval --dir DIR [--run FILE]",
		Short: "Score a collection in the BEIR layout",
		Long: "Reads corpus.jsonl, queries.jsonl and qrels/test.tsv below DIR. A row's metadata may hold scope (a query searches\n" +
			"only its own), session, seq, speaker and time: rows with a session are turns of it, others are facts.",
		Example: "  strata bench retrieval --dir scifact --run scifact.trec\n" +
			"  # figures for each question, to compare with later\n" +
			"  strata bench retrieval --dir scifact --result results/scifact",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.bench(cmd, o, source{bench.CollectionBEIR, dir, bench.ReadBEIR, bench.HashBEIR})
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
		Use:   "locomo --data FILE [--run FILE]",
		Short: "Score the LoCoMo conversations",
		Long:  "Reads LoCoMo's JSON. Each conversation is a scope of its own; a document is <sample_id>/<dia_id>.",
		Example: "  strata bench locomo --data locomo10.json --run locomo.trec\n" +
			"  # sessions instead of turns, with figures for each question\n" +
			"  strata bench locomo --data locomo10.json --unit session --result results/sessions",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.bench(cmd, o, source{bench.CollectionLoCoMo, data, bench.ReadLoCoMo, bench.HashLoCoMo})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the JSON file of the conversations")
	o.addTo(cmd)
	_ = cmd.MarkFlagRequired("data")
	_ = cmd.MarkFlagFilename("data", "json")
	return cmd
}

// source is where a collection comes from.
type source struct {
	form string // locomo or beir
	path string
	read func(path string) (bench.Collection, error)
	hash func(path string) (bench.Data, error)
}

// benchOptions are the flags of every benchmark of retrieval.
type benchOptions struct {
	run     string  // file for the TREC run; empty: none
	result  string  // name of the result; empty: none
	unit    string  // what is ranked and judged
	flat    bool    // without the tiers
	asFacts bool    // turns as facts
	floor   float64 // least recall@10
}

func (o *benchOptions) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.run, "run", "", "write the answers to this file in TREC's run format")
	cmd.Flags().StringVar(&o.result, "result", "", "keep the run as NAME.json, and figures for each question as NAME.jsonl: ids and figures, no text")
	cmd.Flags().StringVar(&o.unit, "unit", string(bench.UnitDocument), "what is ranked and judged: turn, or session, which ranks where its best turn does")
	cmd.Flags().BoolVar(&o.flat, "flat", false, "search without the tiers of categories and sessions, for comparison")
	cmd.Flags().BoolVar(&o.asFacts, "as-facts", false, "save turns as facts, and report the categories they end in")
	cmd.Flags().Float64Var(&o.floor, "floor", 0, "fail if recall@10 is below this")
	_ = cmd.MarkFlagFilename("run", "trec")
	_ = cmd.MarkFlagFilename("result", "json")
	register(cmd, "unit", fixed([]string{string(bench.UnitDocument), string(bench.UnitSession)}))
}

// benchReport is what a benchmark prints.
type benchReport struct {
	Documents  int                   `json:"documents"`
	Queries    int                   `json:"queries"`
	Embedder   string                `json:"embedder"`
	Unit       bench.Unit            `json:"unit"`
	Ingest     time.Duration         `json:"ingest_ns"`
	Scores     bench.Scores          `json:"scores"`
	Categories *bench.CategoryScores `json:"categories,omitempty"`
	Run        string                `json:"run,omitempty"`
	Result     string                `json:"result,omitempty"`
}

// bench reads, ingests, asks, writes and scores.
func (a *app) bench(cmd *cobra.Command, o benchOptions, from source) error {
	ctx, unit := cmd.Context(), bench.Unit(o.unit)
	if err := unit.Validate(); err != nil {
		return err
	}
	c, err := from.read(from.path)
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
	documents := c.Documents // with their sessions
	if o.asFacts {
		c = bench.AsFacts(c)
	}
	report := benchReport{
		Documents: len(c.Documents), Queries: len(c.Queries), Embedder: mem.Embedder(), Unit: unit, Run: o.run, Result: o.result,
	}

	begin := time.Now()
	p := a.out.Progress("ingest")
	names, err := bench.Ingest(ctx, mem, c.Documents, func(done int) { p.Report(int64(done), int64(len(c.Documents))) })
	p.Finish()
	if err != nil {
		return err
	}
	report.Ingest = time.Since(begin)

	p = a.out.Progress("ask")
	answers, err := bench.Ask(ctx, mem, c.Queries, names, bench.Options{
		Flat: o.flat, Progress: func(done int) { p.Report(int64(done), int64(len(c.Queries))) },
	})
	p.Finish()
	if err != nil {
		return err
	}
	relevant := c.Relevant
	if unit == bench.UnitSession {
		answers, relevant = bench.Sessions(documents, answers, relevant)
	}
	report.Scores = bench.Score(answers, relevant)
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
	if o.result != "" {
		if err := saveRetrieval(cmd, report, o, from, bench.Questions(answers, relevant)); err != nil {
			return err
		}
	}
	if err := a.printBench(report); err != nil {
		return err
	}
	if got := report.Scores.Recall[1]; got < o.floor {
		return &strata.Error{Code: strata.CodeInternal, Op: "bench", Message: fmt.Sprintf("recall@10 is %.4f, the floor is %.4f", got, o.floor),
			Hint: "compare the run with that of an earlier version: strata bench compare"}
	}
	return nil
}

// saveRetrieval writes a result: the scores, and what they were measured with.
func saveRetrieval(cmd *cobra.Command, report benchReport, o benchOptions, from source, questions []bench.Question) error {
	data, err := from.hash(from.path)
	if err != nil {
		return err
	}
	r := newResult(cmd, bench.KindRetrieval)
	r.Data, r.Collection, r.Documents, r.Scores = data, from.form, report.Documents, &report.Scores
	r.Settings = bench.Settings{Embedder: report.Embedder, Unit: report.Unit, Flat: o.flat, AsFacts: o.asFacts}
	return r.Save(o.result, questions)
}

// newResult is a result of this program on this machine, made now.
func newResult(cmd *cobra.Command, kind string) bench.Result {
	version := buildVersion()
	return bench.Result{
		Kind: kind, Command: benchCommandLine(cmd), MadeAt: time.Now().UTC().Truncate(time.Second),
		Commit: version.Commit, Changed: version.Dirty, Machine: bench.ThisMachine(),
	}
}

// benchCommandLine repeats a command with the flags that were set. Of a path
// only the last part is named: where data lie is nobody's business.
func benchCommandLine(cmd *cobra.Command) string {
	line := cmd.CommandPath()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case cmd.InheritedFlags().Lookup(f.Name) != nil:
			return // of every command
		case f.Name == "run" || f.Name == "result" || f.Name == "keep":
			return // where figures go
		}
		value := strings.Trim(f.Value.String(), "[]")
		if f.Name == "data" || f.Name == "dir" {
			value = filepath.Base(value)
		}
		if line += " --" + f.Name; value != "true" {
			line += " " + shellQuote(value)
		}
	})
	return line
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
	if !a.out.ForPeople() {
		return a.print(r)
	}
	w := a.out.Stdout
	fmt.Fprintf(w, "%d documents in %s (%.0f a second), %d queries, %d of them judged, embedder %s",
		r.Documents, r.Ingest.Round(time.Millisecond), float64(r.Documents)/r.Ingest.Seconds(), r.Queries, r.Scores.Queries, r.Embedder)
	if r.Unit == bench.UnitSession {
		fmt.Fprint(w, ", by session")
	}
	fmt.Fprint(w, "\n\n")
	printScores(w, r.Scores)
	if c := r.Categories; c != nil {
		fmt.Fprintf(w, "\ncategories: %s a scope, the largest holds %.1f%%; all evidence in the three nearest for %.1f%% of the queries\n",
			c.Range(), 100*c.Largest, 100*c.InNearest)
	}
	if r.Run != "" {
		fmt.Fprintf(w, "\nrun written to %s\n", r.Run)
	}
	if r.Result != "" {
		fmt.Fprintf(w, "\nresult kept as %s\n", r.Result)
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
