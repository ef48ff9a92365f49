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
	// nearParents is the number of categories, of sessions and of documents that
	// are taken for near.
	nearParents = vector.DefaultParents
	// candidatesPerHit is how many passages a tier returns for each hit wanted.
	candidatesPerHit = 1
	// cheapFlat is the number of passages up to which a scope is always
	// searched flat. So far the scan of all codes costs no more than finding
	// out which of them lie inside the nearest parents, and it reaches these
	// too: one search serves the second and the third tier.
	cheapFlat = 200_000
	// largeParents is how many passages the nearest parents hold from which a
	// larger scope is searched flat as well: a search inside of so many scans the
	// codes of the whole scope, and again where few of the best lie inside. At a
	// million facts that had one question in forty take five times as long as
	// others, and flat searches found the same (docs/decisions/0009).
	largeParents = 2048
	// weak is the closeness below which the best hit inside near parents is
	// not trusted, and a large scope is searched flat all the same.
	weak = 0.3
	// minCompared is the fewest candidates found by words whose closeness is
	// looked up.
	minCompared = 60
)

// queryEmbedding is an embedding of the question: what its model sees in it.
type queryEmbedding struct {
	model  string
	vector []float32
}

// queryEmbeddings returns what passages are compared by, and the model that adds to it.
// A vector of length zero counts as none.
func queryEmbeddings(req Request) (first, second queryEmbedding) {
	model, base := queryEmbedding{req.Model, req.Vector}, queryEmbedding{req.Base, req.BaseVector}
	if isZero(model.vector) {
		model.vector = nil
	}
	if isZero(base.vector) {
		return model, queryEmbedding{}
	}
	return base, model
}

// prepareVectors lets a store that can do so read what findVectors will need
// while words are looked up.
func (f *finder) prepareVectors(ctx context.Context) {
	r, ok := f.r.(store.Preparer)
	if !ok || f.first.vector == nil {
		return
	}
	for _, p := range f.pools {
		r.Prepare(ctx, p.scope, f.first.model, len(f.first.vector), p.filter)
	}
}

// findVectors adds the passages closest to the question, in three tiers, and
// sets the closeness of the candidates found by words.
func (f *finder) findVectors(ctx context.Context) error {
	if f.first.vector == nil {
		return nil
	}
	for _, p := range f.pools {
		found, err := f.searchTiers(ctx, p, f.first, ofParent)
		if err != nil {
			return err
		}
		if err := f.join(ctx, p, found); err != nil {
			return err
		}
	}
	if err := f.compare(ctx); err != nil {
		return err
	}
	f.trust()
	f.windows(f.cands, ofModel)
	return f.addSecond(ctx)
}

// searchTiers searches one pool: the nearest parents, whose closeness is noted
// where of says, the passages inside them, and the whole scope where that is
// cheap or the parents hold too little.
func (f *finder) searchTiers(ctx context.Context, p *pool, by queryEmbedding, of func(*parent) *float64) ([]vector.Candidate, error) {
	k := candidatesPerHit * max(f.limit, DefaultLimit)
	t := tiers{f, p, by, of}
	var found []vector.Candidate
	var err error
	switch {
	case p.filter.Parent != 0: // the question names the only parent there is
		var inside []vector.Scored
		inside, err = t.Inside(ctx, by.vector, []int64{p.filter.Parent}, k)
		found = inTier(1, inside)
	case f.req.Query.Flat:
		var flat []vector.Scored
		flat, err = t.Flat(ctx, by.vector, k)
		found = inTier(3, flat)
	default:
		q := vector.Query{Vector: by.vector, K: k, Parents: nearParents, Weak: weak}
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

// tierOf is the tier of a passage that a search of the whole scope found: the
// second if it lies inside one of the nearest parents, else the third.
func (p *pool) tierOf(parent int64) int {
	for _, n := range p.near {
		if n.ID == parent {
			return 2
		}
	}
	return 3
}

func inTier(tier int, found []vector.Scored) []vector.Candidate {
	out := make([]vector.Candidate, len(found))
	for i, s := range found {
		out[i] = vector.Candidate{ID: s.ID, Similarity: s.Similarity, Tier: tier}
	}
	return out
}

// tiers lets [vector.Tiers] search one pool by one embedding.
type tiers struct {
	f  *finder
	p  *pool
	by queryEmbedding
	of func(*parent) *float64 // where the closeness of a parent is noted
}

// parentsRead is how many parents are compared by size for each that is taken.
const parentsRead = 4

// Parents returns the nearest categories, sessions and, in a large scope,
// documents, k of each, and notes them and their closeness.
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
		size, err := t.bySize(ctx, kind, found)
		if err != nil {
			return nil, 0, err
		}
		for _, n := range withEquals(found, k) {
			passages += size[n.Number]
			if t.p.parents[n.Number] == nil {
				t.p.parents[n.Number] = &parent{number: n.Number, kind: kind}
			}
			*t.of(t.p.parents[n.Number]) = t.f.w.closeness(n.Similarity)
		}
		near = append(near, scored(withEquals(found, k))...)
	}
	t.p.near = near
	return near, passages, nil
}

