package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/strata-memory/strata"
)

// decisionSelect reads decisions for scanDecision. A condition on d follows.
const decisionSelect = `
	SELECT d.id, d.request_id, s.key, d.op, d.fact_id, d.decided_at, d.applied_at, d.set_aside, d.confidence,
		d.origin, d.agent, d.session, d.reverts, d.reverted_by, d.rules, d.reason, d.notes, d.before, d.after, d.path
	FROM decision d
	JOIN scope s ON s.no = d.scope_no
	`

// scanDecision reads a row of decisionSelect.
func scanDecision(scan scanner) (strata.Decision, error) {
	var (
		d                                      strata.Decision
		key, rules, notes, before, after, path string
		decided                                int64
		applied                                sql.NullInt64
	)
	err := scan(&d.ID, &d.RequestID, &key, &d.Op, &d.FactID, &decided, &applied, &d.SetAside, &d.Confidence,
		&d.Origin, &d.Agent, &d.Session, &d.Reverts, &d.RevertedBy, &rules, &d.Reason, &notes, &before, &after, &path)
	if err != nil {
		return d, err
	}
	d.DecidedAt, d.AppliedAt = fromMicros(decided), fromNullMicros(applied)
	if d.Scope, err = strata.ParseScope(key); err != nil {
		return d, err
	}
	if d.Rules, err = decodeList(rules); err != nil {
		return d, err
	}
	if d.Notes, err = decodeList(notes); err != nil {
		return d, err
	}
	if path != "" {
		d.Document = &strata.DocumentChange{Path: path}
		if d.Document.Before, err = decodeVersion[strata.Document](before); err == nil {
			d.Document.After, err = decodeVersion[strata.Document](after)
		}
		return d, err
	}
	if d.Before, err = decodeVersion[strata.Fact](before); err == nil {
		d.After, err = decodeVersion[strata.Fact](after)
	}
	return d, err
}

// encodeChange returns what a decision is about as it is kept: the path of a
// document, empty for a fact, and the versions before and after.
func encodeChange(d strata.Decision) (path, before, after string, err error) {
	if d.Document != nil {
		if before, err = encodeVersion(d.Document.Before); err == nil {
			after, err = encodeVersion(d.Document.After)
		}
		return d.Document.Path, before, after, err
	}
	if before, err = encodeVersion(d.Before); err == nil {
		after, err = encodeVersion(d.After)
	}
	return "", before, after, err
}

// encodeVersion returns a fact or document as it is kept in a decision; empty
// for nil.
func encodeVersion[T any](v *T) (string, error) {
	if v == nil {
		return "", nil
	}
	b, err := json.Marshal(v)
	return string(b), err
}

// decodeVersion is the inverse of encodeVersion.
func decodeVersion[T any](s string) (*T, error) {
	if s == "" {
		return nil, nil
	}
	v := new(T)
	if err := json.Unmarshal([]byte(s), v); err != nil {
		return nil, corruptError("read decision", "a version in a decision is not JSON")
	}
	return v, nil
}

func (t *tx) oneDecision(ctx context.Context, condition string, args ...any) (strata.Decision, error) {
	return scanDecision(t.queryRow(ctx, decisionSelect+condition, args...).Scan)
}

func (t *tx) decisions(ctx context.Context, condition string, args ...any) ([]strata.Decision, error) {
	rows, err := t.query(ctx, decisionSelect+condition, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanDecision)
}

// Decision returns one decision that one of the scopes owns.
func (t *tx) Decision(ctx context.Context, scopes []strata.Scope, id string) (strata.Decision, error) {
	return inScopes(ctx, t, scopes, "read decision", "decision", id, func(no int64) (strata.Decision, error) {
		return t.oneDecision(ctx, `WHERE d.scope_no = ? AND d.id = ?`, no, id)
	})
}

// DecisionByRequest returns the decision a request id led to.
func (t *tx) DecisionByRequest(ctx context.Context, scope strata.Scope, requestID string) (strata.Decision, error) {
	const op = "read decision"
	if requestID == "" {
		return strata.Decision{}, strata.NotFound(op, "decision for the request", `""`)
	}
	return inScopes(ctx, t, []strata.Scope{scope}, op, "decision for the request", requestID, func(no int64) (strata.Decision, error) {
		// Decisions that bear a request id are not kept: see AppendDecision.
		return scanDecision(t.lookRow(ctx, decisionSelect+`WHERE d.scope_no = ? AND d.request_id = ? AND d.request_id <> ''`,
			no, requestID).Scan)
	})
}

