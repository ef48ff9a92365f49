package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata/store"
)

// Lease returns a lease with its current or last holder.
func (s usageScope) Lease(ctx context.Context, name string) (store.Lease, error) {
	return queryOne(ctx, s.tx, `SELECT owner, until FROM lease WHERE scope_no = ? AND name = ?`, []any{s.no, name},
		func(scan scanner) (l store.Lease, err error) {
			var until int64
			err = scan(&l.Owner, &until)
			l.Scope, l.Name, l.Until = s.of, name, fromMicros(until)
			return l, err
		})
}

// Take takes or extends a lease, and reports whether the owner has it.
func (s usageScope) Take(ctx context.Context, l store.Lease, now time.Time) (bool, error) {
	longest := now.Add(2 * l.Until.Sub(now)) // a later end was set before the clock went back
	res, err := s.exec(ctx, `
		INSERT INTO lease (scope_no, name, owner, until) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT DO UPDATE SET owner = excluded.owner, until = excluded.until
			WHERE owner = excluded.owner OR until <= ?5 OR until > ?6`,
		s.no, l.Name, l.Owner, micros(l.Until), micros(now), micros(longest))
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// Release gives up a lease if its owner holds it.
func (s usageScope) Release(ctx context.Context, l store.Lease) error {
	_, err := s.exec(ctx, `DELETE FROM lease WHERE scope_no = ? AND name = ? AND owner = ?`, s.no, l.Name, l.Owner)
	return err
}
