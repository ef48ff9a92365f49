package lexical

import (
	"context"
	"errors"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
)

// passages returns the passages of a scope as the snapshot sees them. It returns nil
// if they are not in memory: the scope is small or not loaded yet, or the
// transaction is older than the data in memory.
func (s *Snapshot) passages(ctx context.Context, scope int64) (*passages, error) {
	v, err := s.scope(ctx, scope)
	if err != nil || v.passages != nil {
		return v.passages, err
	}
	c := s.index.scope(scope)
	if c.passages.Load() == nil {
		if err := s.load(ctx, scope, c, v); err != nil {
			return nil, err
		}
	} else {
		s.index.finishLoading(scope, c)
	}
	v.passages, err = s.current(ctx, c, v)
	return v.passages, err
}

// load loads the passages of a scope that has been searched often enough: in this
// search or, if that would take long, in the background.
func (s *Snapshot) load(ctx context.Context, scope int64, c *cachedScope, v *scopeView) error {
	limits := &s.index.Limits
	n := v.Totals.Of(^0).Passages
	if c.unfit.Load() || n < limits.Passages {
		return nil
	}
	asked, covered := c.asked.Add(1)-1, false
	switch {
	case n < limits.Background && asked < limits.Asked:
		return nil
	case n >= limits.Background && asked >= backgroundAfter:
		if s.index.loadInBackground(scope, c) {
			return nil
		}
	case n >= limits.Background:
		if covered = true; asked > 0 {
			return nil
		}
	}
	if !c.loading.CompareAndSwap(false, true) {
		return nil
	}
	defer c.loading.Store(false)
	todo, err := s.index.read(ctx, s.src, scope, c, covered)
	if err == nil && covered && c.passages.Load() != nil {
		c.packing.Store(&todo)
	}
	return err
}

