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

// board scores settings on several collections, of which none may suffer.
type board []*evaluation

// openBoard ingests each collection into a home of its own below dir and calls
// use while all are open.
func openBoard(ctx context.Context, dir string, o options, from []bench.Source, use func(board) error) error {
	return openNext(ctx, dir, o, from, nil, use)
}

// openNext opens the first source that is left, and the others within.
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

// spread returns at most n of the judged queries, evenly spread; all for 0.
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

// ten is the place of 10 in bench.Cutoffs.
const ten = 1

// merit is what settings are chosen by: what they gain over BM25 at recall@10
// on the collection where that is least, then what they gain on average.
type merit struct{ least, mean float64 }

func (m merit) compare(o merit) int {
	return cmp.Or(cmp.Compare(m.least, o.least), cmp.Compare(m.mean, o.mean))
}

// merit scores settings on all collections but one; nil leaves none out.
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

// printHead prints the names of the columns of printRow, and BM25's row.
func (b board) printHead() {
	names, plain := make([]string, len(b)), make([]string, len(b))
	for i, e := range b {
		names[i] = fmt.Sprintf("%10.10s", e.name)
		plain[i] = fmt.Sprintf("%10.2f", 100*e.plain.turns[ten])
	}
	fmt.Printf("%-32s %s %10s %10s\n", "recall@10", strings.Join(names, " "), "least gain", "mean gain")
	fmt.Printf("%-32s %s\n", "BM25", strings.Join(plain, " "))
}

// printRow prints recall@10 of each collection, and what is gained over BM25.
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

// scores are the means of each collection.
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
