package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Table extraction holds the sessions that wait for facts to be extracted, which
// worker holds each under which lease, and what was given up.

// extractionPatience is how long a session waits before it takes precedence over
// newer ones.
const extractionPatience = time.Hour

// extractionColumns selects the columns that readExtractions scans.
const extractionColumns = `SELECT s.key, x.session, x.extractor, x.after, x.queued_at, x.owner, x.lease_until, x.attempts, x.retry_at, x.last_error, x.dead_at
	FROM extraction x JOIN scope s ON s.no = x.scope_no `

// Parameters of a query that depends on the current time: ?1 is now, ?2 is
// extractionPatience ago, ?3 and ?4 are the latest plausible ends of a lease and of
// a pause before a retry.
const (
	// dueExtraction selects what may be claimed. A time too far in the future was set
	// before the clock was set back.
	dueExtraction = `x.dead_at IS NULL AND (x.owner = '' OR x.lease_until <= ?1 OR x.lease_until > ?3) AND (x.retry_at <= ?1 OR x.retry_at > ?4)`
	// extractionOrder puts sessions that have waited too long first, longest first,
	// then the newest.
	extractionOrder = ` ORDER BY x.queued_at > ?2, CASE WHEN x.queued_at <= ?2 THEN x.queued_at ELSE -x.queued_at END, x.scope_no, x.session, x.extractor`
)

// extractionMoment returns the first four parameters of such a query.
func (t *tx) extractionMoment() []any {
	return []any{
		micros(t.now), micros(t.now.Add(-extractionPatience)), micros(t.now.Add(store.MaxExtractionLease)), micros(t.now.Add(store.MaxExtractionPause)),
	}
}

// Extractions lists sessions that wait for an extractor, or those that were given
// up.
func (t *tx) Extractions(ctx context.Context, f store.ExtractionFilter) ([]store.Extraction, error) {
	which := `?1 AND ?2 AND ?3 AND ?4 AND x.dead_at IS NULL`
	switch {
	case f.Dead:
		which = `?1 AND ?2 AND ?3 AND ?4 AND x.dead_at IS NOT NULL`
	case f.Due:
		which = dueExtraction
	}
	scopes := "" // any
	if f.Scopes != nil {
		keys := make([]string, len(f.Scopes))
		for i, s := range f.Scopes {
			keys[i] = s.Key()
		}
		list, err := json.Marshal(keys)
		if err != nil {
			return nil, wrap("list extractions", err)
		}
		scopes = string(list)
	}
	list, err := t.readExtractions(ctx, extractionColumns+`
		WHERE (?5 = '' OR x.extractor = ?5) AND (?6 = '' OR x.session = ?6) AND (?7 = '' OR s.key IN (SELECT value FROM json_each(?7))) AND `+
		which+extractionOrder+` LIMIT ?8`, append(t.extractionMoment(), f.Extractor, f.Session, scopes, clampLimit(f.Limit))...)
	return list, wrap("list extractions", err)
}

// Extraction returns how far an extractor has got in a session that waits for it.
func (t *tx) Extraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) (store.Extraction, error) {
	list, err := t.readExtractions(ctx, extractionColumns+`WHERE s.key = ? AND x.session = ? AND x.extractor = ?`, scope.Key(), session, by)
	return firstExtraction("read extraction", session, list, err)
}

// revivedExtraction sets the columns to those of an extraction that never failed.
const revivedExtraction = `attempts = 0, last_error = '', dead_at = NULL`

