package nearest

import (
	"context"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/vector"
)

// A stored sum of unit vectors may differ from a recomputed one by sumTolerance for each
// vector in it and by goneTolerance for each that was added and subtracted before: float32
// rounds a value by up to 6e-8 of it, and what was rounded while a sum was large stays
// when it is small. Measured: 50,000 similar vectors that were added and subtracted leave
// 0.06, 1.2e-6 each.
const (
	sumTolerance  = 1e-4
	goneTolerance = 3e-6
)

// Faults lists what a store derived wrongly from the vectors of a scope by a model.
type Faults struct {
	Codes   []int64 // passages whose codes do not match their vectors, or the first number of a bad block
	Parents []int64 // parents whose sums do not match their current passages
}

// Check compares codes and sums with the vectors of a scope by a model. It reads all
// of the vectors.
func Check(ctx context.Context, src Source, scope, model int64, dim int) (Faults, error) {
	c := check{src: src, model: model, dim: dim, members: make(map[int64]passage.Row),
		places: make(map[int64]int), sums: make(map[int64]*countedSum)}
	all := Passages{Scope: scope}
	low, _ := passage.Numbers(scope)
	err := src.Rows(ctx, all, func(r *passage.Row) error {
		c.members[r.Number] = *r
		c.ever = max(c.ever, r.Number-low)
		return nil
	})
	if err != nil {
		return c.Faults, err
	}
	heads, err := src.Heads(ctx, scope, model, passage.KindMask(nil))
	if err != nil {
		return c.Faults, err
	}
	for _, h := range heads {
		if err := c.head(ctx, scope, h); err != nil {
			return c.Faults, err
		}
	}
	if err := src.Vectors(ctx, model, all, c.vector); err != nil {
		return c.Faults, err
	}
	for n := range c.places { // codes without a vector
		c.Codes = append(c.Codes, n)
	}
	for _, kind := range []strata.Kind{strata.KindFact, strata.KindTurn, strata.KindSection} {
		if err := src.ParentSums(ctx, scope, model, kind, c.parent); err != nil {
			return c.Faults, err
		}
	}
	for parent := range c.sums { // missing sums
		c.Parents = append(c.Parents, parent)
	}
	slices.Sort(c.Codes)
	slices.Sort(c.Parents)
	c.Codes, c.Parents = slices.Compact(c.Codes), slices.Compact(c.Parents)
	return c.Faults, nil
}

// check is a comparison under way.
type check struct {
	Faults
	src     Source
	model   int64
	dim     int
	members map[int64]passage.Row
	ever    int64         // how many passages the scope had at least, also those that are gone: numbers are not given twice
	places  map[int64]int // how often a passage is in a block or pending
	sums    map[int64]*countedSum
}

// countedSum is the sum of the vectors of the current passages of a parent.
type countedSum struct {
	n   int64
	sum []float64
}

// head checks the codes of a head.
func (c *check) head(ctx context.Context, scope int64, h Head) error {
	place := func(n int64) {
		if c.places[n]++; c.members[n].Kind != h.Kind {
			c.Codes = append(c.Codes, n)
		}
	}
	pending, err := c.src.Pending(ctx, h.ID)
	if err != nil {
		return err
	}
	for _, n := range pending {
		place(n)
	}
	center, err := c.src.Center(ctx, h.ID)
	if err != nil {
		return err
	}
	coder, damaged := NewCoder(center, c.dim)
	var blocks []Block // undamaged ones
	live := 0
	err = c.src.Blocks(ctx, h.ID, -1, func(b Block) error {
		numbers := b.Live()
		live += len(numbers)
		for _, n := range numbers {
			if place(n); n < b.Low || n > b.High {
				c.Codes = append(c.Codes, n)
			}
		}
		if damaged != nil || !b.Whole(c.dim) {
			c.Codes = append(c.Codes, b.Low)
			return nil
		}
		b.Numbers, b.Codes = slices.Clone(b.Numbers), slices.Clone(b.Codes)
		blocks = append(blocks, b)
		return nil
	})
	if err != nil {
		return err
	}
	if live != int(h.Coded) {
		low, _ := passage.Numbers(scope)
		c.Codes = append(c.Codes, low)
	}
	for _, b := range blocks {
		if err := c.block(ctx, scope, b, coder); err != nil {
			return err
		}
	}
	return nil
}

// block compares the codes of a block with their vectors.
func (c *check) block(ctx context.Context, scope int64, b Block, coder *vector.Coder) error {
	whole := true
	numbers := b.Live()
	slices.Sort(numbers)
	err := c.src.Vectors(ctx, c.model, Passages{Scope: scope, Numbers: slices.Compact(numbers)}, func(n int64, stored []byte) error {
		v, err := vector.Decode(stored, c.dim)
		whole = whole && err == nil && b.Holds(b.Find(n), coder, v)
		return nil
	})
	if !whole {
		c.Codes = append(c.Codes, b.Low)
	}
	return err
}

// vector records a vector. Each must be either in one block or pending.
func (c *check) vector(n int64, stored []byte) error {
	if c.places[n] != 1 {
		c.Codes = append(c.Codes, n)
	}
	delete(c.places, n)
	r, ok := c.members[n]
	v, err := vector.Decode(stored, c.dim)
	if !ok || r.Retired != 0 || err != nil {
		return nil // damaged vectors are in no sum
	}
	s := c.sums[r.Parent]
	if s == nil {
		s = &countedSum{sum: make([]float64, c.dim)}
		c.sums[r.Parent] = s
	}
	s.n++
	for i, x := range v {
		s.sum[i] += float64(x)
	}
	return nil
}

// parent compares the stored sum of a parent with the sum of its passages' vectors.
func (c *check) parent(p ParentSum) error {
	s := c.sums[p.Number]
	delete(c.sums, p.Number)
	stored, err := vector.Decode(p.Sum, c.dim)
	if err != nil || s == nil || s.n != p.Count {
		c.Parents = append(c.Parents, p.Number)
		return nil
	}
	tolerance := sumTolerance*float64(1+s.n) + goneTolerance*float64(c.ever)
	for i, x := range s.sum {
		if !(math.Abs(x-float64(stored[i])) <= tolerance) {
			c.Parents = append(c.Parents, p.Number)
			break
		}
	}
	return nil
}
