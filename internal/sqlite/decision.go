package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/packed"
)

// Decision returns a decision that one of the scopes owns.
func (t *tx) Decision(ctx context.Context, scopes []strata.Scope, id string) (strata.Decision, error) {
	return inScopes(ctx, t, scopes, "read decision", "decision", id, func(_ strata.Scope, no int64) (strata.Decision, error) {
		return t.oneDecision(ctx, `WHERE d.scope_no = ? AND d.id = ?`, no, id)
	})
}

// DecisionByRequest returns the decision that a request id led to.
func (t *tx) DecisionByRequest(ctx context.Context, scope strata.Scope, requestID string) (strata.Decision, error) {
	const op = "read decision"
	if requestID == "" {
		return strata.Decision{}, strata.NotFound(op, "decision for the request", `""`)
	}
	return inScopes(ctx, t, []strata.Scope{scope}, op, "decision for the request", requestID, func(_ strata.Scope, no int64) (strata.Decision, error) {
		// Nearly every save looks up a request that was never made.
		found, err := t.queryIntegers(ctx, 1, `SELECT number FROM decision WHERE scope_no = ? AND request_id = ? AND request_id <> ''`,
			no, requestID)
		if err != nil || len(found) == 0 {
			return strata.Decision{}, cmp.Or(err, sql.ErrNoRows)
		}
		return t.oneDecision(ctx, `WHERE d.number = ?`, found[0])
	})
}

// Decisions lists decisions in the order of their commits: newest first, or oldest
// first if only pending ones are listed.
func (t *tx) Decisions(ctx context.Context, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error) {
	return inScope(ctx, t, scope, "list decisions", func(no int64) ([]strata.Decision, error) {
		low, high := passage.Numbers(no)
		after := int64(0)
		if f.After != "" {
			err := t.queryRow(ctx, `SELECT number FROM decision WHERE scope_no = ? AND id = ?`, no, f.After).Scan(&after)
			if errors.Is(err, sql.ErrNoRows) {
				return nil, strata.NotFound("list decisions", "decision", f.After)
			}
			if err != nil {
				return nil, err
			}
		}
		condition, order := `WHERE d.number BETWEEN ? AND ?`, ` ORDER BY d.number DESC LIMIT ?`
		switch {
		case f.Pending:
			condition += ` AND d.applied_at IS NULL AND d.set_aside = ''`
			order = ` ORDER BY d.number LIMIT ?`
			low = max(low, after+1)
		case after > 0:
			high = after - 1
		}
		args := []any{low, high}
		if f.Op != "" {
			condition += ` AND d.op = ?`
			args = append(args, f.Op)
		}
		if f.Origin != "" {
			condition += ` AND d.origin = ?`
			args = append(args, f.Origin)
		}
		if f.FactID != "" {
			condition += ` AND d.scope_no = ? AND d.fact_id = ? AND d.fact_id <> ''`
			args = append(args, no, f.FactID)
		}
		if f.Path != "" {
			condition += ` AND d.scope_no = ? AND d.path = ? AND d.path <> ''`
			args = append(args, no, f.Path)
		}
		if !f.Since.IsZero() {
			condition += ` AND d.decided_at >= ?`
			args = append(args, micros(f.Since))
		}
		return t.decisions(ctx, condition+order, append(args, clampLimit(f.Limit))...)
	})
}

// PendingScopes lists the scopes of pending decisions and of dreams that are not
// applied to files yet.
func (t *tx) PendingScopes(ctx context.Context) ([]strata.Scope, error) {
	// This looks up the first pending decision of each scope and reads no others, since
	// there may be very many.
	scopes, err := t.keys(ctx, `
		WITH RECURSIVE waiting (no) AS (
			SELECT (SELECT min(number) FROM decision WHERE applied_at IS NULL AND set_aside = '') >> 40
			UNION ALL
			SELECT (SELECT min(number) FROM decision
				WHERE number >= (w.no + 1) << 40 AND applied_at IS NULL AND set_aside = '') >> 40
			FROM waiting w WHERE w.no IS NOT NULL)
		SELECT key FROM scope WHERE no IN (
			SELECT no FROM waiting
			UNION ALL
			SELECT scope_no FROM dream INDEXED BY dream_outstanding WHERE projected_at IS NULL) ORDER BY key`)
	return scopes, wrap("list pending scopes", err)
}