// QueueExtraction queues the turns that follow the last turn of a session for an
// extractor, not to be read before from. If the session is already queued and waits
// for its time without having failed, that time is replaced.
func (t *tx) QueueExtraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor, from time.Time) error {
	scopeNo, err := t.sessionScope(ctx, "queue extraction", scope, session)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		INSERT INTO extraction (scope_no, session, extractor, after, queued_at, retry_at)
		VALUES (?1, ?2, ?3, (SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = ?1 AND session = ?2), ?4, ?5)
		ON CONFLICT DO UPDATE SET `+revivedExtraction+`, retry_at = ?5 WHERE dead_at IS NOT NULL OR attempts = 0 AND retry_at > 0`,
		scopeNo, session, by, micros(t.now), zeroMicros(from))
	return wrap("queue extraction", err)
}

// RestartExtraction queues a session for an extractor from its first turn.
func (t *tx) RestartExtraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) error {
	scopeNo, err := t.sessionScope(ctx, "restart extraction", scope, session)
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `
		INSERT INTO extraction (scope_no, session, extractor, after, queued_at) VALUES (?1, ?2, ?3, 0, ?4)
		ON CONFLICT DO UPDATE SET after = 0, queued_at = ?4, owner = '', lease_until = 0, retry_at = 0, `+revivedExtraction, scopeNo, session, by, micros(t.now))
	return wrap("restart extraction", err)
}

// ClaimExtraction leases the next session to a worker. It fails with not_found if
// there is none.
func (t *tx) ClaimExtraction(ctx context.Context, c store.ExtractionClaim) (store.Extraction, error) {
	scope, session := "", ""
	if c.Only != nil {
		scope, session = c.Only.Scope.Key(), c.Only.Session
	}
	list, err := t.readExtractions(ctx, extractionColumns+`WHERE x.extractor = ?5 AND (?6 = '' OR s.key = ?6 AND x.session = ?7) AND `+dueExtraction+extractionOrder+` LIMIT 1`,
		append(t.extractionMoment(), c.Extractor, scope, session)...)
	x, err := firstExtraction("claim extraction", session, list, err)
	if err != nil {
		return x, err
	}
	x.Owner, x.LeaseUntil = c.Owner, t.leaseUntil(c.Lease)
	_, err = t.exec(ctx, `UPDATE extraction SET owner = ?4, lease_until = ?5`+oneExtraction, append(extractionKey(x), x.Owner, micros(x.LeaseUntil))...)
	return x, wrap("claim extraction", err)
}

// leaseUntil returns when a lease that begins now ends.
func (t *tx) leaseUntil(lease time.Duration) time.Time {
	return t.now.Add(min(lease, store.MaxExtractionLease))
}

// HoldExtraction renews the lease of the owner.
func (t *tx) HoldExtraction(ctx context.Context, x store.Extraction, lease time.Duration) error {
	return t.changeOwnExtraction(ctx, "hold extraction", x, `lease_until = ?5`, micros(t.leaseUntil(lease)))
}

// MoveExtraction records how far a session was read, and removes it from the queue
// once its last turn was read.
func (t *tx) MoveExtraction(ctx context.Context, x store.Extraction) error {
	err := t.changeOwnExtraction(ctx, "move extraction", x, `after = max(after, ?5), retry_at = 0, `+revivedExtraction, x.After)
	if err == nil {
		_, err = t.exec(ctx, `DELETE FROM extraction`+oneExtraction+`
			AND after >= (SELECT coalesce(max(seq), 0) FROM turn WHERE scope_no = extraction.scope_no AND session = ?2)`, extractionKey(x)...)
	}
	return wrap("move extraction", err)
}

// ReleaseExtraction gives up the lease and records the outcome of the attempt.
func (t *tx) ReleaseExtraction(ctx context.Context, x store.Extraction) error {
	return t.changeOwnExtraction(ctx, "release extraction", x, `owner = '', lease_until = 0, attempts = ?5, retry_at = ?6, last_error = ?7, dead_at = ?8`,
		x.Attempts, zeroMicros(x.RetryAt), x.LastError, nullMicros(x.DeadAt))
}

// ReviveExtraction queues a failed extraction again as if it had not failed. It
// fails with not_found if the extraction has not failed.
func (t *tx) ReviveExtraction(ctx context.Context, x store.Extraction) error {
	return t.changeFailedExtraction(ctx, "revive extraction", x, `UPDATE extraction SET queued_at = ?4, retry_at = 0, `+revivedExtraction+oneExtraction+` AND (attempts > 0 OR dead_at IS NOT NULL)`, micros(t.now))
}

// DropExtraction removes an extraction that was given up. It fails with not_found if
// it was not.
func (t *tx) DropExtraction(ctx context.Context, x store.Extraction) error {
	return t.changeFailedExtraction(ctx, "drop extraction", x, `DELETE FROM extraction`+oneExtraction+` AND dead_at IS NOT NULL`)
}

// oneExtraction selects one extraction by the parameters that extractionKey returns.
const oneExtraction = ` WHERE scope_no = (SELECT no FROM scope WHERE key = ?1) AND session = ?2 AND extractor = ?3`

func extractionKey(x store.Extraction) []any { return []any{x.Scope.Key(), x.Session, x.Extractor} }

// changeOwnExtraction changes an extraction for its owner. set is a list of
// assignments whose parameters begin at ?5. A caller without an owner may find that
// everything is read already, which is no error; a worker that finds another owner
// has lost its lease.
func (t *tx) changeOwnExtraction(ctx context.Context, op string, x store.Extraction, set string, args ...any) error {
	changed, err := t.changesRow(ctx, `UPDATE extraction SET `+set+oneExtraction+` AND owner = ?4`, append(append(extractionKey(x), x.Owner), args...)...)
	if err != nil || changed {
		return wrap(op, err)
	}
	if _, err := t.Extraction(ctx, x.Scope, x.Session, x.Extractor); x.Owner == "" && strata.CodeOf(err) == strata.CodeNotFound {
		return nil
	}
	return &strata.Error{Code: strata.CodeConflict, Op: op, Message: "session " + x.Session + " is no longer this worker's to read",
		Hint: "leave it to whoever claimed it"}
}

// changeFailedExtraction changes an extraction by a statement that matches only
// failed ones.
func (t *tx) changeFailedExtraction(ctx context.Context, op string, x store.Extraction, query string, args ...any) error {
	changed, err := t.changesRow(ctx, query, append(extractionKey(x), args...)...)
	if err == nil && !changed {
		err = strata.NotFound(op, "failed extraction of session", x.Session)
	}
	return wrap(op, err)
}

// changesRow runs a statement and reports whether it found a row.
func (t *tx) changesRow(ctx context.Context, query string, args ...any) (bool, error) {
	res, err := t.exec(ctx, query, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// readExtractions runs a query that begins with extractionColumns.
func (t *tx) readExtractions(ctx context.Context, query string, args ...any) ([]store.Extraction, error) {
	return collect(ctx, t, query, args, func(scan scanner) (x store.Extraction, err error) {
		var key string
		var queued, lease, retry int64
		var gone sql.NullInt64
		err = scan(&key, &x.Session, &x.Extractor, &x.After, &queued, &x.Owner, &lease, &x.Attempts, &retry, &x.LastError, &gone)
		if err != nil {
			return x, err
		}
		x.QueuedAt, x.LeaseUntil, x.RetryAt, x.DeadAt = fromMicros(queued), fromZeroMicros(lease), fromZeroMicros(retry), fromNullMicros(gone)
		x.Scope, err = strata.ParseScope(key)
		return x, err
	})
}

// firstExtraction returns the first of a list, or not_found if it is empty.
func firstExtraction(op, session string, list []store.Extraction, err error) (store.Extraction, error) {
	if err != nil {
		return store.Extraction{}, wrap(op, err)
	}
	if len(list) == 0 {
		return store.Extraction{}, strata.NotFound(op, "extraction of session", session)
	}
	return list[0], nil
}

// zeroMicros is micros for a time that may be zero, which is stored as 0.
func zeroMicros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return micros(at)
}

// fromZeroMicros is the inverse of zeroMicros.
func fromZeroMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return fromMicros(us)
}
