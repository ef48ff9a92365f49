package main

import (
	"strings"

	"github.com/strata-memory/strata/bench"
)

// joined merges each two questions of a scope into one question of two parts, which the
// answers to both answer. People ask such questions, but collections seldom have them.
func joined(c bench.Collection) bench.Collection {
	out := bench.Collection{Documents: c.Documents, Relevant: make(map[string]map[string]int)}
	open := make(map[string]bench.Query) // first question of the next pair, by scope
	for _, q := range c.Queries {
		if len(c.Relevant[q.ID]) == 0 {
			continue
		}
		first, ok := open[q.Scope]
		if !ok {
			open[q.Scope] = q
			continue
		}
		delete(open, q.Scope)
		both := bench.Query{ID: first.ID + "+" + q.ID, Scope: q.Scope,
			Text: strings.TrimRight(first.Text, "?. ") + ", and " + strings.ToLower(q.Text[:1]) + q.Text[1:]}
		out.Queries = append(out.Queries, both)
		want := make(map[string]int)
		for _, id := range []string{first.ID, q.ID} {
			for doc, grade := range c.Relevant[id] {
				want[doc] = grade
			}
		}
		out.Relevant[both.ID] = want
	}
	return out
}
