package benchmark

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// scoreRow compares two runs of one collection.
type scoreRow struct {
	Name, About string // About is shown below the name
	A, B        bench.Scores
	// Clear holds the names of the figures with a clear difference.
	Clear map[string]bool
}

// printTable prints three lines for each collection, in percent: the scores of a, those
// of b, and the difference. A line has at most 80 characters.
func printTable(w io.Writer, a, b, difference string, rows []scoreRow) {
	figures := []string{"recall@5", "recall@10", "recall@25", "recall@50", "nDCG@10"}
	widths := []int{9, 9, 9, 9, 8, 6}
	fmt.Fprintf(w, "%23s ", "")
	for i, figure := range append(slices.Clone(figures), "newest") {
		fmt.Fprintf(w, " %*s", widths[i], figure)
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		about := strings.Split(r.About, "\n")
		about = append(about, "", "")
		left := [3]string{r.Name, about[0], about[1]}
		first, second := columns(r.A), columns(r.B)
		for line, label := range []string{a, b, difference} {
			text := fmt.Sprintf("%-16.16s %6s ", terminal.Clean(left[line]), label)
			for i := range first {
				text += fmt.Sprintf(" %*s", widths[i], cell(line, first[i], second[i], i < len(figures) && r.Clear[figures[i]]))
			}
			fmt.Fprintln(w, strings.TrimRight(text, " "))
		}
		fmt.Fprintln(w)
	}
}

// columns returns the figures of a line in the order of [printTable], in percent; -1 for
// a missing one.
func columns(s bench.Scores) [6]float64 {
	out := [6]float64{5: -1}
	for i, mean := range append(s.Recall[:], s.NDCG10) {
		out[i] = percent(mean, s.Queries)
	}
	if s.Newest != nil {
		out[5] = percent(s.Newest.First, s.Newest.Queries)
	}
	return out
}

// cell formats one figure: that of the first run, of the second, or their difference,
// with a star if it is clear.
func cell(line int, a, b float64, isClear bool) string {
	switch {
	case a < 0 || b < 0:
		return ""
	case line == 0:
		return fmt.Sprintf("%.1f", a)
	case line == 1:
		return fmt.Sprintf("%.1f", b)
	case isClear:
		return fmt.Sprintf("%+.1f*", b-a)
	default:
		return fmt.Sprintf("%+.1f", b-a)
	}
}

// percent converts a mean over n queries to percent, by way of the sum: half a digit is
// then rounded as by any scorer that adds up and divides once.
func percent(mean float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return 100 * (mean * float64(n)) / float64(n)
}

// printLeast prints the difference of the collection with the smallest gain in recall@10,
// and the mean difference.
func printLeast(w io.Writer, rows []scoreRow) {
	if len(rows) == 0 {
		return
	}
	least, sum := 0, 0.0
	gain := func(i int) float64 { return 100 * (rows[i].B.Recall[1] - rows[i].A.Recall[1]) }
	for i := range rows {
		sum += gain(i)
		if gain(i) < gain(least) {
			least = i
		}
	}
	fmt.Fprintf(w, "recall@10: least %+.1f (%s), mean %+.1f\n", gain(least), terminal.Clean(rows[least].Name), sum/float64(len(rows)))
}
