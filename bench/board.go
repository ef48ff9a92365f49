package bench

import (
	"cmp"
	"slices"
)

// BoardRow is one collection, as Strata finds its answers and as BM25 does.
type BoardRow struct {
	Collection string `json:"collection"`
	Unit       Unit   `json:"unit"`
	Documents  int    `json:"documents"`
	Strata     Scores `json:"strata"`
	BM25       Scores `json:"bm25"`
}

// Gain is what Strata's recall at one of Cutoffs exceeds that of BM25 by.
func (r BoardRow) Gain(cutoff int) float64 { return r.Strata.Recall[cutoff] - r.BM25.Recall[cutoff] }

// A group must have leastGroup questions for its loss to count, and lose more
// than mostLoss of recall@10.
const (
	leastGroup = 40
	mostLoss   = 0.05
)

// Violation is a figure of Strata that lies below BM25: of a whole collection at
// all, of a group of 40 questions or more by more than 0.05 of recall@10.
type Violation struct {
	Collection string  `json:"collection"`
	Group      string  `json:"group,omitempty"` // empty: all questions
	Queries    int     `json:"queries"`
	Cutoff     int     `json:"cutoff"`
	Strata     float64 `json:"strata"` // recall
	BM25       float64 `json:"bm25"`
}

// Violations lists what of the row lies below BM25: the whole collection first,
// then groups, the greatest loss first.
func (r BoardRow) Violations() []Violation {
	var out []Violation
	for i, k := range Cutoffs {
		if r.Gain(i) < 0 {
			out = append(out, Violation{r.Collection, "", r.Strata.Queries, k, r.Strata.Recall[i], r.BM25.Recall[i]})
		}
	}
	var groups []Violation
	for name, g := range r.Strata.Groups {
		plain := r.BM25.Groups[name]
		if g.Queries >= leastGroup && plain.Recall[1]-g.Recall[1] > mostLoss {
			groups = append(groups, Violation{r.Collection, name, g.Queries, Cutoffs[1], g.Recall[1], plain.Recall[1]})
		}
	}
	slices.SortFunc(groups, func(a, b Violation) int {
		return cmp.Or(cmp.Compare(a.Strata-a.BM25, b.Strata-b.BM25), cmp.Compare(a.Group, b.Group))
	})
	return append(out, groups...)
}
