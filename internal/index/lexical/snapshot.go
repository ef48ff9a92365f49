package lexical

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Snapshot is the index as one transaction sees it. It is not safe for concurrent
// use.
type Snapshot struct {
	index   *Index
	src     Source
	writing bool
	scopes  map[int64]*scopeView
}

// scopeView is what a snapshot has read of a scope.
type scopeView struct {
	Scope
	passages *passages // nil if they are not in memory
	pending  *Pending  // nil until first needed
}

// Snapshot returns the index as the transaction of src sees it. If the transaction
// writes, what it sees may change and may never be committed, so none of it is
// cached.
func (x *Index) Snapshot(src Source, writing bool) *Snapshot {
	return &Snapshot{index: x, src: src, writing: writing}
}

// scope returns the view of a scope.
func (s *Snapshot) scope(ctx context.Context, scope int64) (*scopeView, error) {
	if v := s.scopes[scope]; v != nil {
		return v, nil
	}
	now, err := s.src.Scope(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("read what is counted of a scope: %w", err)
	}
	v := &scopeView{Scope: now}
	if !s.writing {
		if s.scopes == nil {
			s.scopes = make(map[int64]*scopeView)
		}
		s.scopes[scope] = v
	}
	return v, nil
}

// Pending returns the pending terms of a scope.
func (s *Snapshot) Pending(ctx context.Context, scope int64) (*Pending, error) {
	v, err := s.scope(ctx, scope)
	if err != nil || v.pending != nil {
		return v.pending, err
	}
	switch {
	case !v.Pending:
		v.pending = new(Pending)
		return v.pending, nil
	case s.writing:
		return readPending(ctx, s.src, scope)
	}
	c := s.index.scope(scope)
	v.pending = c.pending.Load()
	if v.pending == nil || v.pending.change != v.Change {
		if v.pending, err = readPending(ctx, s.src, scope); err != nil {
			return nil, fmt.Errorf("read pending terms: %w", err)
		}
		v.pending.change = v.Change
		c.mu.Lock()
		defer c.mu.Unlock()
		c.pending.Store(v.pending)
		s.index.count(scope, c)
	}
	return v.pending, nil
}

// Passing lists the passages of a scope that pass a filter and, if parents is not
// empty, belong to one of the parents. It uses only passages that the snapshot has
// already searched in memory, and reports false if there are none. Scanning a
// million passages in memory takes a few milliseconds; reading part of a million
// rows takes a quarter of a second.
func (s *Snapshot) Passing(ctx context.Context, scope int64, f store.Filter, parents []int64) (list []int64, ok bool) {
	v := s.scopes[scope]
	if v == nil || v.passages == nil || f.AsOf != nil {
		return nil, false
	}
	passes, err := s.filter(ctx, scope, f)
	if err != nil {
		return nil, false // reading the rows will report the error
	}
	return v.passages.passing(&passes, parents), true
}

// filter prepares a filter.
func (s *Snapshot) filter(ctx context.Context, scope int64, f store.Filter) (passage.Filter, error) {
	var sessions []int64
	if f.SessionKind != "" {
		var err error
		if sessions, err = s.src.SessionNumbers(ctx, scope, f.SessionKind); err != nil {
			return passage.Filter{}, fmt.Errorf("read sessions of a kind: %w", err)
		}
	}
	return passage.NewFilter(f, sessions), nil
}

// total counts the passages of a scope that have the kinds of a filter, and their
// words. For a past time it counts the rows.
func (s *Snapshot) total(ctx context.Context, scope int64, f store.Filter) (sum Total, err error) {
	if f.AsOf == nil {
		v, err := s.scope(ctx, scope)
		if err != nil {
			return sum, err
		}
		return v.Totals.Of(passage.KindMask(f.Kinds)), nil
	}
	passes := passage.NewFilter(store.Filter{Kinds: f.Kinds, AsOf: f.AsOf}, nil)
	low, high := passage.Numbers(scope)
	err = s.src.RowsBetween(ctx, low, high, func(r *passage.Row) error {
		if passes.Passes(r) {
			sum.Passages++
			sum.Words += int64(r.Words)
		}
		return nil
	})
	return sum, err
}
