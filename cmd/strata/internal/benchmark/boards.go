package benchmark

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
)

// boards is a comparison of two directories of results.
type boards struct {
	A           string             `json:"a"`
	B           string             `json:"b"`
	Collections []sharedCollection `json:"collections"`
	OnlyA       []string           `json:"only_a,omitempty"`
	OnlyB       []string           `json:"only_b,omitempty"`
}

// sharedCollection is a collection with a result in both directories.
type sharedCollection struct {
	Collection string           `json:"collection"`
	ScoresA    bench.Scores     `json:"scores_a"`
	ScoresB    bench.Scores     `json:"scores_b"`
	Comparison bench.Comparison `json:"comparison"`
}

// areBoards reports whether two names are directories of results.
func areBoards(a, b string) bool {
	for _, name := range []string{a, b} {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// compareBoards compares the collections that two directories have in common.
func compareBoards(a, b string, o bench.CompareOptions) (boards, error) {
	out := boards{A: a, B: b}
	first, err := retrievalsIn(a)
	if err != nil {
		return out, err
	}
	second, err := retrievalsIn(b)
	if err != nil {
		return out, err
	}
	for _, name := range first {
		if !slices.Contains(second, name) {
			out.OnlyA = append(out.OnlyA, name)
			continue
		}
		c, err := compareCollection(name, filepath.Join(a, name), filepath.Join(b, name), o)
		if err != nil {
			return out, err
		}
		out.Collections = append(out.Collections, c)
	}
	for _, name := range second {
		if !slices.Contains(first, name) {
			out.OnlyB = append(out.OnlyB, name)
		}
	}
	if len(out.Collections) == 0 {
		return out, strata.Invalid("compare runs", fmt.Sprintf("%s and %s have no collection in common", a, b), "name two directories that bench board --result wrote")
	}
	return out, nil
}

func compareCollection(name, a, b string, o bench.CompareOptions) (sharedCollection, error) {
	out := sharedCollection{Collection: name}
	first, err := loadRetrieval(a)
	if err != nil {
		return out, err
	}
	second, err := loadRetrieval(b)
	if err != nil {
		return out, err
	}
	out.ScoresA, out.ScoresB = *first.Scores, *second.Scores
	out.Comparison, err = compareRuns(a, b, o)
	return out, err
}

// retrievalsIn lists the names of the retrieval results in a directory.
func retrievalsIn(dir string) ([]string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read results in %s: %w", dir, err)
	}
	var out []string
	for _, file := range files {
		if name, ok := strings.CutSuffix(file.Name(), ".jsonl"); ok {
			out = append(out, name)
		}
	}
	return out, nil
}

// printBoards prints a comparison of boards for people: a table, and the groups of each
// collection that differ clearly.
func printBoards(w io.Writer, c boards) {
	rows := make([]scoreRow, len(c.Collections))
	for i, col := range c.Collections {
		rows[i] = scoreRow{Name: col.Collection, About: fmt.Sprintf("%d queries", col.ScoresA.Queries), A: col.ScoresA, B: col.ScoresB, Clear: make(map[string]bool)}
		for _, m := range col.Comparison.Groups[0].Metrics {
			rows[i].Clear[m.Metric] = m.Clear()
		}
	}
	printTable(w, "A", "B", "B - A", rows)
	printLeast(w, rows)
	fmt.Fprintln(w, "* the 95 % interval leaves zero out: see strata bench compare of one collection")
	for _, col := range c.Collections {
		for _, g := range col.Comparison.Groups[1:] {
			at := slices.IndexFunc(g.Metrics, func(m bench.MetricDifference) bool { return m.Metric == col.Comparison.Metric })
			if m := g.Metrics[at]; m.Clear() {
				fmt.Fprintf(w, "  %-36.36s %4d queries  %s %.4f -> %.4f\n", terminal.Clean(col.Collection+", "+g.Group), g.Questions, m.Metric, m.A, m.B)
			}
		}
	}
	for _, only := range []struct {
		dir   string
		names []string
	}{{c.A, c.OnlyA}, {c.B, c.OnlyB}} {
		if len(only.names) > 0 {
			fmt.Fprintf(w, "only in %s: %s\n", terminal.Clean(only.dir), terminal.Clean(strings.Join(only.names, ", ")))
		}
	}
}
