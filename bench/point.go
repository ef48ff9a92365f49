package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
)

// Percentiles holds percentiles of the times of one kind of call.
type Percentiles struct {
	P50 time.Duration `json:"p50_ns"`
	P95 time.Duration `json:"p95_ns"`
	P99 time.Duration `json:"p99_ns"`
}

// PercentilesOf sorts times and returns their percentiles by nearest rank; zeros if there
// are none.
func PercentilesOf(times []time.Duration) Percentiles {
	slices.Sort(times)
	return Percentiles{percentile(times, 50), percentile(times, 95), percentile(times, 99)}
}

// Point holds what a home with a number of facts costs.
type Point struct {
	Facts int `json:"facts"`
	// Recall is for whole recalls: analysis, embedding, candidates, ranking, explanation.
	// Nearest is for finding only the ten nearest vectors, and Words for ranking only by
	// words.
	Recall  Percentiles `json:"recall"`
	Nearest Percentiles `json:"nearest"`
	Words   Percentiles `json:"words"`
	// First is the time of the first recall after opening.
	First time.Duration `json:"first_ns"`
	// Found1 and Found10 are the fractions of questions whose statement is the
	// first hit, or among the first ten.
	Found1  float64 `json:"found_1"`
	Found10 float64 `json:"found_10"`
	// Ways holds the results of asking in other words than those of the statements. The
	// figures above are of the first way.
	Ways []WayRow `json:"ways,omitempty"`
	// Open is the time to open the home in a new process, and Shell that of a whole
	// `strata recall` from the shell. Both are medians.
	Open  time.Duration `json:"open_ns"`
	Shell time.Duration `json:"shell_ns"`
	// Bytes is the size of all files of the home, and Fact the size per fact.
	Bytes int64   `json:"bytes"`
	Fact  float64 `json:"bytes_per_fact"`
	// Anonymous is the most anonymous memory seen while serving recalls, in bytes; 0 if
	// the system does not tell.
	Anonymous int64 `json:"anonymous_bytes"`
	// Saves is how many facts per second were saved durably, in batches, to fill the home
	// up to this size; 0 if it was full already.
	Saves float64 `json:"saves_per_second,omitempty"`
}

// check returns an error if a point has impossible values.
func (p Point) check() error {
	for _, d := range []time.Duration{p.Recall.P50, p.Recall.P99, p.Nearest.P50, p.Words.P50, p.Open, p.Shell} {
		if d < 0 {
			return fmt.Errorf("the point of %d facts has a negative time", p.Facts)
		}
	}
	if p.Facts < 1 || p.Bytes < 0 || p.Anonymous < 0 {
		return fmt.Errorf("a point of %d facts, %d bytes on disk and %d in memory", p.Facts, p.Bytes, p.Anonymous)
	}
	return nil
}

// MaxFacts is the most facts in a home that is measured.
const MaxFacts = 10_000_000

// CheckScopes returns an error unless facts can be spread over so many scopes. facts is
// the smallest size that is measured.
func CheckScopes(scopes, facts int) error {
	if scopes < 1 || scopes > facts {
		return strata.Invalid("check scopes", fmt.Sprintf("%d scopes for %d facts", scopes, facts),
			"pass --scopes 1, or up to the smallest of --facts")
	}
	return nil
}

// CheckSizes returns an error unless the sizes can be measured one after another in a
// growing home: there must be at least one, in rising order.
func CheckSizes(sizes []int) error {
	const op = "check sizes"
	if len(sizes) == 0 {
		return strata.Invalid(op, "no number of facts was given", "pass --facts 1000,10000")
	}
	for i, n := range sizes {
		if n < 1 || n > MaxFacts {
			return strata.Invalid(op, fmt.Sprintf("%d facts lie outside 1 to %d", n, MaxFacts), "pass --facts 1000,10000")
		}
		if i > 0 && n <= sizes[i-1] {
			return strata.Invalid(op, fmt.Sprintf("%d facts come after %d: the home only grows", n, sizes[i-1]), "name the sizes in rising order")
		}
	}
	return nil
}
