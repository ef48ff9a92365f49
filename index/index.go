// Package index joins the rooms of the index: which of them answers a search.
package index

import (
	"context"

	"github.com/strata-memory/strata/index/lexical"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// Terms asks for the passages of a scope that hold any of some terms.
type Terms struct {
	Scope   int64
	Terms   []string // may hold any text
	Filter  store.Filter
	Options store.MatchOptions
}

// Facts are the facts of a scope that are in memory whole.
type Facts interface {
	// Match counts distinct terms in the facts that pass a filter: the facts that
	// hold any of them, by number, and for each term its hits among these.
	Match(terms []string, f *passage.Filter) (passages []store.Meta, hits [][]store.TermHit)
}

// Match returns the passages of a scope that hold any of some terms, in one of
// three ways. All apply the one filter, [passage.Filter], and find the same, save
// that the last two leave out what the options allow.
//
//	way            taken where                                  not where
//	facts whole    facts is not nil: the scope holds few, and   never nil then
//	               none but current ones are asked for
//	posting lists  else, if the scope is large enough and was   a time is named: passages in memory
//	in memory      asked often enough to be held in memory,     have none; or the transaction
//	               see [lexical.Limits]                         writes: nothing of it is kept
//	entries of     else                                         never: it answers everything
//	each term
func Match(ctx context.Context, words *lexical.Snapshot, facts Facts, t Terms) (store.Matches, error) {
	q, err := words.Query(ctx, t.Scope, t.Terms, t.Filter, t.Options)
	if err != nil {
		return store.Matches{}, err
	}
	if facts != nil {
		return q.Matches(facts.Match(q.Terms, &q.Filter)), nil
	}
	if t.Filter.AsOf == nil && !words.Writing() {
		if m, ok, err := words.Postings(ctx, q); ok || err != nil {
			return m, err
		}
	}
	return words.Entries(ctx, q)
}
