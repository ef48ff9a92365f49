package lexical

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Query asks for the passages of a scope that hold any of its terms.
type Query struct {
	scope   int64
	terms   []string       // those that can be in the index, without duplicates
	filter  passage.Filter // which passages to return
	options store.MatchOptions
	places  []int // for each term passed in, its index in terms, or -1
	total   Total
}

// Query prepares a search of a scope. Terms may be any strings; those that cannot be
// in the index match nothing.
func (s *Snapshot) Query(ctx context.Context, scope int64, terms []string, f store.Filter, options store.MatchOptions) (*Query, error) {
	q := &Query{scope: scope, options: options, places: make([]int, len(terms))}
	if f.SessionKind != "" {
		q.options = store.MatchOptions{} // entries of other sessions must not count as found
	}
	seen := make(map[string]int, len(terms))
	for i, term := range terms {
		place, ok := seen[term]
		if !ok {
			place = -1
			if passage.IsTerm(term) {
				place = len(q.terms)
				q.terms = append(q.terms, term)
			}
			seen[term] = place
		}
		q.places[i] = place
	}
	var err error
	if q.filter, err = s.filter(ctx, scope, f); err != nil {
		return nil, err
	}
	q.total, err = s.total(ctx, scope, f)
	return q, err
}

// leavesOut reports whether the search may leave passages out.
func (q *Query) leavesOut() bool {
	return q.options.Limit > 0 && q.total.Passages >= largeScope && len(q.terms) > 0 && len(q.terms) <= maxTerms
}

// matches builds the answer to the query from the passages found, by number, and the
// hits of each of its terms among them. It cuts the passages to the best as m says.
func (q *Query) matches(passages []store.Meta, hits [][]store.TermHit, m *maxScore) store.Matches {
	out := store.Matches{
		Passages: m.cut(passages, hits), Terms: make([][]store.TermHit, len(q.places)), Frequency: make([]int64, len(q.places)),
		Total: q.total.Passages, Words: q.total.Words,
	}
	for i, at := range q.places {
		if at >= 0 {
			out.Terms[i] = hits[at]
			out.Frequency[i] = m.frequency(at, int64(len(hits[at])), q.total.Passages)
		}
	}
	return out
}
