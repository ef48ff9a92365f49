package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata/bench"
)

// limit is how many answers are asked for.
const limit = 10

// lookup is one part of a peer: a whole recall, or a search by vectors or by
// words alone.
type lookup func(ctx context.Context, question string) ([]string, error)

// measure asks for statements in each way, one question after the other, after
// one that warms up. The row still lacks which peer it is of.
func measure(ctx context.Context, ask lookup, statements []bench.Asked) (bench.PeerRow, error) {
	var row bench.PeerRow
	if len(statements) == 0 {
		return row, fmt.Errorf("there is no question to ask")
	}
	if _, err := ask(ctx, statements[0].Question); err != nil {
		return row, err
	}
	var all []time.Duration
	found := 0
	for _, way := range bench.Ways() {
		var times []time.Duration
		first, ten := 0, 0
		for _, s := range statements {
			question := s.Ask(way)
			begin := time.Now()
			texts, err := ask(ctx, question)
			if err != nil {
				return row, fmt.Errorf("ask %q: %w", question, err)
			}
			times = append(times, time.Since(begin))
			switch slices.Index(texts[:min(limit, len(texts))], s.Text) {
			case -1:
			case 0:
				first++
				fallthrough
			default:
				ten++
			}
		}
		all, found = append(all, times...), found+ten
		row.Ways = append(row.Ways, bench.WayRow{
			Way: way, Asked: len(statements), Found1: share(first, len(statements)), Found10: share(ten, len(statements)), Took: bench.PercentilesOf(times),
		})
	}
	row.Asked, row.Found10, row.Took = len(all), share(found, len(all)), bench.PercentilesOf(all)
	return row, nil
}

func share(part, of int) float64 { return float64(part) / float64(of) }
