package benchmark

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/cmdline"
)

// shownChanges is how many improved and how many worsened questions a table lists.
const shownChanges = 10

// newCompare returns the command that compares two saved results.
func newCompare(h Host) *cobra.Command {
	var o bench.CompareOptions
	limit := shownChanges
	cmd := &cobra.Command{
		Use:   "compare A B",
		Short: "Show question by question what got better and worse",
		Long: "A and B are names given to --result of bench locomo or retrieval, of runs over the same data. For each\n" +
			"metric, over all questions and for each category of question, it prints both means, their difference and the\n" +
			"interval in which the difference lies with 95 % confidence: a paired percentile bootstrap over questions, the same\n" +
			"for the same seed. A star marks an interval that leaves zero out. Below are the questions that changed, with the\n" +
			"ranks of their evidence before and after (- means not found).\n\n" +
			"The interval is over the questions of these data; questions of one conversation are not independent of each other,\n" +
			"so read a star as a sign, not as proof. latency-ms compares two moments of a machine as well as two programs.\n\n" +
			"Two directories that bench board wrote are compared collection by collection, in one table.",
		Example: "  strata bench compare bench/results/locomo-dev after\n" +
			"  # by another metric, every question\n" +
			"  strata bench compare before after --metric recall@5 --limit 0\n" +
			"  strata bench compare before after -o json",
		Args: cmdline.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if limit < 0 {
				return strata.Invalid("", "--limit is negative", "use 0 for every question")
			}
			if areBoards(args[0], args[1]) {
				c, err := compareBoards(args[0], args[1], o)
				if err != nil {
					return err
				}
				if !h.Out.ForPeople() {
					return h.Out.Print(c)
				}
				printBoards(h.Out.Stdout, c)
				return nil
			}
			c, err := compareRuns(args[0], args[1], o)
			if err != nil {
				return err
			}
			if !h.Out.ForPeople() {
				return h.Out.Print(c)
			}
			printComparison(h.Out.Stdout, c, limit)
			return nil
		},
		ValidArgsFunction: resultFiles,
	}
	cmd.Flags().IntVar(&o.Resamples, "resamples", bench.Resamples, "how many draws make an interval")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the draws")
	cmd.Flags().StringVar(&o.Metric, "metric", "recall@10", "metric that decides which questions are better or worse: "+strings.Join(bench.Metrics(), ", "))
	cmd.Flags().IntVar(&limit, "limit", shownChanges, "list this many questions that got better, and as many that got worse; 0: all")
	cmdline.Complete(cmd, "metric", cmdline.Fixed(bench.Metrics()))
	return cmd
}

// resultFiles offers result files for completion.
func resultFiles(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"json"}, cobra.ShellCompDirectiveFilterFileExt
}
