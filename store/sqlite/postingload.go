package sqlite

import (
	"context"
	"time"
)

// A large scope is read beside the questions, which FTS5 answers until its
// passages are there, and then its common words. A smaller one is read by a few
// questions, each a part.

const (
	// besideFrom is the number of passages of a scope from which it is read
	// beside the questions.
	besideFrom = 50_000
	// besideAfter is how many searches come before: as many as one question takes.
	besideAfter = 2
	// loadedAtOnce is how many passages are read with one statement.
	loadedAtOnce = 8192
	// yields is how many times as long as it took to read a list the next one
	// waits where questions are asked: they read those that they need.
	yields = 4
)

// loadsBeside reports whether a scope with such totals is read beside the
// questions.
func (t *tx) loadsBeside(totals kindTotals) bool {
	from := t.db.postings.limits.beside
	return from > 0 && totals.all().passages >= from
}

// beginLoading has a large scope read beside the questions before FTS5 has
// answered as many as in a small one.
func (t *tx) beginLoading(ctx context.Context, scopeNo int64, kept *cachedPostings) error {
	if kept.set.Load() != nil || kept.loading.Load() {
		return nil
	}
	totals, err := t.kindTotals(ctx, scopeNo)
	if err == nil && t.loadsBeside(totals) {
		t.db.loadBeside(scopeNo, kept)
	}
	return err
}

// loadBeside reads a scope that is not kept yet beside the questions. It reports
// whether it does.
func (db *DB) loadBeside(scopeNo int64, kept *cachedPostings) bool {
	if !kept.loading.CompareAndSwap(false, true) {
		return true
	}
	begun := db.beside(func(ctx context.Context) {
		// After an error the next question tries again.
		_ = db.loadPostings(ctx, scopeNo, kept)
		kept.loading.Store(false)
	})
	if !begun {
		kept.loading.Store(false)
	}
	return begun
}

// loadPostings reads all passages of a scope, from when on its questions are
// answered from memory, and then the lists of its commonest terms.
func (db *DB) loadPostings(ctx context.Context, scopeNo int64, kept *cachedPostings) error {
	var common []string
	err := db.view(ctx, func(t *tx) error {
		set, err := t.loadPassages(ctx, scopeNo, kept)
		if err == nil && set != nil {
			common, err = t.commonTerms(ctx, scopeNo, int64(len(set.passages)))
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, term := range common {
		begun := time.Now()
		if err := db.view(ctx, func(t *tx) error { return t.warm(ctx, scopeNo, kept, term) }); err != nil {
			return err
		}
		if err := db.giveWay(ctx, yields*time.Since(begun)); err != nil {
			return err
		}
	}
	return nil
}

// giveWay waits for a while if something else is read at the moment.
func (db *DB) giveWay(ctx context.Context, d time.Duration) error {
	if !db.readers.busy() {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loadPassages reads the passages of a scope. It returns nil where they cannot be
// kept.
func (t *tx) loadPassages(ctx context.Context, scopeNo int64, kept *cachedPostings) (*postingSet, error) {
	change, err := t.postingChange(ctx, scopeNo)
	if err != nil {
		return nil, err
	}
	totals, err := t.kindTotals(ctx, scopeNo)
	if err != nil {
		return nil, err
	}
	r := newPostingReader(scopeNo, change, totals.all().passages, 0)
	r.set.totals, r.step = totals, loadedAtOnce
	for done := false; !done; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if done, err = t.readPosted(ctx, r); err != nil {
			return nil, err
		}
		if r.unfit {
			kept.unfit.Store(true)
			return nil, nil
		}
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.set.Load() != nil {
		return nil, nil // a question was quicker
	}
	kept.set.Store(r.set)
	t.db.postings.keep(scopeNo, kept)
	return r.set, nil
}
