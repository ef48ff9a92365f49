package sqlite

import (
	"context"

	"github.com/strata-memory/strata/store"
)

// maxWaitingRows bounds the rows of a set, those included that are gone, and
// maxWaitingNews the changes that are added to one: from more on all is read
// anew, which are no more rows than wait before they are cut.
const (
	maxWaitingRows = 4 * cutTexts
	maxWaitingNews = cutTexts / 4
)

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
// if the scope has not changed since, for to cut texts changes no passage but
// leaves none that waits.
func (t *tx) openWaiting(ctx context.Context, scopeNo int64) (*waitingTerms, error) {
	low, high := numbers(scopeNo)
	n, err := t.queryIntegers(ctx, 3, `SELECT
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0),
		EXISTS (SELECT 1 FROM uncut WHERE number BETWEEN ?2 AND ?3)`, scopeNo, low, high)
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
	low, high := numbers(scopeNo)
	s := newWaitingTerms(change)
	_, err := lookPacked(ctx, t, `
		SELECT pack_rows(number, terms) FROM (
			SELECT number, terms FROM uncut WHERE number BETWEEN ? AND ? AND terms IS NOT NULL ORDER BY number)`,
		[]any{low, high}, func(scan scanner) (none struct{}, err error) {
			var number int64
			var terms string
			if err := scan(&number, &terms); err != nil {
				return none, err
			}
			s.add(number, terms)
			return none, nil
		})
	return s, err
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
			SELECT p.number, u.terms FROM passage AS p INDEXED BY passage_change LEFT JOIN uncut AS u ON u.number = p.number
			WHERE p.number >> 40 = ?1 AND p.change > ?2 ORDER BY p.change LIMIT ?3)`,
		[]any{scopeNo, old.change, maxWaitingNews + 1}, func(scan scanner) (r changedRow, err error) {
			return r, scan(&r.number, &r.terms)
		})
	if err != nil || len(changed) > maxWaitingNews || len(old.rows)+len(changed) > maxWaitingRows {
		return nil, err
	}
	for _, c := range changed {
		news[c.number] = true
	}
	s := *old
	s.change = change
	s.lose(news)
	for row := range s.each() {
		still, err := t.queryIntegers(ctx, 1, `SELECT EXISTS (SELECT 1 FROM uncut WHERE number = ? AND terms IS NOT NULL)`, row.number)
		if err != nil || still[0] == 0 {
			return nil, err
		}
		break
	}
	for _, c := range changed {
		if c.terms != nil {
			s.add(c.number, string(c.terms))
		}
	}
	return &s, nil
}

// matchWaiting adds the passages that wait and hold any of some terms.
func (t *tx) matchWaiting(ctx context.Context, scopeNo int64, s *waitingTerms, terms []string, f store.Filter, found *matched) error {
	numbers, hits := s.match(terms)
	if len(numbers) == 0 {
		return nil
	}
	metas, err := t.passing(ctx, scopeNo, numbers, f)
	if err != nil {
		return err
	}
	same := allTerms(len(terms))
	for _, meta := range metas {
		found.rows = append(found.rows, matchedRow{meta: meta, hits: hits[meta.Number&lowBits], terms: same})
	}
	return nil
}
