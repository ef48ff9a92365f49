package vector

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// DefaultParents is how many parents [Tiers] looks into if the query does not say.
const DefaultParents = 3

// Scored is something found and how similar it is, a cosine unless said otherwise.
type Scored struct {
	ID         int64
	Similarity float32
}

// compareScored orders the most similar first, and equals by id.
func compareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
}

// Searcher is what the three tiers search: passages, each with one parent (a
// fact's category, a section's file, a turn's session). Whose passages these
// are, the view, is the searcher's business: it must apply it before its cut-off
// at k, or what others own would starve the answer. Results need no order.
type Searcher interface {
	// Parents returns the k parents nearest to q, and how many passages they hold
	// together.
	Parents(ctx context.Context, q []float32, k int) (near []Scored, passages int, err error)
	// Inside returns the k passages nearest to q among those of parents. It must
	// look at these only, not at the nearest of all and then drop the others.
	Inside(ctx context.Context, q []float32, parents []int64, k int) ([]Scored, error)
	// Flat returns the k passages nearest to q.
	Flat(ctx context.Context, q []float32, k int) ([]Scored, error)
}

// Query is what the three tiers look for.
type Query struct {
	Vector []float32
	K      int // candidates wanted from a tier; below 1 finds nothing
	// Parents is how many parents tier 1 picks; below 1 is DefaultParents.
	Parents int
	// FlatFrom is how many passages the nearest parents must hold together for
	// tier 3 to be searched in place of tier 2: from where it takes no longer, and
	// reaches what is near inside of them, too. 0 takes tier 3 in any case, below 0
	// is never.
	FlatFrom int
	// Weak is the similarity below which the best of tier 2 is not good enough to
	// do without tier 3.
	Weak float32
}

// Candidate is a passage that a tier found.
type Candidate struct {
	ID         int64
	Similarity float32
	Tier       int // the first that found it: 2, inside the best parents, or 3, flat
}

// Tiers searches in three steps: the parents nearest to the query (tier 1), the
// passages inside them (tier 2), and all passages (tier 3). The third is taken in
// place of the second where the query says so, and after it where the second
// found fewer than K or none that is near. It returns each passage once, the most
// similar first, equals by id: at most 2 K, since what comes after ranks and cuts.
// The error of a tier ends the search.
func Tiers(ctx context.Context, s Searcher, q Query) ([]Candidate, error) {
	if q.K < 1 {
		return nil, nil
	}
	parents := q.Parents
	if parents < 1 {
		parents = DefaultParents
	}
	best, passages, err := s.Parents(ctx, q.Vector, parents)
	if err != nil {
		return nil, fmt.Errorf("search tier 1 for %d parents: %w", parents, err)
	}
	var found candidates
	instead := q.FlatFrom >= 0 && passages >= q.FlatFrom
	if len(best) > 0 && !instead {
		ids := make([]int64, len(best))
		for i, p := range best {
			ids[i] = p.ID
		}
		inside, err := s.Inside(ctx, q.Vector, ids, q.K)
		if err != nil {
			return nil, fmt.Errorf("search tier 2 in %d parents: %w", len(ids), err)
		}
		found.add(inside, 2)
	}
	if instead || len(found.list) < q.K || !(found.nearest() >= q.Weak) {
		flat, err := s.Flat(ctx, q.Vector, q.K)
		if err != nil {
			return nil, fmt.Errorf("search tier 3: %w", err)
		}
		found.add(flat, 3)
	}
	slices.SortFunc(found.list, func(a, b Candidate) int {
		return compareScored(Scored{a.ID, a.Similarity}, Scored{b.ID, b.Similarity})
	})
	return found.list, nil
}

// candidates collects passages, each once.
type candidates struct {
	list []Candidate
	seen map[int64]bool
}

func (c *candidates) add(found []Scored, tier int) {
	if c.seen == nil {
		c.seen = make(map[int64]bool, 2*len(found))
	}
	for _, f := range found {
		if !c.seen[f.ID] {
			c.seen[f.ID] = true
			c.list = append(c.list, Candidate{ID: f.ID, Similarity: f.Similarity, Tier: tier})
		}
	}
}

// nearest returns the highest similarity of a list that is not empty.
func (c *candidates) nearest() float32 {
	best := c.list[0].Similarity
	for _, x := range c.list[1:] {
		best = max(best, x.Similarity)
	}
	return best
}
