package sqlite

import (
	"context"
	"time"
)

// Of a large scope the first question reads the passages, where blocks tell
// nearly all of them. Else they are read beside the questions, which the
// term index answers
// until they are there. The lists of common words follow. A smaller scope is read
// by a few questions, each a part.

const (
	// besideFrom is the number of passages of a scope from which it is read
	// beside the questions.
	besideFrom = 50_000
	// besideAfter is how many searches come before: as many as one question takes.
	besideAfter = 2
	// loadedAtOnce is how many passages are read with one statement.
	loadedAtOnce = 8192
	// yields is how many times as long as it took to read a list, or to write a
	// block, the next one waits where others ask or write.
	yields = 4
)

// loadsBeside reports whether a scope with such totals is read beside the
// questions.
func (t *tx) loadsBeside(totals kindTotals) bool {
	from := t.db.postings.limits.beside
	return from > 0 && totals.all().passages >= from
}

// beginLoading has a large scope read beside the questions before the term index has
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
// answered from memory, and then what loadLists does.
func (db *DB) loadPostings(ctx context.Context, scopeNo int64, kept *cachedPostings) error {
	var todo packing
	err := db.view(ctx, func(t *tx) (err error) {
		_, todo, err = t.loadPassages(ctx, scopeNo, kept)
		return err
	})
	if err != nil {
		return err
	}
	return db.loadLists(ctx, scopeNo, kept, todo)
}

// loadLists reads the lists of the commonest terms of a scope whose passages are
// kept, and packs what the next process would have to read from rows.
func (db *DB) loadLists(ctx context.Context, scopeNo int64, kept *cachedPostings, todo packing) error {
	set := kept.set.Load()
	if set == nil {
		return nil
	}
	var common []string
	err := db.view(ctx, func(t *tx) (err error) {
		common, err = t.commonTerms(ctx, scopeNo, int64(len(set.passages)))
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
	return db.pack(ctx, scopeNo, todo)
}

// loadBlocks reads the passages of a scope for its first question, if blocks tell
// nearly all of them: that takes less time than a search of the term index. It
// returns nil if they do not.
func (t *tx) loadBlocks(ctx context.Context, scopeNo int64, kept *cachedPostings) (*postingSet, error) {
	if inBlocks, err := t.inBlocks(ctx, scopeNo); err != nil || !inBlocks {
		return nil, err
	}
	if !kept.loading.CompareAndSwap(false, true) {
		return nil, nil
	}
	defer kept.loading.Store(false)
	set, todo, err := t.loadPassages(ctx, scopeNo, kept)
	if set != nil {
		kept.rest.Store(&todo)
	}
	return set, err
}

// loadRest has the lists of a scope read beside its second question, of which
// the first has read the passages: a command that asks one needs no other lists.
func (db *DB) loadRest(scopeNo int64, kept *cachedPostings) {
	if todo := kept.rest.Swap(nil); todo != nil {
		db.beside(func(ctx context.Context) {
			_ = db.loadLists(ctx, scopeNo, kept, *todo) // what is missing is read when it is asked for
		})
	}
}

// giveWay waits for a while if something else is read at the moment.
func (db *DB) giveWay(ctx context.Context, d time.Duration) error {
	if !db.readers.busy() {
		return ctx.Err()
	}
	return pause(ctx, d)
}

// pause waits for a while.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loadPassages reads the passages of a scope, and finds out what is to be packed
// of them. It returns nil where they cannot be kept.
func (t *tx) loadPassages(ctx context.Context, scopeNo int64, kept *cachedPostings) (*postingSet, packing, error) {
	change, err := t.postingChange(ctx, scopeNo)
	if err != nil {
		return nil, packing{}, err
	}
	totals, err := t.kindTotals(ctx, scopeNo)
	if err != nil {
		return nil, packing{}, err
	}
	r := newPostingReader(scopeNo, change, totals.all().passages, 0)
	r.set.totals, r.step = totals, loadedAtOnce
	todo, err := t.readScope(ctx, r)
	if err != nil {
		return nil, packing{}, err
	}
	if r.unfit {
		kept.unfit.Store(true)
		return nil, packing{}, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.set.Load() != nil {
		return nil, packing{}, nil // a question was quicker
	}
	kept.set.Store(r.set)
	t.db.postings.keep(scopeNo, kept)
	return r.set, todo, nil
}
