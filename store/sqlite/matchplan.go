package sqlite

import "strings"

// maxTermsAtOnce bounds the terms of one FTS5 query: each costs a look at every
// row found, and FTS5 limits the size of an expression.
const maxTermsAtOnce = 64

// matchQuery is one FTS5 query.
type matchQuery struct {
	text  string
	terms []int32 // the term each phrase stands for; -1 for one that only narrows
}

// queries are those that find what a deferral asks for.
func (d *deferral) queries(terms []string) []matchQuery {
	if len(d.deferred()) == 0 {
		return queriesOfAll(terms)
	}
	// Each rare term stands twice: once to narrow, once to be counted.
	q := matchQuery{text: "(" + anyOf(pick(terms, d.order[:d.rare])) + ") AND (" + anyOf(pick(terms, d.order)) + ")"}
	for range d.rare {
		q.terms = append(q.terms, -1)
	}
	q.terms = append(q.terms, d.order...)
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
