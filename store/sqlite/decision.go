package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/strata-memory/strata"
)

// decisionSelect reads decisions for scanDecision. A condition on d follows.
const decisionSelect = `
	SELECT d.id, d.request_id, s.key, d.op, d.fact_id, d.decided_at, d.applied_at, d.set_aside, d.confidence,
		d.origin, d.agent, d.session, d.reverts, d.reverted_by, d.rules, d.reason, d.notes,
		coalesce(d.before_fact, 0), coalesce(d.after_fact, 0), d.before, d.after, d.path
	FROM decision d
	JOIN scope s ON s.no = d.scope_no
	`

// decisionRow is a decision as its row has it: of stored versions it knows the
// numbers (0 for none).
type decisionRow struct {
	strata.Decision
	before, after int64
}

// scanDecision reads a row of decisionSelect.
func scanDecision(scan scanner) (decisionRow, error) {
	var (
		d                                      decisionRow
		key, rules, notes, before, after, path string
		decided                                int64
		applied                                sql.NullInt64
	)
	err := scan(&d.ID, &d.RequestID, &key, &d.Op, &d.FactID, &decided, &applied, &d.SetAside, &d.Confidence,
		&d.Origin, &d.Agent, &d.Session, &d.Reverts, &d.RevertedBy, &rules, &d.Reason, &notes,
		&d.before, &d.after, &before, &after, &path)
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

// change is what a decision is about as it is kept. The version of a fact that
// is stored is named by its number, and is not written a second time; other
// versions, and documents, are JSON.
type change struct {
	path          string // of a document; empty for a fact
	before, after version
}

type version struct {
	number any // of a stored fact version, or nil
	json   string
}

// changeOf returns what a decision is about as it is kept.
func (t *tx) changeOf(ctx context.Context, scopeNo int64, d strata.Decision) (c change, err error) {
	if d.Document != nil {
		c.path = d.Document.Path
		if c.before.json, err = encodeVersion(d.Document.Before); err == nil {
			c.after.json, err = encodeVersion(d.Document.After)
		}
		return c, err
	}
	if c.before, err = t.versionOf(ctx, scopeNo, d.Scope, d.Before); err == nil {
		c.after, err = t.versionOf(ctx, scopeNo, d.Scope, d.After)
	}
	return c, err
}

// versionOf returns the version of a fact as it is kept in a decision.
func (t *tx) versionOf(ctx context.Context, scopeNo int64, scope strata.Scope, f *strata.Fact) (v version, err error) {
	if f == nil {
		return v, nil
	}
	if l := t.latest; l.id == f.ID && l.generation == f.Generation && l.scopeNo == scopeNo && l.text == f.Text {
		return version{number: l.number}, nil
	}
	if f.Scope == scope && f.Text != strata.ForgottenText {
		var number int64
		err := t.queryRow(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ? AND generation = ? AND text = ?`,
			scopeNo, f.ID, f.Generation, f.Text).Scan(&number)
		if !errors.Is(err, sql.ErrNoRows) {
			return version{number: number}, err
		}
	}
	v.json, err = encodeVersion(f)
	return v, err
}

// encodeVersion returns a fact or document as JSON; empty for nil.
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

// oneDecision reads the first decision a condition selects, or [sql.ErrNoRows].
func (t *tx) oneDecision(ctx context.Context, condition string, args ...any) (strata.Decision, error) {
	list, err := t.decisions(ctx, condition, args...)
	if err != nil || len(list) == 0 {
		return strata.Decision{}, cmp.Or(err, sql.ErrNoRows)
	}
	return list[0], nil
}

// decisions reads all decisions a condition selects.
func (t *tx) decisions(ctx context.Context, condition string, args ...any) ([]strata.Decision, error) {
	rows, err := t.query(ctx, decisionSelect+condition, args...)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, scanDecision)
	if err != nil {
		return nil, err
	}
	return t.withVersions(ctx, list)
}

// withVersions fills in the stored versions of decisions, as they were then.
func (t *tx) withVersions(ctx context.Context, list []decisionRow) ([]strata.Decision, error) {
	var numbers []int64
	for _, d := range list {
		for _, n := range []int64{d.before, d.after} {
			if n != 0 {
				numbers = append(numbers, n)
			}
		}
	}
	facts, err := t.factsAt(ctx, numbers)
	if err != nil {
		return nil, err
	}
	then := func(number int64, kept *strata.Fact) *strata.Fact {
		f, ok := facts[number]
		if !ok {
			return kept
		}
		f.RetiredAt, f.SupersededBy, f.Accesses, f.LastAccess = nil, "", 0, time.Time{}
		return &f
	}
	var out []strata.Decision
	for _, d := range list {
		d.Before, d.After = then(d.before, d.Before), then(d.after, d.After)
		out = append(out, d.Decision)
	}
	return out, nil
}

// factsAt returns the fact versions with the numbers, by number.
func (t *tx) factsAt(ctx context.Context, numbers []int64) (map[int64]strata.Fact, error) {
	out := make(map[int64]strata.Fact, len(numbers))
	if len(numbers) == 0 {
		return out, nil
	}
	wanted, err := encodeNumbers(distinct(numbers))
	if err != nil {
		return nil, err
	}
	rows, err := t.query(ctx, `SELECT f.number, `+factColumns+`
		FROM json_each(?) AS j CROSS JOIN fact AS f ON f.number = j.value `+factJoins, wanted)
	if err != nil {
		return nil, err
	}
	list, err := collect(rows, numbered(scanFact))
	for _, f := range list {
		out[f.number] = f.value
	}
	return out, err
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
		// Nearly every save asks for a request that was never made. Decisions
		// that bear a request id are not kept back: see AppendDecision.
		var number int64
		err := t.lookRow(ctx, `SELECT number FROM decision WHERE scope_no = ? AND request_id = ? AND request_id <> ''`,
			no, requestID).Scan(&number)
		if err != nil {
			return strata.Decision{}, err
		}
		return t.oneDecision(ctx, `WHERE d.number = ?`, number)
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
	no, _, err := t.scopeNo(ctx, d.Scope, true)
	if err != nil {
		return wrap(op, err)
	}
	c, err := t.changeOf(ctx, no, d)
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
		c.before.number, c.after.number, c.before.json, c.after.json, c.path)
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
		origin, agent, session, reverts, reverted_by, rules, reason, notes,
		before_fact, after_fact, before, after, path)
	SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22
	FROM unpack(?)`

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
