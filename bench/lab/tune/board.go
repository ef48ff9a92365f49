package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata/bench"
)

// board scores settings on several collections, none of which may suffer.
type board []*evaluation

// openBoard ingests each collection into a home of its own below dir and calls
// use while all are open.
func openBoard(ctx context.Context, dir string, o options, from []bench.Source, use func(board) error) error {
	return openNext(ctx, dir, o, from, nil, use)
}

// openNext opens the first remaining source, then the others recursively.
func openNext(ctx context.Context, dir string, o options, from []bench.Source, open board, use func(board) error) error {
	if len(from) == 0 {
		return use(open)
	}
	c, err := from[0].Read()
	if err != nil {
		return err
	}
	if o.join {
		c = joined(c)
	}
	c.Queries = spread(c, o.most)
	name := from[0].Name()
	return openEvaluation(ctx, filepath.Join(dir, name), name, c, o.newEmbedder(c), o.base, func(e *evaluation) error {
		return openNext(ctx, dir, o, from[1:], append(open, e), use)
	})
}

// spread returns at most n of the judged queries, evenly spread; 0 means all.
func spread(c bench.Collection, n int) []bench.Query {
	judged := slices.DeleteFunc(slices.Clone(c.Queries), func(q bench.Query) bool { return len(c.Relevant[q.ID]) == 0 })
	if n == 0 || len(judged) <= n {
		return judged
	}
	out := make([]bench.Query, n)
	for i := range out {
		out[i] = judged[i*len(judged)/n]
	}
	return out
}

// ten is the index of 10 in bench.Cutoffs.
const ten = 1

// merit is the criterion for settings: the gain over BM25 in recall@10 on the collection
// where it is smallest, then the mean gain.
type merit struct{ least, mean float64 }

func (m merit) compare(o merit) int {
	return cmp.Or(cmp.Compare(m.least, o.least), cmp.Compare(m.mean, o.mean))
}

// merit scores settings on all collections but one; nil excludes none.
func (b board) merit(ctx context.Context, s setting, without *evaluation) (merit, error) {
	var gains []float64
	for _, e := range b {
		if e == without {
			continue
		}
		rs, err := e.score(ctx, s)
		if err != nil {
			return merit{}, err
		}
		gains = append(gains, mean(rs).turns[ten]-e.plain.turns[ten])
	}
	return meritOf(gains), nil
}

func meritOf(gains []float64) merit {
	m := merit{least: gains[0]}
	for _, g := range gains {
		m.least = min(m.least, g)
		m.mean += g / float64(len(gains))
	}
	return m
}

// printHead prints the column names of printRow, and the row of BM25.
func (b board) printHead() {
	names, plain := make([]string, len(b)), make([]string, len(b))
	for i, e := range b {
		names[i] = fmt.Sprintf("%10.10s", e.name)
		plain[i] = fmt.Sprintf("%10.2f", 100*e.plain.turns[ten])
	}
	fmt.Printf("%-32s %s %10s %10s\n", "recall@10", strings.Join(names, " "), "least gain", "mean gain")
	fmt.Printf("%-32s %s\n", "BM25", strings.Join(plain, " "))
}

// printRow prints recall@10 on each collection, and the gain over BM25.
func (b board) printRow(name string, of []result) {
	var gains []float64
	var cells []string
	for i, e := range b {
		cells = append(cells, fmt.Sprintf("%10.2f", 100*of[i].turns[ten]))
		gains = append(gains, of[i].turns[ten]-e.plain.turns[ten])
	}
	m := meritOf(gains)
	fmt.Printf("%-32s %s %10.2f %10.2f\n", name, strings.Join(cells, " "), 100*m.least, 100*m.mean)
}

// scores returns the mean result on each collection.
func (b board) scores(ctx context.Context, s setting) ([]result, error) {
	var out []result
	for _, e := range b {
		rs, err := e.score(ctx, s)
		if err != nil {
			return nil, err
		}
		out = append(out, mean(rs))
	}
	return out, nil
}
