package sqlite

import (
	"cmp"
	"context"
	"slices"

	"github.com/strata-memory/strata/index/passage"
)

// maxWaitingNews is the most changes that are added to what is kept: from more on
// all is read anew, which is no more than what waits before it is cut.
const maxWaitingNews = pendingTexts / 4

// waitingTerms returns the terms of a scope that wait, as the transaction sees them.
func (t *tx) waitingTerms(ctx context.Context, scopeNo int64) (*waitingTerms, error) {
	if t.group != nil { // what a writer sees may never be committed
		if err := t.writeWords(ctx); err != nil {
			return nil, err
		}
		return t.readWaiting(ctx, scopeNo, 0)
	}
	if s := t.waits[scopeNo]; s != nil {
		return s, nil
	}
	s, err := t.openWaiting(ctx, scopeNo)
	if err != nil {
		return nil, wrap("read terms that wait", err)
	}
	if t.waits == nil {
		t.waits = make(map[int64]*waitingTerms)
	}
	t.waits[scopeNo] = s
	return s, nil
}

// openWaiting is waitingTerms for a reader. What is kept is what the transaction sees
// if the scope has not changed since: texts are cut only with one that is new.
func (t *tx) openWaiting(ctx context.Context, scopeNo int64) (*waitingTerms, error) {
	low, high := passage.Numbers(scopeNo)
	n, err := t.queryIntegers(ctx, 3, `SELECT
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0),
		EXISTS (SELECT 1 FROM pending WHERE number BETWEEN ?2 AND ?3)`, scopeNo, low, high)
	if err != nil {
		return nil, err
	}
	if n[2] == 0 {
		return nothingWaits, nil
	}
	change := max(n[0], n[1])
	kept := t.db.waiting.scope(scopeNo)
	if s := kept.set.Load(); s != nil && s.change == change {
		return s, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	s := kept.set.Load()
	switch {
	case s != nil && s.change == change:
		return s, nil
	case s != nil && s.change > change: // the transaction is older than what is kept
		return t.readWaiting(ctx, scopeNo, change)
	case s != nil:
		s, err = t.catchUpWaiting(ctx, scopeNo, s, change, n[1])
	}
	if err == nil && s == nil {
		s, err = t.readWaiting(ctx, scopeNo, change)
	}
	if err != nil {
		return nil, err
	}
	kept.set.Store(s)
	return s, nil
}

// readWaiting reads all terms of a scope that wait.
func (t *tx) readWaiting(ctx context.Context, scopeNo, change int64) (*waitingTerms, error) {
	low, high := passage.Numbers(scopeNo)
	rows, err := lookPacked(ctx, t, `
		SELECT pack_rows(number, terms) FROM (
			SELECT number, terms FROM pending WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number)`,
		[]any{low, high}, func(scan scanner) (r waitingRow, err error) {
			var number int64
			var terms string
			if err := scan(&number, &terms); err != nil {
				return r, err
			}
			return newWaitingRow(number, terms), nil
		})
	return &waitingTerms{change, rows}, err
}

// catchUpWaiting adds what changed since a set was read, and returns a new one. It
// returns nil if all must be read anew: where that is much, or texts were cut,
// after which none of the passages that did not change waits.
func (t *tx) catchUpWaiting(ctx context.Context, scopeNo int64, old *waitingTerms, change, lastRemoval int64) (*waitingTerms, error) {
	news := make(map[int64]bool) // what changed or was removed
	if lastRemoval > old.change {
		removed, err := t.numberList(ctx, `SELECT number FROM removal WHERE scope_no = ? AND change > ? LIMIT ?`,
			scopeNo, old.change, maxWaitingNews+1)
		if err != nil {
			return nil, err
		}
		for _, n := range removed {
			news[n] = true
		}
		if len(removed) > maxWaitingNews || news[0] { // number 0 stands for all passages
			return nil, nil
		}
	}
	type changedRow struct {
		number int64
		terms  []byte // nil if they do not wait
	}
	changed, err := readPacked(ctx, t, `
		SELECT pack_rows(number, terms) FROM (
			SELECT p.number, u.terms FROM passage AS p INDEXED BY passage_change LEFT JOIN pending AS u ON u.number = p.number
			WHERE p.number >> 40 = ?1 AND p.change > ?2 ORDER BY p.change LIMIT ?3)`,
		[]any{scopeNo, old.change, maxWaitingNews + 1}, func(scan scanner) (r changedRow, err error) {
			return r, scan(&r.number, &r.terms)
		})
	if err != nil || len(changed) > maxWaitingNews {
		return nil, err
	}
	for _, c := range changed {
		news[c.number] = true
	}
	s := &waitingTerms{change, make([]waitingRow, 0, len(old.rows)+len(changed))}
	for _, row := range old.rows {
		if !news[row.number] {
			s.rows = append(s.rows, row)
		}
	}
	if len(s.rows) > 0 {
		still, err := t.queryIntegers(ctx, 1, `SELECT EXISTS (SELECT 1 FROM pending WHERE number = ? AND terms IS NOT NULL)`, s.rows[0].number)
		if err != nil || still[0] == 0 {
			return nil, err
		}
	}
	for _, c := range changed {
		if c.terms != nil {
			s.rows = append(s.rows, newWaitingRow(c.number, string(c.terms)))
		}
	}
	slices.SortFunc(s.rows, func(a, b waitingRow) int { return cmp.Compare(a.number, b.number) })
	return s, nil
}
