package bench

import (
	"slices"
	"time"

	"github.com/strata-memory/strata"
)

// wayQuestions is how many questions are asked in each way, at most.
const wayQuestions = 200

// askWays asks for statements in each of [Ways].
func askWays(statements []Asked, ask func(scope strata.Scope, question string) (*strata.Result, time.Duration, error)) ([]WayRow, error) {
	statements = statements[:min(wayQuestions, len(statements))]
	var out []WayRow
	for _, way := range Ways() {
		var times []time.Duration
		var first, ten int
		for _, s := range statements {
			res, took, err := ask(s.Scope, s.Ask(way))
			if err != nil {
				return nil, err
			}
			times = append(times, took)
			rank := rankOf(s.Synthetic, res.Hits)
			if rank == 1 {
				first++
			}
			if rank >= 1 && rank <= 10 {
				ten++
			}
		}
		n := float64(len(statements))
		out = append(out, WayRow{Way: way, Asked: len(statements), Found1: round(float64(first) / n), Found10: round(float64(ten) / n), Took: PercentilesOf(times)})
	}
	return out, nil
}

// rankOf is where a statement is among hits, from 1; 0 where it is not.
func rankOf(s Synthetic, hits []strata.Hit) int {
	return 1 + slices.IndexFunc(hits, func(h strata.Hit) bool { return h.Text == s.Text })
}

// FoundAllWays is the fraction of questions, asked in all ways, whose statement
// is among the first ten; 0 where none was asked.
func (p Point) FoundAllWays() float64 {
	asked, found := 0, 0.0
	for _, w := range p.Ways {
		asked += w.Asked
		found += w.Found10 * float64(w.Asked)
	}
	if asked == 0 {
		return 0
	}
	return found / float64(asked)
}
