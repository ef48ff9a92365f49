package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/text"
)

var insertFact = check.Fact.Insert(`number, scope_no, id, generation, type, recorded_at, retired_at, valid_from, confidence, origin, superseded_by,
	supersedes, category, entity, attribute, slot, text_hash, sources, tags, text, verbatim, valid_to`)

// PutFact inserts a version of a fact and returns its passage number. It sets
// RecordedAt to the time of the transaction if it is zero; an importing caller sets
// it.
func (t *tx) PutFact(ctx context.Context, f strata.Fact) (int64, error) {
	const op = "put fact"
	if err := checkFact(f); err != nil {
		return 0, err
	}
	sources, err := encodeList(f.Sources)
	if err != nil {
		return 0, wrap(op, err)
	}
	tags, err := encodeList(f.Tags)
	if err != nil {
		return 0, wrap(op, err)
	}
	no, _, err := t.scopeNo(ctx, f.Scope, true)
	if err != nil {
		return 0, wrap(op, err)
	}
	number, err := t.nextNumber(ctx, no)
	if err != nil {
		return 0, wrap(op, err)
	}
	if err := t.checkVersion(ctx, no, f); err != nil {
		return 0, wrap(op, err)
	}
	recorded := f.RecordedAt
	if recorded.IsZero() {
		recorded = t.now
	}
	_, err = t.exec(ctx, insertFact,
		number, no, f.ID, f.Generation, string(f.Type), micros(recorded), nullMicros(f.RetiredAt),
		nullMicros(f.ValidFrom), f.Confidence, string(f.Origin), f.SupersededBy, f.Supersedes, f.Category, f.Entity, f.Attribute,
		slotKey(f.Entity, f.Attribute), textHash(text.Normalize(f.Text)), sources, tags, f.Text, f.Verbatim, nullMicros(f.ValidTo))
	return number, wrap(op, err)
}

// checkVersion returns an error if a version of a fact may not be inserted.
func (t *tx) checkVersion(ctx context.Context, scopeNo int64, f strata.Fact) error {
	taken, err := t.queryInteger(ctx, `
		SELECT EXISTS (SELECT 1 FROM fact
			WHERE scope_no = ?1 AND id = ?2 AND (generation = ?3 OR ?4 AND retired_at IS NULL))`,
		scopeNo, f.ID, f.Generation, f.RetiredAt == nil)
	if err == nil && taken != 0 {
		err = conflict("put fact", "fact "+f.ID+" has this version, or a current one, already")
	}
	return err
}

// checkFact rejects what would damage the store. Whether the fact makes sense is not
// checked here.
func checkFact(f strata.Fact) error {
	const op = "check fact"
	if err := f.Scope.Validate(); err != nil {
		return err
	}
	if err := f.Type.Validate(); err != nil {
		return err
	}
	if err := f.Origin.Validate(); err != nil {
		return err
	}
	for _, n := range []struct {
		field, name string
		need        bool
	}{
		{"fact id", f.ID, true}, {"category", f.Category, false}, {"entity", f.Entity, false},
		{"attribute", f.Attribute, false}, {"superseding fact", f.SupersededBy, false}, {"superseded fact", f.Supersedes, false},
	} {
		if n.name == "" && !n.need {
			continue
		}
		if err := strata.ValidateName(n.field, n.name); err != nil {
			return err
		}
	}
	switch {
	case len(f.Text) > strata.MaxFactBytes:
		return &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the text is longer than 64 KiB",
			Hint: "split it into shorter facts"}
	case strings.TrimSpace(f.Text) == "":
		return strata.Invalid(op, "the text is empty", "write at least one word")
	case !utf8.ValidString(f.Text) || strings.ContainsRune(f.Text, 0):
		return strata.Invalid(op, "the text is not plain UTF-8", "send text, not binary data")
	case f.Generation < 1:
		return strata.Invalid(op, "the generation is below 1", "count versions from 1")
	case !(f.Confidence >= 0 && f.Confidence <= 1):
		return strata.Invalid(op, "the confidence lies outside 0 to 1", "use a number between 0 and 1")
	}
	return nil
}

// RetireFact marks the current version of a fact as no longer current.
func (t *tx) RetireFact(ctx context.Context, scope strata.Scope, id string, generation int64, supersededBy string) error {
	const op = "retire fact"
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return wrap(op, err)
	}
	if !ok {
		return strata.NotFound(op, "fact", id)
	}
	var number, current int64
	var retired sql.NullInt64
	err = t.queryRow(ctx, `
		SELECT number, generation, retired_at FROM fact WHERE scope_no = ? AND id = ? ORDER BY generation DESC LIMIT 1`,
		no, id).Scan(&number, &current, &retired)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return strata.NotFound(op, "fact", id)
	case err != nil:
		return wrap(op, err)
	case retired.Valid:
		return conflict(op, "fact "+id+" is not current any more")
	case current != generation:
		return conflict(op, "fact "+id+" has changed since it was read")
	}
	_, err = t.exec(ctx, `UPDATE fact SET retired_at = ?, superseded_by = ? WHERE number = ?`,
		micros(t.now), supersededBy, number)
	if err != nil {
		return wrap(op, err)
	}
	return wrap(op, t.retirePassage(ctx, number, micros(t.now)))
}
