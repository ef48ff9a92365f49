package sqlite

import "strings"

// maxTermsAtOnce bounds the terms of one FTS5 query: each costs a look at every
// row found, and FTS5 limits the size of an expression.
const maxTermsAtOnce = 64

// matchQuery is one FTS5 query.
type matchQuery struct {
	text  string
	terms []int32 // the term each phrase stands for
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
