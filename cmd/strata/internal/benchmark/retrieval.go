package benchmark

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
)

// newRetrieval returns the command that scores a collection in the BEIR layout.
func newRetrieval(h Host) *cobra.Command {
	var dir string
	var o retrievalOptions
	cmd := &cobra.Command{
		Use:   "retrieval --dir DIR [--run FILE]",
		Short: "Score a collection in the BEIR layout",
		Long: "Reads corpus.jsonl, queries.jsonl, qrels/test.tsv and, if it exists, superseded.tsv below DIR. A row's metadata\n" +
			"may hold scope (a query searches only its own), session, seq, speaker, role and time: rows with a session are\n" +
			"turns of it, others are facts. A query's metadata may hold scope, group and asked_in, a session: that session and\n" +
			"later ones do not count as answers to it.",
		Example: "  strata bench retrieval --dir scifact --run scifact.trec\n" +
			"  # figures for each question, to compare with later\n" +
			"  strata bench retrieval --dir scifact --result results/scifact",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return h.retrieval(cmd, o, bench.Source{Form: bench.CollectionBEIR, Path: dir})
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "the directory of the collection")
	o.addTo(cmd)
	_ = cmd.MarkFlagRequired("dir")
	_ = cmd.MarkFlagDirname("dir")
	return cmd
}

// newLoCoMo returns the command that scores the conversations of LoCoMo.
func newLoCoMo(h Host) *cobra.Command {
	var data string
	var plain bool
	var o retrievalOptions
	cmd := &cobra.Command{
		Use:   "locomo --data FILE [--plain] [--run FILE]",
		Short: "Score the LoCoMo conversations",
		Long:  "Reads LoCoMo's JSON. Each conversation is a scope of its own; a document is <sample_id>/<dia_id>.",
		Example: "  strata bench locomo --data locomo10.json --run locomo.trec\n" +
			"  # sessions instead of turns, with figures for each question\n" +
			"  strata bench locomo --data locomo10.json --unit session --result results/sessions",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return h.retrieval(cmd, o, bench.Source{Form: bench.CollectionLoCoMo, Path: data, Plain: plain})
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the JSON file of the conversations")
	cmd.Flags().BoolVar(&plain, "plain", false, "without the words that shared images were searched with, which nobody in the conversation knew")
	o.addTo(cmd)
	_ = cmd.MarkFlagRequired("data")
	_ = cmd.MarkFlagFilename("data", "json")
	return cmd
}

// retrievalOptions are the flags common to retrieval benchmarks.
type retrievalOptions struct {
	run    string // file for the TREC run; empty: none
	result string // name of the result; empty: none
	unit   string // what is ranked and judged
	flat   bool   // without the tiers
}

func (o *retrievalOptions) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.run, "run", "", "write the answers to this file in TREC's run format")
	resultFlag(cmd, &o.result, "keep the run as NAME.json, and figures for each question as NAME.jsonl: ids and figures, no text")
	cmd.Flags().StringVar(&o.unit, "unit", "", "what is ranked and judged: turn, or session, which ranks where its best turn does (default: what the judgments name)")
	cmd.Flags().BoolVar(&o.flat, "flat", false, "search without the tiers of categories and sessions, for comparison")
	_ = cmd.MarkFlagFilename("run", "trec")
	cmdline.Complete(cmd, "unit", cmdline.Fixed([]string{string(bench.UnitDocument), string(bench.UnitSession)}))
}

// retrievalReport is the output of a retrieval benchmark.
type retrievalReport struct {
	Documents int           `json:"documents"`
	Queries   int           `json:"queries"`
	Embedder  string        `json:"embedder"`
	Unit      bench.Unit    `json:"unit"`
	Skipped   int           `json:"skipped,omitempty"` // number of empty documents
	Ingest    time.Duration `json:"ingest_ns"`
	Scores    bench.Scores  `json:"scores"`
	Run       string        `json:"run,omitempty"`
	Result    string        `json:"result,omitempty"`
}

// retrieval reads and ingests a collection, runs its queries, writes the run and scores
// it.
func (h Host) retrieval(cmd *cobra.Command, o retrievalOptions, from bench.Source) error {
	ctx := cmd.Context()
	if err := spareInput(from, o.run, o.result); err != nil {
		return err
	}
	c, err := from.Read()
	if err != nil {
		return err
	}
	unit, err := c.Unit(bench.Unit(o.unit))
	if err != nil {
		return err
	}
	got, err := h.ask(ctx, "", c, bench.Options{Flat: o.flat, Depth: c.HitsNeeded(unit), Sessions: unit == bench.UnitSession})
	if err != nil {
		return err
	}
	answers, relevant := c.Judge(unit, got.answers)
	report := retrievalReport{
		Documents: len(c.Documents), Queries: len(c.Queries), Embedder: got.mem.Embedder(), Unit: unit,
		Skipped: got.skipped, Ingest: got.ingest, Scores: c.Score(unit, answers, relevant), Run: o.run, Result: o.result,
	}
	if o.run != "" {
		if err := writeRun(ctx, o.run, answers); err != nil {
			return err
		}
	}
	if o.result != "" {
		if err := h.saveRetrieval(cmd, report, o, from, bench.Questions(answers, relevant)); err != nil {
			return err
		}
	}
	return h.printRetrieval(report)
}

// saveRetrieval saves a result: the scores, and how they were measured.
func (h Host) saveRetrieval(cmd *cobra.Command, report retrievalReport, o retrievalOptions, from bench.Source, questions []bench.Question) error {
	data, err := from.Hash()
	if err != nil {
		return err
	}
	r := bench.NewResult(bench.KindRetrieval, commandLine(cmd))
	r.Data, r.Collection, r.Documents, r.Scores = data, from.Form, report.Documents, &report.Scores
	r.Settings = bench.Settings{Embedder: report.Embedder, Unit: report.Unit, Flat: o.flat}
	return r.Save(o.result, questions)
}

// printRetrieval prints the report for people.
func (h Host) printRetrieval(r retrievalReport) error {
	if !h.Out.ForPeople() {
		return h.Out.Print(r)
	}
	w := h.Out.Stdout
	fmt.Fprintf(w, "%d documents in %s (%.0f a second), %d queries, %d of them judged, embedder %s",
		r.Documents, r.Ingest.Round(time.Millisecond), float64(r.Documents)/r.Ingest.Seconds(), r.Queries, r.Scores.Queries, r.Embedder)
	if r.Unit == bench.UnitSession {
		fmt.Fprint(w, ", by session")
	}
	fmt.Fprint(w, "\n\n")
	printScores(w, r.Scores)
	if r.Run != "" {
		fmt.Fprintf(w, "\nrun written to %s\n", r.Run)
	}
	h.printKept(r.Result)
	return nil
}

// printScores prints scores and latencies for people.
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
