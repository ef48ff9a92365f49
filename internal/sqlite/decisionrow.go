package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// decisionSelect reads decisions for scanDecision. The caller appends a condition on
// d.
const decisionSelect = `
	SELECT d.id, d.request_id, s.key, d.op, d.fact_id, d.decided_at, d.applied_at, d.set_aside, d.confidence,
		d.origin, d.agent, d.session, d.reverts, d.reverted_by, d.rules, d.reason, d.notes,
		coalesce(d.before_fact, 0), coalesce(d.after_fact, 0), d.before, d.after, d.path
	FROM decision d
	JOIN scope s ON s.no = d.scope_no
	`

// decisionRow is a decision as its row holds it, with the numbers of stored fact
// versions (0 for none).
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
	if d.Rules, err = listOfTexts(rules); err != nil {
		return d, err
	}
	if d.Notes, err = listOfTexts(notes); err != nil {
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

// change is the change of a decision as it is stored. A fact version that is stored
// already is referred to by its number instead of being written a second time; other
// versions, and documents, are JSON.
type change struct {
	path          string // of a document; empty for a fact
	before, after version
}

type version struct {
	number any // of a stored fact version, or nil
	json   string
}

// changeOf returns the change of a decision as it is stored.
func (t *tx) changeOf(ctx context.Context, d strata.Decision) (c change, err error) {
	if d.Document != nil {
		c.path = d.Document.Path
		if c.before.json, err = encodeVersion(d.Document.Before); err == nil {
			c.after.json, err = encodeVersion(d.Document.After)
		}
		return c, err
	}
	if c.before, err = t.versionOf(ctx, d.Before); err == nil {
		c.after, err = t.versionOf(ctx, d.After)
	}
	return c, err
}

// versionOf returns a version of a fact as it is stored in a decision.
func (t *tx) versionOf(ctx context.Context, f *strata.Fact) (v version, err error) {
	if f == nil {
		return v, nil
	}
	scopeNo, there, err := t.scopeNo(ctx, f.Scope, false)
	if err != nil {
		return v, err
	}
	if there && f.Text != strata.ForgottenText {
		number, err := t.queryInteger(ctx, `SELECT number FROM fact WHERE scope_no = ? AND id = ? AND generation = ? AND text = ?`,
			scopeNo, f.ID, f.Generation, f.Text)
		if !errors.Is(err, sql.ErrNoRows) {
			return version{number: number}, err
		}
	}
	v.json, err = encodeVersion(f)
	return v, err
}

// encodeVersion returns a fact or document as JSON, or "" if it is nil.
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
		return nil, database.Corrupt("read decision", "a version in a decision is not JSON")
	}
	return v, nil
}

// oneDecision returns the first decision that a condition selects, or
// [sql.ErrNoRows].
func (t *tx) oneDecision(ctx context.Context, condition string, args ...any) (strata.Decision, error) {
	list, err := t.decisions(ctx, condition, args...)
	if err != nil || len(list) == 0 {
		return strata.Decision{}, cmp.Or(err, sql.ErrNoRows)
	}
	return list[0], nil
}

// decisions returns all decisions that a condition selects.
func (t *tx) decisions(ctx context.Context, condition string, args ...any) ([]strata.Decision, error) {
	list, err := collect(ctx, t, decisionSelect+condition, args, scanDecision)
	if err != nil {
		return nil, err
	}
	return t.withVersions(ctx, list)
}

// withVersions fills in the stored fact versions of decisions, as they were at the
// time.
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
		version, ok := facts[number]
		if !ok {
			return kept
		}
		f := *version // another decision may refer to the same version
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