// withEquals cuts a list to the k nearest and those as near as the last of
// them: which of equals was stored first must not count.
func withEquals(found []store.Near, k int) []store.Near {
	n := min(k, len(found))
	for 0 < n && n < len(found) && found[n].Similarity == found[n-1].Similarity {
		n++
	}
	return found[:n]
}

// bySize sorts parents by closeness with a little for size: of two equally
// near ones the larger holds more of what is looked for. It returns how many
// passages each of them holds.
func (t tiers) bySize(ctx context.Context, kind strata.Kind, found []store.Near) (size map[int64]int, err error) {
	numbers := make([]int64, len(found))
	for i, n := range found {
		numbers[i] = n.Number
	}
	if len(numbers) == 0 {
		return nil, nil
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

// Inside returns the nearest passages of some parents.
func (t tiers) Inside(ctx context.Context, q []float32, parents []int64, k int) ([]vector.Scored, error) {
	found, err := t.f.r.Nearest(ctx, t.p.scope, t.by.model, q, parents, t.p.filter, k)
	return scored(found), err
}

// Flat returns the nearest passages of the scope.
func (t tiers) Flat(ctx context.Context, q []float32, k int) ([]vector.Scored, error) {
	found, err := t.f.r.Nearest(ctx, t.p.scope, t.by.model, q, nil, t.p.filter, k)
	return scored(found), err
}

func scored(near []store.Near) []vector.Scored {
	out := make([]vector.Scored, len(near))
	for i, n := range near {
		out[i] = vector.Scored{ID: n.Number, Similarity: n.Similarity}
	}
	return out
}

// join gives the passages that were found by vector to the candidates.
func (f *finder) join(ctx context.Context, p *pool, found []vector.Candidate) error {
	for _, c := range found {
		if at, ok := p.find(c.ID); ok && p.cands[c.ID] == nil {
			f.propose(p, p.passages[at])
		}
	}
	var unknown []int64
	for _, c := range found {
		if p.cands[c.ID] == nil {
			unknown = append(unknown, c.ID)
		}
	}
	items, err := f.r.Items(ctx, p.scope, unknown)
	if err != nil {
		return fmt.Errorf("read what is near in %s: %w", p.scope, err)
	}
	open := unresolved(p, f.cands)
	for _, it := range items {
		c := open[store.Place{Parent: it.Parent, Seq: it.Seq}]
		if c == nil {
			c = f.propose(p, it.Meta)
		}
		c.meta, c.reading = it.Meta, &reading{item: it}
		p.cands[it.Number] = c
	}
	for _, n := range found {
		if c := p.cands[n.ID]; c != nil {
			c.similarity, c.closeness, c.compared = n.Similarity, f.w.closeness(n.Similarity), true
			c.tier = min(c.tier, n.Tier, p.tierOf(c.meta.Parent))
		}
	}
	f.nearDocuments(p, found)
	for _, c := range f.cands {
		if c.pool == p {
			c.parent = p.parents[c.meta.Parent].relevance(f.w)
		}
	}
	return nil
}

// nearDocuments takes the documents of the nearest sections for the nearest
// documents of a scope that was searched flat, and notes their closeness. Most
// have a section or two, so that comparing the means of thousands of them would
// find the same and take twice as long as comparing the sections.
func (f *finder) nearDocuments(p *pool, found []vector.Candidate) {
	if p.total > cheapFlat {
		return
	}
	seen, least := 0, float32(0)
	for _, n := range found {
		c := p.cands[n.ID]
		if c == nil || c.meta.Kind != strata.KindSection || seen >= nearParents && n.Similarity < least {
			continue
		}
		par := p.parents[c.meta.Parent]
		if par == nil {
			par = &parent{number: c.meta.Parent, kind: strata.KindSection}
			p.parents[c.meta.Parent] = par
		}
		if par.closeness == 0 {
			par.closeness = f.w.closeness(n.Similarity)
			seen, least = seen+1, n.Similarity
		}
	}
}

// compare looks up the closeness of the best candidates that the tiers did not
// reach.
func (f *finder) compare(ctx context.Context) error {
	best := f.roughBest(neighborSlack * max(f.reads, minCompared))
	if err := f.resolve(ctx, best); err != nil {
		return err
	}
	for _, p := range f.pools {
		var numbers []int64
		for _, c := range best {
			if c.pool == p && c.meta.Number != 0 && !c.compared {
				numbers = append(numbers, c.meta.Number)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		found, err := f.r.Similarities(ctx, p.scope, f.first.model, f.first.vector, numbers)
		if err != nil {
			return fmt.Errorf("compare candidates in %s: %w", p.scope, err)
		}
		for i, s := range found {
			c := p.cands[numbers[i]]
			c.similarity, c.closeness, c.compared = s, f.w.closeness(s), true
		}
	}
	return nil
}
