package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

const (
	// maxTermsAtOnce bounds the terms of one FTS5 query: each costs a look at
	// every row found, and FTS5 limits the size of an expression.
	maxTermsAtOnce = 64
	// deferFrom is the number of passages of a scope from which common terms
	// may be deferred. In a smaller one, looking up how common terms are costs
	// as much as it saves.
	deferFrom = 2000
)

// matchPlan is how Match looks terms up.
type matchPlan struct {
	queries []matchQuery
	counts  []int64 // passages of the scope that hold each term; nil: not looked up
}

// matchQuery is one FTS5 query.
type matchQuery struct {
	text  string
	terms []int32 // the term each phrase stands for; -1 for one that only narrows
}

// frequency is how many of total passages hold a term, as far as the plan knows.
func (p matchPlan) frequency(term int, total int64) int64 {
	if p.counts == nil {
		return 0
	}
	return min(p.counts[term], total)
}

// planMatch decides how to look terms up. In a large scope a passage costs far
// more to hand over than to find, and nearly all that hold only common terms
// would be handed over in vain. So where rarer terms find enough, a passage
// must hold one of them; the common terms are then looked for in those alone.
func (t *tx) planMatch(ctx context.Context, scopeNo int64, terms []string, total int64, enough int) (matchPlan, error) {
	if !defers(len(terms), total, enough) {
		return planAll(terms), nil
	}
	counts, err := t.termCounts(ctx, scopeNo, terms, total)
	if err != nil {
		return matchPlan{}, err
	}
	order, rare := rareTerms(counts, enough)
	if rare == len(order) {
		plan := planAll(terms)
		plan.counts = counts
		return plan, nil
	}
	// Each rare term stands twice: once to narrow, once to be counted.
	q := matchQuery{text: "(" + anyOf(pick(terms, order[:rare])) + ") AND (" + anyOf(pick(terms, order)) + ")"}
	for range rare {
		q.terms = append(q.terms, -1)
	}
	q.terms = append(q.terms, order...)
	return matchPlan{queries: []matchQuery{q}, counts: counts}, nil
}

// defers reports whether common ones of n terms may be deferred in a scope of
// total passages.
func defers(n int, total int64, enough int) bool {
	return enough > 0 && total >= deferFrom && n > 0 && n <= maxTermsAtOnce/2
}

// rareTerms sorts terms by how many passages hold them, and returns how many of
// the rarest a passage must hold one of.
func rareTerms(counts []int64, enough int) (order []int32, rare int) {
	order = make([]int32, len(counts))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(counts[a], counts[b]) })
	found := int64(0)
	for rare < len(order) && found < int64(enough) {
		// A term that would bring far more than is missing is not worth it
		// where there is something to rank already.
		if n := counts[order[rare]]; found >= int64(enough)/4 && n > 2*int64(enough) {
			break
		}
		found += counts[order[rare]]
		rare++
	}
	return order, rare
}

// planAll looks for every passage that holds any of the terms.
func planAll(terms []string) matchPlan {
	var plan matchPlan
	for first := 0; first < len(terms); first += maxTermsAtOnce {
		chunk := terms[first:min(first+maxTermsAtOnce, len(terms))]
		q := matchQuery{text: anyOf(chunk)}
		for i := range chunk {
			q.terms = append(q.terms, int32(first+i))
		}
		plan.queries = append(plan.queries, q)
	}
	return plan
}

func pick(terms []string, which []int32) []string {
	out := make([]string, len(which))
	for i, w := range which {
		out[i] = terms[w]
	}
	return out
}

// anyOf is the FTS5 query for any of the terms, which hold no quotes.
func anyOf(terms []string) string { return `"` + strings.Join(terms, `" OR "`) + `"` }
