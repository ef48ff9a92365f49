package benchmark

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// compareRuns loads two runs and compares them.
func compareRuns(a, b string, o bench.CompareOptions) (bench.Comparison, error) {
	var none bench.Comparison
	first, err := loadRetrieval(a)
	if err != nil {
		return none, err
	}
	second, err := loadRetrieval(b)
	if err != nil {
		return none, err
	}
	const hint = "compare two runs of the same data with the same --unit"
	switch {
	case first.Data.SHA256 != second.Data.SHA256:
		return none, strata.Invalid("compare runs", fmt.Sprintf("%s and %s are of different data", a, b), hint)
	case first.Settings.Unit != second.Settings.Unit:
		return none, strata.Invalid("compare runs", fmt.Sprintf("%s is by %s, %s by %s", a, first.Settings.Unit, b, second.Settings.Unit), hint)
	}
	before, err := bench.LoadQuestions(a)
	if err != nil {
		return none, err
	}
	after, err := bench.LoadQuestions(b)
	if err != nil {
		return none, err
	}
	c, err := bench.Compare(before, after, o)
	c.A, c.B = a, b
	return c, err
}

func loadRetrieval(name string) (bench.Result, error) {
	r, err := bench.LoadResult(name)
	if err == nil && r.Kind != bench.KindRetrieval {
		err = strata.Invalid("compare runs", name+" is a result of "+r.Kind, "compare results of bench locomo or retrieval")
	}
	return r, err
}

// printComparison prints a comparison for people.
func printComparison(w io.Writer, c bench.Comparison, limit int) {
	fmt.Fprintf(w, "%s, %d resamples, seed %d, %.0f %% confidence; * the interval leaves zero out\n", c.Method, c.Resamples, c.Seed, 100*c.Confidence)
	for _, g := range c.Groups {
		fmt.Fprintf(w, "\n%s, questions: %d\n", terminal.Clean(g.Group), g.Questions)
		fmt.Fprintf(w, "  %-10s %9s %9s %11s  %-22s %6s %6s\n", "", "A", "B", "difference", "interval", "better", "worse")
		for _, m := range g.Metrics {
			mark := " "
			if m.Clear() {
				mark = "*"
			}
			fmt.Fprintf(w, "  %-10s %9.4f %9.4f %+10.4f%s  %-22s %6d %6d\n", m.Metric, m.A, m.B, m.Difference, mark,
				fmt.Sprintf("%+.4f to %+.4f", m.Interval.Low, m.Interval.High), m.Better, m.Worse)
		}
	}
	printChanges(w, "better", c.Metric, c.Better, limit)
	printChanges(w, "worse", c.Metric, c.Worse, limit)
}

func printChanges(w io.Writer, which, metric string, changes []bench.QuestionChange, limit int) {
	fmt.Fprintf(w, "\n%s by %s: %d\n", which, metric, len(changes))
	shown := changes
	if limit > 0 {
		shown = changes[:min(limit, len(changes))]
	}
	for _, q := range shown {
		fmt.Fprintf(w, "  %-16s %-12s %.4f -> %.4f  ranks %s -> %s\n", terminal.Clean(q.ID), terminal.Clean(q.Group), q.A, q.B, ranks(q.RanksA), ranks(q.RanksB))
	}
	if left := len(changes) - len(shown); left > 0 {
		fmt.Fprintf(w, "  … %d more with --limit 0\n", left)
	}
}

// ranks lists ranks, best first; questions without a rank come last.
func ranks(list []int) string {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b int) int {
		switch {
		case a == b:
			return 0
		case a == 0 || b != 0 && b < a:
			return 1
		}
		return -1
	})
	words := make([]string, len(list))
	for i, n := range list {
		if words[i] = fmt.Sprint(n); n == 0 {
			words[i] = "-"
		}
	}
	return strings.Join(words, ",")
}
