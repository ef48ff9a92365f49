// Package index joins the rooms of the index: which of them answers a search.
package index

import (
	"context"

	"github.com/strata-memory/strata/index/lexical"
	"github.com/strata-memory/strata/index/small"
	"github.com/strata-memory/strata/store"
)

// Terms asks for the passages of a scope that hold any of some terms.
type Terms struct {
	Scope   int64
	Terms   []string // may hold any text
	Filter  store.Filter
	Options store.MatchOptions
}

// Match returns the passages of a scope that hold any of some terms, in one of
// three ways. All apply the one filter, [passage.Filter], and find the same, save
// that the last two leave out what the options allow.
//
//	way            taken where                                  not where
//	facts whole    facts is not nil: current facts alone are    a term of a fact is one that an
//	in memory      asked for, and the scope holds few           index would take for several
//	posting lists  else, if the scope is large enough and was   a time is named: passages in memory
//	in memory      asked often enough to be held in memory,     have none; or the transaction
//	               see [lexical.Limits]                         writes: nothing of it is kept
//	entries of     else                                         never: it answers everything
//	each term
func Match(ctx context.Context, words *lexical.Snapshot, facts *small.Set, t Terms) (store.Matches, error) {
	q, err := words.Query(ctx, t.Scope, t.Terms, t.Filter, t.Options)
	if err != nil {
		return store.Matches{}, err
	}
	if facts != nil && facts.Plain() {
		return q.Matches(facts.Match(q.Terms, &q.Filter)), nil
	}
	if t.Filter.AsOf == nil && !words.Writing() {
		if m, ok, err := words.Postings(ctx, q); ok || err != nil {
			return m, err
		}
	}
	return words.Entries(ctx, q)
}