// current returns the passages of a scope in memory, brought up to the change that
// the snapshot sees. It returns nil if they are newer or must be read anew.
func (s *Snapshot) current(ctx context.Context, c *cachedScope, v *scopeView) (*passages, error) {
	if p := c.passages.Load(); p == nil || p.change == v.Change {
		return p, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.passages.Load()
	if p == nil || p.change == v.Change {
		return p, nil
	}
	if p.change > v.Change {
		return nil, nil
	}
	next, _, err := p.catchUp(ctx, s.src, v.Change, s.index.Limits.anew(len(p.list)))
	if err != nil {
		return nil, err
	}
	c.passages.Store(next) // if nil, they are read anew
	s.index.count(p.scope, c)
	return next, nil
}

// read loads all passages of a scope, from blocks as far as possible, and returns
// which blocks need to be written. If covered is set, it loads nothing unless blocks
// hold nearly all passages.
func (x *Index) read(ctx context.Context, src Source, scope int64, c *cachedScope, covered bool) (Packing, error) {
	now, err := src.Scope(ctx, scope)
	if err != nil {
		return Packing{}, err
	}
	blocks, err := src.Blocks(ctx, scope)
	if err != nil {
		return Packing{}, err
	}
	held := int64(0)
	for _, b := range blocks {
		held += b.Size / cachedBytes
	}
	all := int(now.Totals.Of(^0).Passages)
	stale, most := x.Limits.stale(all), x.Limits.anew(all)
	if covered {
		if most = min(most, stale); len(blocks) == 0 || held+stale < int64(all) {
			return Packing{}, nil
		}
	}
	p, todo, err := readPassages(ctx, src, scope, now, blocks, stale, most)
	if err == nil && p == nil && !covered { // the blocks are too old
		p, todo, err = readPassages(ctx, src, scope, now, nil, stale, most)
		todo.Before = now.Change
	}
	if errors.Is(err, errUnfit) {
		c.unfit.Store(true)
		return Packing{}, nil
	}
	if err != nil || p == nil {
		return Packing{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.passages.Load() != nil {
		return Packing{}, nil // another goroutine was faster
	}
	c.passages.Store(p)
	x.count(scope, c)
	return todo, nil
}

// errUnfit means that a scope, or a number in it, is too large for the index.
var errUnfit = errors.New("passages do not fit")

// readPassages reads the passages of a scope from blocks, those that no block covers
// from rows, and then what changed since. It returns nil if more than most passages
// changed. It asks for new blocks if more than stale changed or are in no block.
func readPassages(ctx context.Context, src Source, scope int64, now Scope, blocks []Block, stale, most int64) (*passages, Packing, error) {
	p := newPassages(scope, now.Change, now.Totals)
	todo := Packing{Wanted: len(blocks) == 0}
	next, last := passage.Numbers(scope)
	rowsTo := func(high int64) error {
		before := len(p.list)
		if err := p.addRows(ctx, src, next, high); err != nil {
			return err
		}
		next = high + 1
		todo.Wanted = todo.Wanted || int64(len(p.list)-before) > stale
		return nil
	}
	var list []cachedPassage
	for _, b := range blocks {
		ok := b.fits(next, last, now.Change)
		if ok {
			packed, err := src.BlockPassages(ctx, b.Low)
			if err != nil {
				return nil, todo, err
			}
			list, ok = b.unpack(list, packed)
		}
		if !ok { // its passages are read together with those before the next block
			todo.Wanted, todo.Replace = true, true
			continue
		}
		if b.Low > next {
			todo.Wanted = true
			if err := rowsTo(b.Low - 1); err != nil {
				return nil, todo, err
			}
		}
		for _, c := range list {
			if _, ok := p.add(c); !ok {
				return nil, todo, errUnfit
			}
		}
		next, p.change = b.High+1, min(p.change, b.Change)
	}
	if err := rowsTo(last); err != nil {
		return nil, todo, err
	}
	if p.change == now.Change {
		return p, todo, nil
	}
	p, changes, err := p.catchUp(ctx, src, now.Change, most)
	if changes > stale {
		todo.Wanted, todo.Before = true, now.Change
	}
	return p, todo, err
}

// addRows reads and adds the passages with numbers from low to high.
func (s *passages) addRows(ctx context.Context, src Source, low, high int64) error {
	return src.RowsBetween(ctx, low, high, func(r *passage.Row) error {
		c, ok := newCached(s.scope, r)
		if ok {
			_, ok = s.add(c)
		}
		if !ok {
			return errUnfit
		}
		return nil
	})
}

// catchUp returns a new version of the passages as of a change, and how many changes
// that took. It returns nil if there are more than most or if they cannot be
// applied; the scope must then be read anew. The caller holds the scope's lock or is
// the only one that sees the passages.
func (s *passages) catchUp(ctx context.Context, src Source, change, most int64) (*passages, int64, error) {
	removed, err := src.Removed(ctx, s.scope, s.change, most+1)
	if err != nil || int64(len(removed)) > most || slices.Contains(removed, 0) {
		return nil, most + 1, err
	}
	type changedPassage struct {
		cachedPassage
		terms string
	}
	var changed []changedPassage
	fits, listed := true, s.lists.size() > 0
	err = src.Changed(ctx, s.scope, s.change, most+1, listed, func(r *passage.Row, terms string) error {
		c, ok := newCached(s.scope, r)
		changed = append(changed, changedPassage{c, terms})
		fits = fits && ok
		return nil
	})
	changes := int64(len(removed) + len(changed))
	if err != nil || !fits || int64(len(changed)) > most {
		return nil, changes, err
	}
	next := *s
	next.change = change
	d := deletions{passages: &next}
	for _, n := range removed {
		d.delete(n)
	}
	plain := true
	for _, c := range changed {
		if at, ok := next.find(c.number); ok {
			if !listed && next.list[at] == c.cachedPassage {
				continue // a block already had it
			}
			d.delete(int64(c.number))
		}
		at, ok := next.add(c.cachedPassage)
		if !ok {
			return nil, changes, nil
		}
		plain = plain && (!listed || next.lists.add(at, c.terms))
	}
	if next.fragmented() {
		return nil, changes, nil
	}
	if !plain {
		next.lists = new(postingLists) // they are read from entries on demand
	}
	if len(removed) > 0 {
		next.lists.dropEmpty(&next)
	}
	return &next, changes, nil
}
