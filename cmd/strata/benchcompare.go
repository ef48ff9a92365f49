package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// shownChanges is how many questions a table lists for better and for worse.
const shownChanges = 10

// newBenchCompare compares two saved results.
func newBenchCompare(a *app) *cobra.Command {
	var o bench.CompareOptions
	limit := shownChanges
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Say question by question what got better and worse",
		Long: "A and B are names that --result of bench locomo or retrieval was given, of runs over the same data. For each\n" +
			"metric, over all questions and for each category of question, it prints both means, their difference and the\n" +
			"interval in which the difference lies with 95 % confidence: a paired percentile bootstrap over questions, the same\n" +
			"for the same seed. A star marks an interval that leaves zero out. Below are the questions that changed, with the\n" +
			"ranks of their evidence before and after (- is one that was not found).\n\n" +
			"The interval is over the questions of these data; questions of one conversation are not independent of each other,\n" +
			"so read a star as a sign, not as proof. latency-ms compares two moments of a machine as well as two programs.\n\n" +
			"Two directories that bench board wrote are compared collection by collection, in one table.",
		Example: "  strata bench compare bench/results/locomo-dev after\n" +
			"  # by another metric, every question\n" +
			"  strata bench compare before after --metric recall@5 --limit 0\n" +
			"  strata bench compare before after -o json",
		Args: exactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return strata.Invalid("", "--limit is negative", "use 0 for every question")
			}
			if areBoards(args[0], args[1]) {
				c, err := compareBoards(args[0], args[1], o)
				if err != nil {
					return err
				}
				if !a.out.ForPeople() {
					return a.print(c)
				}
				printBoardsComparison(a.out.Stdout, c)
				return nil
			}
			c, err := compareResults(args[0], args[1], o)
			if err != nil {
				return err
			}
			if !a.out.ForPeople() {
				return a.print(c)
			}
			printComparison(a.out.Stdout, c, limit)
			return nil
		},
		ValidArgsFunction: resultFiles,
	}
	cmd.Flags().IntVar(&o.Resamples, "resamples", bench.Resamples, "how many draws an interval is made of")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "where the draws begin")
	cmd.Flags().StringVar(&o.Metric, "metric", "recall@10", "by which questions count as better or worse: "+strings.Join(bench.Metrics(), ", "))
	cmd.Flags().IntVar(&limit, "limit", shownChanges, "list so many questions that got better, and as many that got worse; 0: all")
	register(cmd, "metric", fixed(bench.Metrics()))
	return cmd
}

// resultFiles offers the files of results.
func resultFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// compareResults loads two runs and compares them.
func compareResults(a, b string, o bench.CompareOptions) (bench.Comparison, error) {
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

// printComparison writes a comparison for people.
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

// ranks lists ranks from the best; those that were not found come last.
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
