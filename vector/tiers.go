package vector

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// DefaultParents is how many parents [Tiers] searches if the query does not say.
const DefaultParents = 3

// Scored is a passage or parent with its similarity: a cosine unless said otherwise.
type Scored struct {
	ID         int64
	Similarity float32
}

// compareScored orders by descending similarity, then by id.
func compareScored(a, b Scored) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
}

// Searcher is what [Tiers] searches: passages, each with one parent (the category of a
// fact, the file of a section, the session of a turn). The searcher must restrict the
// search to the view before its cut-off at k; otherwise passages of others would take up
// the places. Results need no order.
type Searcher interface {
	// Parents returns the k parents nearest to q and the total number of passages that
	// they hold.
	Parents(ctx context.Context, q []float32, k int) (near []Scored, passages int, err error)
	// Inside returns the k passages nearest to q among those of parents. It must search
	// only these, rather than drop the others from the nearest of all.
	Inside(ctx context.Context, q []float32, parents []int64, k int) ([]Scored, error)
	// Flat returns the k passages nearest to q.
	Flat(ctx context.Context, q []float32, k int) ([]Scored, error)
}

// Query is what [Tiers] looks for.
type Query struct {
	Vector []float32
	K      int // candidates wanted from each tier; below 1 finds nothing
	// Parents is how many parents tier 1 picks; below 1 is DefaultParents.
	Parents int
	// FlatFrom is how many passages the nearest parents must hold together for tier 3 to
	// replace tier 2: from this number on, tier 3 takes no longer, and it also finds near
	// passages outside the parents. 0 always replaces tier 2, a negative number never.
	FlatFrom int
	// Weak is the similarity that the best passage of tier 2 must reach for the search to
	// do without tier 3.
	Weak float32
}

// Candidate is a passage that a tier found.
type Candidate struct {
	ID         int64
	Similarity float32
	Tier       int // first tier that found it: 2, inside the nearest parents, or 3, among all passages
}

// Tiers searches in three steps: the parents nearest to the query (tier 1), the passages
// inside them (tier 2), and all passages (tier 3). Tier 3 replaces tier 2 if the query
// says so, and follows it if tier 2 found fewer than K passages or none that is near
// enough. Tiers returns each passage once, most similar first, then by id. It returns up
// to 2 K passages, because the caller ranks and cuts them. An error in a tier ends the
// search.
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

// candidates collects passages without duplicates.
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

// nearest returns the highest similarity in the list, which must not be empty.
func (c *candidates) nearest() float32 {
	best := c.list[0].Similarity
	for _, x := range c.list[1:] {
		best = max(best, x.Similarity)
	}
	return best
}
