package chart

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
)

// Named is a result with the name of its line in the legend.
type Named struct {
	Name   string
	Result bench.Result
}

// points joins the points of all scale results, sorted by number of facts. Results of
// different machines or commits may be joined, but each size may occur only once, or
// nobody could tell which was drawn.
func points(results []Named) ([]bench.Point, error) {
	var out []bench.Point
	from := make(map[int]string)
	for _, r := range results {
		for _, p := range r.Result.Points {
			if first, twice := from[p.Facts]; twice {
				return nil, strata.Invalid("plot", fmt.Sprintf("%s and %s both have a point of %d facts", first, r.Name, p.Facts),
					"leave one of the files out")
			}
			from[p.Facts] = r.Name
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b bench.Point) int { return cmp.Compare(a.Facts, b.Facts) })
	return out, nil
}

// retrievals returns the retrieval results. They must have the same data and unit to be
// comparable.
func retrievals(results []Named) ([]Named, error) {
	var out []Named
	for _, r := range results {
		if r.Result.Kind != bench.KindRetrieval {
			continue
		}
		if len(out) > 0 {
			a, b := out[0].Result, r.Result
			if a.Data != b.Data || a.Settings.Unit != b.Settings.Unit {
				return nil, strata.Invalid("plot", fmt.Sprintf("%s and %s are of other data or another unit", out[0].Name, r.Name),
					"plot results of one collection with one --unit")
			}
		}
		out = append(out, r)
	}
	return out, nil
}
