package nearest

import (
	"context"
	"errors"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// Query asks for the passages of a scope that are closest to a vector.
type Query struct {
	Scope  int64
	Model  int64
	Vector []float32 // of unit length
	Filter store.Filter
	// Parents are those that the search is confined to, ascending; nil for none.
	Parents []int64
	K       int
	// Writing says that the transaction may see what is never committed, so that
	// nothing that is read in it may be cached.
	Writing bool
	// Passing lists the passages of the scope, or of its parents if there are
	// any, that pass the filter, from what is in memory already. It reports false
	// where they are to be read; nil always does.
	Passing func() ([]int64, bool)
}

// search is a query under way.
type search struct {
	Query
	index  *Index
	src    Source
	filter passage.Filter
}

// Nearest returns the k passages closest to the vector, closest first.
//
// Where there are few passages, all are measured. Where there are many, their codes
// are scanned, and those with the best scores that pass the filter are measured.
func (x *Index) Nearest(ctx context.Context, src Source, q Query) ([]store.Near, error) {
	s := &search{Query: q, index: x, src: src}
	var sessions []int64
	if q.Filter.SessionKind != "" {
		var err error
		if sessions, err = src.Sessions(ctx, q.Scope, q.Filter.SessionKind); err != nil {
			return nil, err
		}
	}
	s.filter = passage.NewFilter(q.Filter, sessions)
	if s.Parents != nil {
		s.Parents = slices.DeleteFunc(slices.Clone(s.Parents), func(p int64) bool { return passage.Scope(p) != s.Scope })
		// Where they hold many passages, the whole scope is searched: the parents
		// asked for are near, and so are most of those inside. Listing what they hold
		// takes longer than scanning a million codes.
		n, err := src.CountMembers(ctx, s.Parents)
		if err != nil {
			return nil, err
		}
		if n <= CodeFrom {
			return s.exhaustive(ctx, s.passages(nil))
		}
	}
	heads, err := src.Heads(ctx, q.Scope, q.Model, passage.KindMask(q.Filter.Kinds))
	if err != nil {
		return nil, err
	}
	heads = slices.DeleteFunc(heads, func(h Head) bool { return h.Coded+h.Pending == 0 })
	if !slices.ContainsFunc(heads, func(h Head) bool { return h.Coded > 0 }) {
		return s.exhaustive(ctx, s.passages(nil))
	}
	found, err := s.byCodes(ctx, heads)
	if errors.Is(err, errDamaged) {
		return s.exhaustive(ctx, s.passages(nil))
	}
	return found, err
}

// passages are some of those that the search looks at; nil for all.
func (s *search) passages(numbers []int64) Passages {
	return Passages{Scope: s.Scope, Parents: s.Parents, Numbers: numbers}
}

// exhaustive measures all of some passages and then reads the rows of the closest:
// reading the row of each would take longer than measuring them.
func (s *search) exhaustive(ctx context.Context, of Passages) (out []store.Near, err error) {
	found, err := s.measure(ctx, of)
	if err != nil {
		return nil, err
	}
	tried := 0
	for n := s.K; len(out) < s.K && tried < len(found); n *= 4 {
		closest := best(found, n)[tried:]
		if len(closest) == 0 {
			break // the rest has no distance
		}
		tried += len(closest)
		numbers := make([]int64, len(closest))
		for i, c := range closest {
			numbers[i] = c.Number
		}
		passing, err := s.passing(ctx, numbers)
		if err != nil {
			return nil, err
		}
		for _, c := range closest {
			if _, ok := slices.BinarySearch(passing, c.Number); ok && len(out) < s.K {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// passing returns those of some passages that pass the filter and are inside the
// parents, ascending. It sorts numbers.
func (s *search) passing(ctx context.Context, numbers []int64) ([]int64, error) {
	slices.Sort(numbers) // neighbors in the table are read together
	out := make([]int64, 0, len(numbers))
	err := s.src.Rows(ctx, Passages{Scope: s.Scope, Numbers: numbers}, func(r *passage.Row) error {
		if s.passes(r) {
			out = append(out, r.Number)
		}
		return nil
	})
	slices.Sort(out)
	return out, err
}

// passes reports whether a passage passes the filter and is inside the parents.
func (s *search) passes(r *passage.Row) bool {
	if !s.filter.Passes(r) {
		return false
	}
	if s.Parents == nil {
		return true
	}
	_, ok := slices.BinarySearch(s.Parents, r.Parent)
	return ok
}

// byCodes searches by the codes of some heads.
func (s *search) byCodes(ctx context.Context, heads []Head) ([]store.Near, error) {
	found, tried, err := s.measureLikely(ctx, heads, nil)
	if err != nil {
		return nil, err
	}
	// Where a quarter of those tried pass, enough were tried for the k nearest to be
	// among them.
	if n := len(found); n >= s.K && 4*n >= tried {
		return best(found, s.K), nil
	}
	within, err := s.allPassing(ctx)
	if err != nil {
		return nil, err
	}
	if len(within.list) > CodeFrom {
		found, _, err = s.measureLikely(ctx, heads, within)
	} else {
		slices.Sort(within.list) // neighbors in the table are read together
		found, err = s.measure(ctx, s.passages(within.list))
	}
	return best(found, s.K), err
}

// measureLikely measures the passages that may be among the nearest by their codes,
// and all that have no code. It returns those that pass the filter, and how many it
// tried.
func (s *search) measureLikely(ctx context.Context, heads []Head, within *numberSet) (found []vector.Scored, tried int, err error) {
	e := s.newCodeSearch()
	defer e.close()
	if err := e.open(ctx, heads, within); err != nil {
		return nil, 0, err
	}
	err = e.run(ctx, within == nil)
	return e.found, len(e.tried), err
}

// allPassing lists all passages that pass the filter.
func (s *search) allPassing(ctx context.Context) (*numberSet, error) {
	if s.Passing != nil {
		if list, ok := s.Passing(); ok {
			return newNumberSet(list), nil
		}
	}
	list := []int64{} // not nil, which would mean all
	err := s.src.Rows(ctx, s.passages(nil), func(r *passage.Row) error {
		if s.passes(r) {
			list = append(list, r.Number)
		}
		return nil
	})
	return newNumberSet(list), err
}

// Similarities returns the cosine of the vector of a query with each numbered
// passage of its scope; 0 for one without a vector.
func (x *Index) Similarities(ctx context.Context, src Source, q Query, numbers []int64) ([]float32, error) {
	s := search{Query: q, index: x, src: src}
	sorted := slices.Clone(numbers)
	slices.Sort(sorted)
	sorted = slices.DeleteFunc(slices.Compact(sorted), func(n int64) bool { return passage.Scope(n) != q.Scope })
	found, err := s.measure(ctx, Passages{Scope: q.Scope, Numbers: sorted})
	if err != nil {
		return nil, err
	}
	cosine := make(map[int64]float32, len(found))
	for _, f := range found {
		cosine[f.ID] = f.Similarity
	}
	out := make([]float32, len(numbers))
	for i, n := range numbers {
		out[i] = cosine[n]
	}
	return out, nil
}

// Load reads the codes that a query needs into memory.
func (x *Index) Load(ctx context.Context, src Source, q Query, dim int) error {
	heads, err := src.Heads(ctx, q.Scope, q.Model, passage.KindMask(q.Filter.Kinds))
	if err != nil {
		return err
	}
	for _, h := range heads {
		if h.Coded == 0 {
			continue
		}
		if _, err := x.open(ctx, src, h, dim, q.Writing); err != nil {
			return err
		}
	}
	return nil
}
