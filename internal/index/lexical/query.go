package lexical

import (
	"context"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Query asks for the passages of a scope that hold any of its terms.
type Query struct {
	Terms  []string       // those that can be in the index, without duplicates
	Filter passage.Filter // which passages to return

	scope   int64
	options store.MatchOptions
	places  []int // for each term passed in, its index in Terms, or -1
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
				place = len(q.Terms)
				q.Terms = append(q.Terms, term)
			}
			seen[term] = place
		}
		q.places[i] = place
	}
	var err error
	if q.Filter, err = s.filter(ctx, scope, f); err != nil {
		return nil, err
	}
	q.total, err = s.total(ctx, scope, f)
	return q, err
}

// leavesOut reports whether the search may leave passages out.
func (q *Query) leavesOut() bool {
	return q.options.Limit > 0 && q.total.Passages >= largeScope && len(q.Terms) > 0 && len(q.Terms) <= maxTerms
}

// Matches builds the answer to the query from the passages found, by number, and the
// hits of each of its terms among them.
func (q *Query) Matches(passages []store.Meta, hits [][]store.TermHit) store.Matches {
	out := store.Matches{
		Passages: passages, Terms: make([][]store.TermHit, len(q.places)), Frequency: make([]int64, len(q.places)),
		Total: q.total.Passages, Words: q.total.Words,
	}
	for i, at := range q.places {
		if at >= 0 {
			out.Terms[i] = hits[at]
			out.Frequency[i] = int64(len(hits[at]))
		}
	}
	return out
}

// matches is like Matches, but first cuts the passages to the best as m says.
func (q *Query) matches(passages []store.Meta, hits [][]store.TermHit, m *maxScore) store.Matches {
	out := q.Matches(m.cut(passages, hits), hits)
	for i, at := range q.places {
		if at >= 0 {
			out.Frequency[i] = m.frequency(at, int64(len(hits[at])), q.total.Passages)
		}
	}
	return out
}