// AppendDecision inserts a decision. It sets DecidedAt to the time of the
// transaction if it is zero; an importing caller sets it.
func (t *tx) AppendDecision(ctx context.Context, d strata.Decision) error {
	const op = "append decision"
	if err := strata.ValidateName("decision id", d.ID); err != nil {
		return err
	}
	var lists [2]string
	var err error
	for i, list := range [][]string{d.Rules, d.Notes} {
		if lists[i], err = encodeList(list); err != nil {
			return wrap(op, err)
		}
	}
	if d.Document != nil {
		if err := checkChange(d); err != nil {
			return err
		}
	}
	no, _, err := t.scopeNo(ctx, d.Scope, true)
	if err != nil {
		return wrap(op, err)
	}
	c, err := t.changeOf(ctx, d)
	if err != nil {
		return wrap(op, err)
	}
	number, err := t.nextNumber(ctx, no)
	if err != nil {
		return wrap(op, err)
	}
	decided := d.DecidedAt
	if decided.IsZero() {
		decided = t.now
	}
	_, err = t.exec(ctx, insertDecision,
		number, no, d.ID, d.RequestID, string(d.Op), d.FactID, micros(decided), nullMicros(d.AppliedAt), d.SetAside, d.Confidence,
		string(d.Origin), d.Agent, d.Session, d.Reverts, d.RevertedBy, lists[0], d.Reason, lists[1],
		c.before.number, c.after.number, c.before.json, c.after.json, c.path)
	if database.IsConstraint(err) {
		return conflict(op, "decision "+d.ID+", or one for its request, already exists")
	}
	return wrap(op, err)
}

var insertDecision = check.Decision.Insert(`number, scope_no, id, request_id, op, fact_id, decided_at, applied_at, set_aside, confidence, origin, agent,
	session, reverts, reverted_by, rules, reason, notes, before_fact, after_fact, before, after, path`)

// checkChange returns an error if a decision about a document cannot be stored.
func checkChange(d strata.Decision) error {
	const op = "check decision"
	if err := strata.ValidatePath(d.Document.Path); err != nil {
		return err
	}
	if d.Before != nil || d.After != nil || d.FactID != "" {
		return strata.Invalid(op, "the decision is about a fact and a document", "make two decisions")
	}
	return nil
}

// StampDecisions sets AppliedAt of the decisions, or SetAside if setAside is not
// empty. It fails with not_found if one of them does not exist.
func (t *tx) StampDecisions(ctx context.Context, scope strata.Scope, ids []string, setAside string) error {
	const op = "stamp decisions"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || len(ids) == 0 {
		return wrap(op, err)
	}
	if !ok {
		return strata.NotFound(op, "decision", ids[0])
	}
	res, err := t.exec(ctx, `
		UPDATE decision SET applied_at = iif(?1 = '', coalesce(applied_at, ?2), applied_at), set_aside = iif(?1 = '', set_aside, ?1)
		WHERE scope_no = ?3 AND id IN (SELECT c0 FROM unpack(?4))`, setAside, micros(t.now), no, packed.Texts(ids))
	if err != nil {
		return wrap(op, err)
	}
	n, err := res.RowsAffected()
	if err == nil && int(n) < len(ids) {
		return strata.NotFound(op, "decision", "one of those to stamp")
	}
	return wrap(op, err)
}

// LinkRevert records that the decision was undone by another.
func (t *tx) LinkRevert(ctx context.Context, scope strata.Scope, id, by string) error {
	const op = "link revert"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return wrap(op, err)
	}
	if !ok {
		return strata.NotFound(op, "decision", id)
	}
	res, err := t.exec(ctx, `UPDATE decision SET reverted_by = ? WHERE scope_no = ? AND id = ?`, by, no, id)
	if err != nil {
		return wrap(op, err)
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return strata.NotFound(op, "decision", id)
	}
	return wrap(op, err)
}
