package bench

import (
	"slices"
	"time"

	"github.com/strata-memory/strata"
)

// WayRow holds the results of asking in one way.
type WayRow struct {
	Way   Way `json:"way"`
	Asked int `json:"asked"`
	// Found1 and Found10 are the fractions of questions whose statement is the
	// first answer, or among the first ten.
	Found1  float64     `json:"found_1"`
	Found10 float64     `json:"found_10"`
	Took    Percentiles `json:"took"`
}

// AskWays asks for statements in each of [Ways], one question after another. ask returns
// the texts that answer a question, best first. AskWays also returns the times of all
// calls.
func AskWays(statements []Asked, ask func(scope strata.Scope, question string) ([]string, error)) (rows []WayRow, took []time.Duration, err error) {
	for _, way := range Ways() {
		row := WayRow{Way: way, Asked: len(statements)}
		var times []time.Duration
		for _, s := range statements {
			question := s.Ask(way)
			begin := time.Now()
			texts, err := ask(s.Scope, question)
			if err != nil {
				return nil, nil, err
			}
			times = append(times, time.Since(begin))
			rank := slices.Index(texts, s.Text)
			if rank == 0 {
				row.Found1++
			}
			if rank >= 0 && rank < 10 {
				row.Found10++
			}
		}
		n := float64(len(statements))
		row.Found1, row.Found10 = row.Found1/n, row.Found10/n
		took = append(took, times...)
		row.Took = PercentilesOf(times)
		rows = append(rows, row)
	}
	return rows, took, nil
}

// FoundAllWays returns the fraction of questions, over all ways, whose statement is among
// the first ten answers; 0 if there are no questions.
func FoundAllWays(rows []WayRow) float64 {
	asked, found := 0, 0.0
	for _, w := range rows {
		asked += w.Asked
		found += w.Found10 * float64(w.Asked)
	}
	if asked == 0 {
		return 0
	}
	return found / float64(asked)
}
