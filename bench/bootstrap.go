package bench

import (
	"math/rand/v2"
	"slices"
)

// Interval is a confidence interval of the mean of paired differences.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Confidence is the confidence level of every interval.
const Confidence = 0.95

// bootstrap returns a confidence interval for the mean of each column of paired
// differences: rows[i] holds the differences of one question, one for each metric. It
// draws questions with replacement, as many as there are, and cuts the interval from the
// sorted means of the draws (percentile method; Efron and Tibshirani, 1993, chapter 13).
// All metrics share the draws. The same seed gives the same intervals. It returns nil if
// there are no rows.
func bootstrap(rows [][]float64, resamples int, seed uint64) []Interval {
	if len(rows) == 0 || resamples < 1 {
		return nil
	}
	metrics := len(rows[0])
	means := make([][]float64, metrics)
	for m := range means {
		means[m] = make([]float64, resamples)
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(rows))))
	sums := make([]float64, metrics)
	for s := range resamples {
		clear(sums)
		for range rows {
			for m, d := range rows[r.IntN(len(rows))] {
				sums[m] += d
			}
		}
		for m, sum := range sums {
			means[m][s] = sum / float64(len(rows))
		}
	}
	out := make([]Interval, metrics)
	for m := range out {
		slices.Sort(means[m])
		tail := int(float64(resamples) * (1 - Confidence) / 2)
		out[m] = Interval{Low: round(means[m][tail]), High: round(means[m][resamples-1-tail])}
	}
	return out
}
