package benchmark

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// boardOptions are the flags of bench board.
type boardOptions struct {
	data   []string
	result string // directory; empty: none
	run    string // directory; empty: none
}

// newBoard returns the command that scores several collections and compares them with
// plain BM25.
func newBoard(h Host) *cobra.Command {
	var o boardOptions
	cmd := &cobra.Command{
		Use:   "board --data PATH... [--result DIR]",
		Short: "Score several collections beside plain BM25",
		Long: "Each PATH is a LoCoMo file, a directory in the BEIR layout, or a directory that holds such directories. Missing\n" +
			"ones are named and left out. Every collection is asked as by bench locomo and retrieval, and again by plain BM25\n" +
			"(k1 1.2, b 0.75, stop words, Porter's stemmer). The table has both and what Strata gains; newest is the share of\n" +
			"queries for which a current document ranks before every superseded one. Below it is what scores lower than BM25:\n" +
			"a collection at any cut-off, a group of 40 questions or more by more than 5 points at 10.",
		Example: "  strata bench board --data locomo10.json --data collections --result before\n" +
			"  # again after a change, all collections compared\n" +
			"  strata bench board --data locomo10.json --data collections --result after\n" +
			"  strata bench compare before after",
		Args: cmdline.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return h.board(cmd, o) },
	}
	cmd.Flags().StringArrayVar(&o.data, "data", nil, "a collection, or a directory of collections; may be repeated")
	cmd.Flags().StringVar(&o.result, "result", "", "keep each run as COLLECTION.json and .jsonl in this directory: ids and figures, no text")
	cmd.Flags().StringVar(&o.run, "run", "", "write the answers as COLLECTION.trec, and those of BM25 as COLLECTION.bm25.trec, into this directory")
	_ = cmd.MarkFlagRequired("data")
	_ = cmd.MarkFlagFilename("data")
	_ = cmd.MarkFlagDirname("result")
	_ = cmd.MarkFlagDirname("run")
	return cmd
}

// boardReport is the output of bench board.
type boardReport struct {
	Embedder    string            `json:"embedder"`
	Collections []bench.BoardRow  `json:"collections"`
	Violations  []bench.Violation `json:"violations"`
	Absent      []string          `json:"absent,omitempty"`
	Result      string            `json:"result,omitempty"`
}

// board runs all collections that are available.
func (h Host) board(cmd *cobra.Command, o boardOptions) error {
	sources, absent, err := bench.FindSources(o.data)
	if err != nil {
		return err
	}
	if len(sources) == 0 {
		return &strata.Error{Code: strata.CodeNotFound, Op: "bench board", Message: "no collection is present: " + strings.Join(absent, ", "),
			Hint: "name a LoCoMo file or a directory in the BEIR layout with --data"}
	}
	for _, from := range sources {
		if err := spareInput(from, o.runFile(from, ".trec"), o.resultName(from)); err != nil {
			return err
		}
	}
	report := boardReport{Violations: []bench.Violation{}, Absent: absent, Result: o.result}
	for _, from := range sources {
		if err := h.addRow(cmd, o, from, &report); err != nil {
			return fmt.Errorf("%s: %w", from.Name(), err)
		}
	}
	if !h.Out.ForPeople() {
		return h.Out.Print(report)
	}
	printBoard(h.Out.Stdout, report)
	return nil
}

// resultName returns the name of a collection's result; empty if none is saved.
func (o boardOptions) resultName(from bench.Source) string {
	if o.result == "" {
		return ""
	}
	return filepath.Join(o.result, from.Name())
}

// runFile returns the path of a collection's run file; empty if none is written.
func (o boardOptions) runFile(from bench.Source, ending string) string {
	if o.run == "" {
		return ""
	}
	return filepath.Join(o.run, from.Name()+ending)
}

// addRow runs one collection, adds it to the report, and saves its result and run if
// wanted.
func (h Host) addRow(cmd *cobra.Command, o boardOptions, from bench.Source, report *boardReport) error {
	c, err := from.Read()
	if err != nil {
		return err
	}
	unit, err := c.Unit("")
	if err != nil {
		return err
	}
	got, err := h.ask(cmd.Context(), from.Name(), c, bench.Options{Depth: c.HitsNeeded(unit), Sessions: unit == bench.UnitSession})
	if err != nil {
		return err
	}
	answers, relevant := c.Judge(unit, got.answers)
	plain, _ := c.Judge(unit, bench.NewBM25(c.Documents).Ask(c.Queries))
	row := bench.BoardRow{
		Collection: from.Name(), Unit: unit, Documents: len(c.Documents),
		Strata: c.Score(unit, answers, relevant), BM25: c.Score(unit, plain, relevant),
	}
	report.Embedder = got.mem.Embedder()
	report.Collections = append(report.Collections, row)
	report.Violations = append(report.Violations, row.Violations()...)
	if o.run != "" {
		if err := os.MkdirAll(o.run, 0o755); err != nil {
			return fmt.Errorf("write run: %w", err)
		}
		if err := writeRun(cmd.Context(), o.runFile(from, ".trec"), answers); err != nil {
			return err
		}
		if err := writeRun(cmd.Context(), o.runFile(from, ".bm25.trec"), plain); err != nil {
			return err
		}
	}
	if o.result == "" {
		return nil
	}
	r := bench.NewResult(bench.KindRetrieval, commandLine(cmd))
	if r.Data, err = from.Hash(); err != nil {
		return err
	}
	r.Collection, r.Documents, r.Scores, r.BM25 = from.Form, row.Documents, &row.Strata, &row.BM25
	r.Settings = bench.Settings{Embedder: report.Embedder, Unit: unit}
	return r.Save(o.resultName(from), bench.Questions(answers, relevant))
}

// printBoard prints the board for people.
func printBoard(w io.Writer, r boardReport) {
	rows := make([]scoreRow, len(r.Collections))
	for i, c := range r.Collections {
		about := fmt.Sprintf("%d queries", c.Strata.Queries)
		if c.Unit == bench.UnitSession {
			about += "\nby session"
		}
		rows[i] = scoreRow{Name: c.Collection, About: about, A: c.BM25, B: c.Strata}
	}
	printTable(w, "BM25", "Strata", "gain", rows)
	printLeast(w, rows)
	if len(r.Violations) == 0 {
		fmt.Fprintln(w, "nothing lies below BM25")
	} else {
		fmt.Fprintf(w, "below BM25: %d\n", len(r.Violations))
	}
	for _, v := range r.Violations {
		what := v.Collection
		if v.Group != "" {
			what += ", " + v.Group
		}
		fmt.Fprintf(w, "  %-40.40s %5d queries  @%-2d %5.1f -> %5.1f  %+6.1f\n", terminal.Clean(what), v.Queries, v.Cutoff, percent(v.BM25, v.Queries), percent(v.Strata, v.Queries), 100*(v.Strata-v.BM25))
	}
	for _, path := range r.Absent {
		fmt.Fprintf(w, "absent: %s\n", terminal.Clean(path))
	}
	if r.Result != "" {
		fmt.Fprintf(w, "results kept in %s\n", r.Result)
	}
}
