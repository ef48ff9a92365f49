package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

const (
	// nearParents is how many categories, sessions and documents, each, count as near.
	nearParents = vector.DefaultParents
	// parentsRead is how many parents sortBySize compares for each one that is kept.
	parentsRead = 4
	// cheapFlat is the number of passages up to which a scope is always searched flat.
	// Scanning all codes of such a scope costs no more than finding the ones inside the
	// nearest parents, and includes these: one search serves the second and the third
	// tier.
	cheapFlat = 200_000
	// largeParents is the number of passages in the nearest parents from which a larger
	// scope is searched flat as well. A search inside that many scans the codes of the
	// whole scope, and does so again if few of the best lie inside. With a million facts,
	// one question in forty took five times as long as others, and flat searches found
	// the same (docs/decisions/0009).
	largeParents = 2048
	// weakCloseness is a closeness, in [0,1]. If the best passage inside the nearest
	// parents is below it, even a large scope is searched flat.
	weakCloseness = 0.3
)

// searchTiers searches a pool by vector: the nearest parents, then the passages inside
// them, then the whole scope if that is cheap or the parents hold too little. It stores
// the closeness of each parent in the field that the field function points to.
func (f *finder) searchTiers(ctx context.Context, p *pool, by queryEmbedding, field func(*parent) *float64) ([]vector.Candidate, error) {
	k := f.near
	t := tiers{f, p, by, field}
	var found []vector.Candidate
	var err error
	switch {
	case p.filter.Parent != 0: // the query allows only this parent
		var inside []vector.Scored
		inside, err = t.Inside(ctx, by.vector, []int64{p.filter.Parent}, k)
		found = inTier(1, inside)
	case f.req.Query.Flat:
		var flat []vector.Scored
		flat, err = t.Flat(ctx, by.vector, k)
		found = inTier(3, flat)
	default:
		q := vector.Query{Vector: by.vector, K: k, Parents: nearParents, Weak: weakCloseness}
		if p.total > cheapFlat {
			q.FlatFrom = largeParents
		}
		found, err = vector.Tiers(ctx, t, q)
	}
	if err != nil {
		return nil, fmt.Errorf("search vectors of %s in %s: %w", by.model, p.scope, err)
	}
	return found, nil
}

func inTier(tier int, found []vector.Scored) []vector.Candidate {
	out := make([]vector.Candidate, len(found))
	for i, s := range found {
		out[i] = vector.Candidate{ID: s.ID, Similarity: s.Similarity, Tier: tier}
	}
	return out
}

// tierOf returns the tier of a passage found by a flat search, given its parent: 2 if
// that is one of the nearest parents, otherwise 3.
func (p *pool) tierOf(parent int64) int {
	if slices.ContainsFunc(p.near, func(n vector.Scored) bool { return n.ID == parent }) {
		return 2
	}
	return 3
}

// tiers lets [vector.Tiers] search one pool by one embedding.
type tiers struct {
	f     *finder
	p     *pool
	by    queryEmbedding
	field func(*parent) *float64 // points to the closeness of a parent
}

// Parents returns the k nearest categories, the k nearest sessions and, in a large scope,
// the k nearest documents. It also stores their closeness.
func (t tiers) Parents(ctx context.Context, q []float32, k int) (near []vector.Scored, passages int, err error) {
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if kinds := t.p.filter.Kinds; len(kinds) > 0 && !slices.Contains(kinds, kind) {
			continue
		}
		if kind == strata.KindSection && t.p.total <= cheapFlat {
			continue // see nearDocuments
		}
		found, err := t.f.r.NearestParents(ctx, t.p.scope, t.by.model, q, kind, t.p.filter, parentsRead*k)
		if err != nil {
			return nil, 0, err
		}
		size, err := t.sortBySize(ctx, kind, found)
		if err != nil {
			return nil, 0, err
		}
		found = withTies(found, k)
		for _, n := range found {
			passages += size[n.Number]
			*t.field(t.p.parent(n.Number)) = t.f.w.closeness(n.Similarity)
		}
		near = append(near, scored(found)...)
	}
	t.p.near = near
	return near, passages, nil
}

// Inside returns the nearest passages of some parents.
func (t tiers) Inside(ctx context.Context, q []float32, parents []int64, k int) ([]vector.Scored, error) {
	found, err := t.f.r.Nearest(ctx, t.p.scope, t.by.model, q, parents, t.p.filter, k)
	return scored(found), err
}

// Flat returns the nearest passages of the scope.
func (t tiers) Flat(ctx context.Context, q []float32, k int) ([]vector.Scored, error) {
	return t.Inside(ctx, q, nil, k)
}

// sortBySize sorts parents by closeness with a small bonus for size: of two equally near
// parents, the larger one holds more of what is looked for. It returns the number of
// passages in each parent.
func (t tiers) sortBySize(ctx context.Context, kind strata.Kind, found []store.Near) (size map[int64]int, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	numbers := make([]int64, len(found))
	for i, n := range found {
		numbers[i] = n.Number
	}
	infos, err := t.f.r.Parents(ctx, t.p.scope, kind, numbers)
	if err != nil {
		return nil, err
	}
	size = make(map[int64]int, len(infos))
	for _, p := range infos {
		size[p.Number] = int(p.Passages)
	}
	rank := func(n store.Near) float64 {
		return vector.SizedSimilarity(n.Similarity, size[n.Number], int(t.p.total))
	}
	slices.SortStableFunc(found, func(a, b store.Near) int { return cmp.Compare(rank(b), rank(a)) })
	return size, nil
}

// withTies returns the first k elements and the following ones that are as near as the
// last of them, so that the order of storage does not decide between equals.
func withTies(found []store.Near, k int) []store.Near {
	n := min(k, len(found))
	for 0 < n && n < len(found) && found[n].Similarity == found[n-1].Similarity {
		n++
	}
	return found[:n]
}

func scored(near []store.Near) []vector.Scored {
	out := make([]vector.Scored, len(near))
	for i, n := range near {
		out[i] = vector.Scored{ID: n.Number, Similarity: n.Similarity}
	}
	return out
}
