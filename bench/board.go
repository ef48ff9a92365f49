package bench

import (
	"cmp"
	"slices"
)

// BoardRow compares Strata with BM25 on one collection.
type BoardRow struct {
	Collection string `json:"collection"`
	Unit       Unit   `json:"unit"`
	Documents  int    `json:"documents"`
	Strata     Scores `json:"strata"`
	BM25       Scores `json:"bm25"`
}

// Gain returns how much Strata's recall exceeds that of BM25, at the cutoff with the
// given index in [Cutoffs].
func (r BoardRow) Gain(cutoff int) float64 { return r.Strata.Recall[cutoff] - r.BM25.Recall[cutoff] }

// The loss of a group counts only if the group has at least leastGroup questions and
// loses more than mostLoss of recall@10.
const (
	leastGroup = 40
	mostLoss   = 0.05
)

// Violation is a figure of Strata that is below that of BM25: any figure of a whole
// collection, or recall@10 of a group of 40 questions or more, if it is lower by more
// than 0.05.
type Violation struct {
	Collection string  `json:"collection"`
	Group      string  `json:"group,omitempty"` // empty: all questions
	Queries    int     `json:"queries"`
	Cutoff     int     `json:"cutoff"`
	Strata     float64 `json:"strata"` // recall
	BM25       float64 `json:"bm25"`
}

// Violations returns the violations of the row: those of the whole collection first, then
// those of groups, the greatest loss first.
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
