package sqlite

import (
	"slices"
	"strings"
)

// maxTermsAtOnce bounds the terms of one FTS5 query: each costs a look at every
// row found, and FTS5 limits the size of an expression.
const maxTermsAtOnce = 64

// matchQuery is one FTS5 query.
type matchQuery struct {
	text  string
	terms []int32 // the term each phrase stands for; -1 for one that only narrows
}

// queries are those that find what a deferral asks for, when what the first
// terms of its order find was found before.
func (d *deferral) queries(terms []string, before int) []matchQuery {
	late := len(d.deferred()) > 0
	if !late && before == 0 {
		return queriesOfAll(terms)
	}
	// Each term that narrows stands twice where others are only counted: once to
	// narrow, once to be counted.
	fresh := d.order[before:d.rare]
	var q matchQuery
	q.text = anyOf(pick(terms, fresh))
	if late {
		q.terms = slices.Repeat([]int32{-1}, len(fresh))
	} else {
		q.terms = slices.Clone(fresh)
	}
	if before > 0 {
		q.text = "(" + q.text + ") NOT (" + anyOf(pick(terms, d.order[:before])) + ")"
		q.terms = append(q.terms, slices.Repeat([]int32{-1}, before)...)
	}
	if late {
		q.text = "(" + q.text + ") AND (" + anyOf(pick(terms, d.order[before:])) + ")"
		q.terms = append(q.terms, d.order[before:]...)
	}
	return []matchQuery{q}
}

// queriesOfAll look for every passage that holds any of the terms.
func queriesOfAll(terms []string) []matchQuery {
	var queries []matchQuery
	for first := 0; first < len(terms); first += maxTermsAtOnce {
		chunk := terms[first:min(first+maxTermsAtOnce, len(terms))]
		q := matchQuery{text: anyOf(chunk)}
		for i := range chunk {
			q.terms = append(q.terms, int32(first+i))
		}
		queries = append(queries, q)
	}
	return queries
}

// pick returns some items by their places.
func pick[T any](items []T, places []int32) []T {
	out := make([]T, len(places))
	for i, at := range places {
		out[i] = items[at]
	}
	return out
}

// anyOf is the FTS5 query for any of the terms, which hold no quotes.
func anyOf(terms []string) string { return `"` + strings.Join(terms, `" OR "`) + `"` }
