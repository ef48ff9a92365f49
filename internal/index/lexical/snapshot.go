package lexical

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Snapshot is the index as one transaction sees it. It is not for several
// goroutines at once.
type Snapshot struct {
	index   *Index
	src     Source
	writing bool
	scopes  map[int64]*scopeView
}

// scopeView is what a snapshot knows of a scope.
type scopeView struct {
	Scope
	passages *passages // nil if they are not in memory
	pending  *Pending  // nil before they are asked for
}

// Snapshot returns the index as the transaction of src sees it. What one that
// writes sees may never be committed, and changes: nothing of it is kept.
func (x *Index) Snapshot(src Source, writing bool) *Snapshot {
	return &Snapshot{index: x, src: src, writing: writing}
}

// scope returns what is known of a scope.
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

// Pending returns the terms of a scope whose entries are pending.
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

// Passing lists the passages of a scope that pass a filter, and are of one of some
// parents if there are any, from what the snapshot searched in memory. It reports
// false where that is not to be had. To read a part of a million rows takes a
// quarter of a second, to look through all in memory some milliseconds.
func (s *Snapshot) Passing(ctx context.Context, scope int64, f store.Filter, parents []int64) (list []int64, ok bool) {
	v := s.scopes[scope]
	if v == nil || v.passages == nil || f.AsOf != nil {
		return nil, false
	}
	passes, err := s.filter(ctx, scope, f)
	if err != nil {
		return nil, false // who reads the rows finds it, too
	}
	return v.passages.passing(&passes, parents), true
}

// filter makes a filter ready.
func (s *Snapshot) filter(ctx context.Context, scope int64, f store.Filter) (passage.Filter, error) {
	var sessions []int64
	if f.SessionKind != "" {
		var err error
		if sessions, err = s.src.Sessions(ctx, scope, f.SessionKind); err != nil {
			return passage.Filter{}, fmt.Errorf("read sessions of a kind: %w", err)
		}
	}
	return passage.NewFilter(f, sessions), nil
}

// total counts the passages of a scope that pass the kinds of a filter, and their
// words. Those of another time are counted anew.
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
