package sqlite

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Lease returns a lease with its current or last holder.
func (t *tx) Lease(ctx context.Context, scope strata.Scope, name string) (store.Lease, error) {
	return inScopes(ctx, t, []strata.Scope{scope}, "read lease", "lease", name, func(_ strata.Scope, no int64) (store.Lease, error) {
		l := store.Lease{Scope: scope, Name: name}
		var until int64
		err := t.queryRow(ctx, `SELECT owner, until FROM lease WHERE scope_no = ? AND name = ?`, no, name).Scan(&l.Owner, &until)
		l.Until = fromMicros(until)
		return l, err
	})
}

// TakeLease takes or extends a lease, and reports whether the owner has it.
func (t *tx) TakeLease(ctx context.Context, l store.Lease) (taken bool, err error) {
	const op = "take lease"
	if !l.Until.After(t.now) {
		return false, strata.Invalid(op, "the lease has ended", "take it for some time from now")
	}
	longest := t.now.Add(2 * l.Until.Sub(t.now)) // a later end was set before the clock went back
	err = t.writeScope(ctx, op, l.Scope, func(no int64) (err error) {
		taken, err = t.changesRow(ctx, `
			INSERT INTO lease (scope_no, name, owner, until) VALUES (?1, ?2, ?3, ?4)
			ON CONFLICT DO UPDATE SET owner = excluded.owner, until = excluded.until
				WHERE owner = excluded.owner OR until <= ?5 OR until > ?6`,
			no, l.Name, l.Owner, micros(l.Until), micros(t.now), micros(longest))
		return err
	})
	return taken, err
}

// ReleaseLease gives up a lease if its owner holds it.
func (t *tx) ReleaseLease(ctx context.Context, l store.Lease) error {
	return t.execScope(ctx, "release lease", l.Scope, `DELETE FROM lease WHERE scope_no = ? AND name = ? AND owner = ?`, l.Name, l.Owner)
}
