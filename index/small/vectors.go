package small

import (
	"context"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Nearest returns the k facts that pass a filter and are closest to a vector of
// unit length, closest first: those of some parents, or of all if there are none.
func (s *Set) Nearest(ctx context.Context, src Source, m Model, unit []float32, parents []int64, f *passage.Filter, k int) ([]store.Near, error) {
	all, err := s.vectors(ctx, src, m)
	if err != nil {
		return nil, err
	}
	top := vector.NewTopK(min(k, len(s.facts)))
	var vectors [4][]float32 // measured side by side
	var numbers [4]int64
	n := 0
	s.each(f, func(i int, fact *fact) {
		if all[i] == nil || len(parents) > 0 && !slices.Contains(parents, fact.row.Parent) {
			return
		}
		vectors[n], numbers[n] = all[i], fact.row.Number
		if n++; n == len(vectors) {
			for i, d := range vector.Distances(&vectors, unit) {
				top.Offer(numbers[i], vector.CosineAt(d))
			}
			n = 0
		}
	})
	for i := range n {
		top.Offer(numbers[i], vector.CosineAt(vector.Distance(vectors[i], unit)))
	}
	var out []store.Near
	for _, n := range top.Sorted() {
		out = append(out, store.Near{Number: n.ID, Similarity: n.Similarity})
	}
	return out, nil
}

// Similarities returns the cosine of a vector of unit length with each numbered
// fact; 0 for one without a vector. It returns nil if one of the numbers is of no
// current fact.
func (s *Set) Similarities(ctx context.Context, src Source, m Model, unit []float32, numbers []int64) ([]float32, error) {
	all, err := s.vectors(ctx, src, m)
	if err != nil {
		return nil, err
	}
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		at, ok := s.find(n)
		if !ok {
			return nil, nil
		}
		if v := all[at]; v != nil {
			out[i] = vector.CosineAt(vector.Distance(v, unit))
		}
	}
	return out, nil
}

// vectors returns the vectors of the facts by a model, nil for one without. What
// was not read yet is, and is kept in the place of another model's.
func (s *Set) vectors(ctx context.Context, src Source, m Model) ([][]float32, error) {
	out := make([][]float32, len(s.facts))
	var missing []int64
	for i, f := range s.facts {
		if v := f.vector.Load(); v != nil && v.model == m {
			out[i] = v.v
		} else {
			missing = append(missing, f.row.Number)
		}
	}
	if len(missing) == 0 {
		return out, nil
	}
	err := src.Vectors(ctx, m.Number, missing, func(number int64, scaled []byte) error {
		v, err := vector.DecodeScaled(scaled, m.Dim)
		if err != nil {
			return passage.Corrupt("read vector", err.Error())
		}
		if i, ok := s.find(number); ok {
			out[i] = v
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, n := range missing {
		i, _ := s.find(n)
		s.facts[i].vector.Store(&factVector{model: m, v: out[i]})
	}
	s.grown()
	return out, nil
}
