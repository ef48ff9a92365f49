package nearest

import (
	"context"
	"errors"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Query asks for the passages of a scope that are closest to a vector.
type Query struct {
	Scope  int64
	Model  int64
	Vector []float32 // of unit length
	Filter store.Filter
	// Parents, in ascending order, restrict the search to their passages; nil means no
	// restriction.
	Parents []int64
	K       int
	// Writing says that the query runs in a write transaction. What it reads may never
	// be committed, so nothing is cached.
	Writing bool
	// Passing lists the passages of the scope, or of its parents if there are any, that
	// pass the filter, using only what is already in memory. It reports false if the
	// passages must be read from the store. A nil Passing means they always must.
	Passing func() ([]int64, bool)
}

// search is a query under way.
type search struct {
	Query
	index  *Index
	src    Source
	filter passage.Filter
	inside bool   // the parents have so few passages that all of them are measured
	heads  []Head // unset if inside is set
}

// overfetch is how many of the closest are fetched for each result wanted, since a
// filter may leave some out.
const overfetch = 2

// Nearest returns the k passages closest to the vector, closest first.
//
// The store measures all passages of the parents if there are few, else all of the
// scope if it has few, else those that a scan of the codes selects.
func (x *Index) Nearest(ctx context.Context, src Source, q Query) ([]store.Near, error) {
	s := &search{Query: q, index: x, src: src}
	var sessions []int64
	if q.Filter.SessionKind != "" {
		var err error
		if sessions, err = src.SessionNumbers(ctx, q.Scope, q.Filter.SessionKind); err != nil {
			return nil, err
		}
	}
	s.filter = passage.NewFilter(q.Filter, sessions)
	if s.Parents != nil {
		s.Parents = slices.DeleteFunc(slices.Clone(s.Parents), func(p int64) bool { return passage.Scope(p) != s.Scope })
		// Where they hold many passages, the whole scope is searched: the parents asked
		// for are near, and so are most of their passages. Listing those takes longer
		// than scanning a million codes.
		n, err := src.CountMembers(ctx, s.Parents)
		if err != nil {
			return nil, err
		}
		s.inside = n <= CodeFrom
	}
	if !s.inside {
		var err error
		if s.heads, err = src.Heads(ctx, q.Scope, q.Model, passage.KindMask(q.Filter.Kinds)); err != nil {
			return nil, err
		}
	}
	return s.run(ctx)
}

// run measures the candidates. If the filter leaves too few of the closest, run
// lists all passages that pass and measures only those.
func (s *search) run(ctx context.Context) ([]store.Near, error) {
	of, all, err := s.candidates(ctx, nil)
	if err != nil {
		return nil, err
	}
	most := overfetch * s.K
	found, measured, err := s.closest(ctx, of, most)
	if err != nil || len(found) >= s.K || all && measured < most {
		return found[:min(s.K, len(found))], err
	}
	within, err := s.allPassing(ctx)
	if err != nil {
		return nil, err
	}
	if of, _, err = s.candidates(ctx, within); err != nil {
		return nil, err
	}
	found, _, err = s.closest(ctx, of, s.K)
	return found, err
}

// candidates returns the passages in within to measure, and whether these are all
// there are. A nil within holds every passage.
func (s *search) candidates(ctx context.Context, within *numberSet) (of Passages, all bool, err error) {
	every := Passages{Scope: s.Scope, Parents: s.Parents}
	if within != nil {
		every.Numbers = within.list
	}
	if s.inside || within != nil && len(within.list) <= CodeFrom {
		return every, true, nil
	}
	of = Passages{Scope: s.Scope, Numbers: []int64{}}
	all = true
	for _, h := range s.heads {
		if h.Coded > 0 {
			all = false
			best, err := s.byCodes(ctx, h, within)
			if errors.Is(err, errDamaged) {
				return every, true, nil // slow, but correct
			}
			if err != nil {
				return of, false, err
			}
			of.Numbers = append(of.Numbers, best...)
		}
		if within == nil {
			of.Pending = append(of.Pending, h.ID)
			continue
		}
		pending, err := s.src.Pending(ctx, h.ID)
		if err != nil {
			return of, false, err
		}
		of.Numbers = append(of.Numbers, slices.DeleteFunc(pending, func(n int64) bool { return !within.has(n) })...)
	}
	slices.Sort(of.Numbers) // neighbors in the table are read together
	return of, all, nil
}

// closest has the store measure some passages. It returns those of the most closest
// that pass, and how many the store returned.
func (s *search) closest(ctx context.Context, of Passages, most int) (found []store.Near, measured int, err error) {
	err = s.src.Closest(ctx, s.Model, s.Vector, of, most, func(r *passage.Row, similarity float32) error {
		measured++
		if s.passes(r) {
			found = append(found, store.Near{Number: r.Number, Similarity: similarity})
		}
		return nil
	})
	return found, measured, err
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

// allPassing returns the set of all passages that pass the filter.
func (s *search) allPassing(ctx context.Context) (*numberSet, error) {
	if s.Passing != nil {
		if list, ok := s.Passing(); ok {
			slices.Sort(list)
			return newNumberSet(list), nil
		}
	}
	list := []int64{} // not nil, which would mean all
	err := s.src.Rows(ctx, Passages{Scope: s.Scope, Parents: s.Parents}, func(r *passage.Row) error {
		if s.passes(r) {
			list = append(list, r.Number)
		}
		return nil
	})
	slices.Sort(list)
	return newNumberSet(list), err
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