// Decisions lists decisions in the order they were committed: the newest
// first, pending ones the oldest first.
func (t *tx) Decisions(ctx context.Context, scope strata.Scope, f strata.DecisionFilter) ([]strata.Decision, error) {
	return inScope(ctx, t, scope, "list decisions", func(no int64) ([]strata.Decision, error) {
		low, high := numbers(no)
		after := int64(0)
		if f.After != "" {
			err := t.queryRow(ctx, `SELECT number FROM decision WHERE scope_no = ? AND id = ?`, no, f.After).Scan(&after)
			if err == sql.ErrNoRows {
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

// PendingScopes lists the scopes of pending decisions.
func (t *tx) PendingScopes(ctx context.Context) ([]strata.Scope, error) {
	const op = "list scopes of pending decisions"
	rows, err := t.query(ctx, `
		SELECT key FROM scope
		WHERE no IN (SELECT number >> 40 FROM decision WHERE applied_at IS NULL AND set_aside = '')
		ORDER BY key`)
	if err != nil {
		return nil, wrap(op, err)
	}
	keys, err := collect(rows, func(scan scanner) (key string, err error) { return key, scan(&key) })
	if err != nil {
		return nil, wrap(op, err)
	}
	scopes := make([]strata.Scope, len(keys))
	for i, key := range keys {
		if scopes[i], err = strata.ParseScope(key); err != nil {
			return nil, wrap(op, err)
		}
	}
	return scopes, nil
}

// AppendDecision inserts a decision. DecidedAt is set to the time of the
// transaction unless the caller, who imports, says otherwise.
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
	path, before, after, err := encodeChange(d)
	if err != nil {
		return wrap(op, err)
	}
	no, _, err := t.scopeNo(ctx, d.Scope, true)
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
	unused, err := t.unusedID(ctx, `SELECT coalesce(max(id), '') FROM decision WHERE scope_no = ?`, no, d.ID)
	if err != nil {
		return wrap(op, err)
	}
	unused = unused && d.RequestID == ""
	if !unused { // it may not be possible: nothing else must fail with it
		if err := t.settle(ctx); err != nil {
			return wrap(op, err)
		}
	}
	err = t.keep(ctx, keptDecisions, number, no, d.ID, d.RequestID, d.Op, d.FactID, micros(decided), nullMicros(d.AppliedAt),
		d.SetAside, d.Confidence, d.Origin, d.Agent, d.Session, d.Reverts, d.RevertedBy, lists[0], d.Reason, lists[1],
		before, after, path)
	if err != nil || unused {
		return wrap(op, err)
	}
	if err := t.writeKept(ctx); err != nil {
		t.kept = nil // the row must not be tried again
		if isConstraint(err) {
			return conflict(op, "decision "+d.ID+", or one for its request, is there already")
		}
		return wrap(op, err)
	}
	return nil
}

const insertDecisions = `
	INSERT INTO decision (number, scope_no, id, request_id, op, fact_id, decided_at, applied_at, set_aside, confidence,
		origin, agent, session, reverts, reverted_by, rules, reason, notes, before, after, path)
	SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20 FROM unpack(?)`

// checkChange reports whether a decision about a document can be kept.
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

// StampDecision sets AppliedAt, or SetAside if the reason is not empty.
func (t *tx) StampDecision(ctx context.Context, scope strata.Scope, id, setAside string) error {
	if setAside != "" {
		return t.changeDecision(ctx, "stamp decision", scope, id,
			`UPDATE decision SET set_aside = ? WHERE scope_no = ? AND id = ?`, setAside)
	}
	return t.changeDecision(ctx, "stamp decision", scope, id,
		`UPDATE decision SET applied_at = coalesce(applied_at, ?) WHERE scope_no = ? AND id = ?`, micros(t.now))
}

// LinkRevert records that the decision was undone by another.
func (t *tx) LinkRevert(ctx context.Context, scope strata.Scope, id, by string) error {
	return t.changeDecision(ctx, "link revert", scope, id,
		`UPDATE decision SET reverted_by = ? WHERE scope_no = ? AND id = ?`, by)
}

func (t *tx) changeDecision(ctx context.Context, op string, scope strata.Scope, id, update string, value any) error {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return wrap(op, err)
	}
	if !ok {
		return strata.NotFound(op, "decision", id)
	}
	res, err := t.exec(ctx, update, value, no, id)
	if err != nil {
		return wrap(op, err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return strata.NotFound(op, "decision", id)
	}
	return nil
}
