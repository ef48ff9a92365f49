package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// factSelect reads fact versions with what was counted of them, for scanFact.
// A condition on f follows.
const factSelect = `SELECT ` + factColumns + ` FROM fact f ` + factJoins

// factColumns are those of scanFact, factJoins what they need beside fact f.
const factColumns = `f.id, s.key, f.generation, f.type, f.recorded_at, f.retired_at, f.valid_from, f.confidence, f.origin,
		f.superseded_by, f.supersedes, f.category, f.entity, f.attribute, f.sources, f.tags, f.text,
		coalesce(a.accesses, 0), a.last_access`

const factJoins = `
	JOIN scope s ON s.no = f.scope_no
	LEFT JOIN access a ON a.scope_no = f.scope_no AND a.memory_id = f.id
	`

// scanFact reads a row of factSelect.
func scanFact(scan scanner) (strata.Fact, error) {
	var (
		f                        strata.Fact
		key, sources, tags       string
		recorded                 int64
		retired, valid, accessed sql.NullInt64
	)
	err := scan(&f.ID, &key, &f.Generation, &f.Type, &recorded, &retired, &valid, &f.Confidence, &f.Origin,
		&f.SupersededBy, &f.Supersedes, &f.Category, &f.Entity, &f.Attribute, &sources, &tags, &f.Text,
		&f.Accesses, &accessed)
	if err != nil {
		return f, err
	}
	f.RecordedAt = fromMicros(recorded)
	f.RetiredAt, f.ValidFrom = fromNullMicros(retired), fromNullMicros(valid)
	if accessed.Valid {
		f.LastAccess = fromMicros(accessed.Int64)
	}
	if f.Scope, err = strata.ParseScope(key); err != nil {
		return f, err
	}
	if f.Sources, err = decodeList(sources); err != nil {
		return f, err
	}
	f.Tags, err = decodeList(tags)
	return f, err
}

// factByNumber reads the version with a number, or [sql.ErrNoRows].
func (t *tx) factByNumber(ctx context.Context, number int64) (strata.Fact, error) {
	if t.kept != nil && t.kept.first > 0 && number >= t.kept.first {
		if err := t.writeKept(ctx); err != nil {
			return strata.Fact{}, err
		}
	}
	return scanFact(t.lookRow(ctx, factSelect+`WHERE f.number = ?`, number).Scan)
}

// facts reads all versions a condition selects.
func (t *tx) facts(ctx context.Context, condition string, args ...any) ([]strata.Fact, error) {
	rows, err := t.query(ctx, factSelect+condition, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanFact)
}

// Fact returns the latest version of a fact that one of the scopes owns.
func (t *tx) Fact(ctx context.Context, scopes []strata.Scope, id string) (strata.Fact, error) {
	return inScopes(ctx, t, scopes, "read fact", "fact", id, func(no int64) (strata.Fact, error) {
		return scanFact(t.queryRow(ctx, factSelect+`WHERE f.scope_no = ? AND f.id = ? ORDER BY f.generation DESC LIMIT 1`, no, id).Scan)
	})
}

// inScopes returns what read finds in the first scope that has it.
func inScopes[T any](ctx context.Context, t *tx, scopes []strata.Scope, op, kind, id string, read func(scopeNo int64) (T, error)) (T, error) {
	var zero T
	for _, s := range scopes {
		no, ok, err := t.scopeNo(ctx, s, false)
		if err != nil {
			return zero, err
		}
		if !ok {
			continue
		}
		v, err := read(no)
		if err == nil || !errors.Is(err, sql.ErrNoRows) {
			return v, wrap(op, err)
		}
	}
	return zero, strata.NotFound(op, kind, id)
}

// inScope lists what read finds in a scope; nothing for a scope that owns nothing.
func inScope[T any](ctx context.Context, t *tx, scope strata.Scope, op string, read func(scopeNo int64) ([]T, error)) ([]T, error) {
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil || !ok {
		return nil, err
	}
	list, err := read(no)
	return list, wrap(op, err)
}

// FactVersions returns all versions of a fact, oldest first.
func (t *tx) FactVersions(ctx context.Context, scope strata.Scope, id string) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "read versions", func(no int64) ([]strata.Fact, error) {
		return t.facts(ctx, `WHERE f.scope_no = ? AND f.id = ? ORDER BY f.generation`, no, id)
	})
}

// FactsByText returns the current facts with the same normalized text.
func (t *tx) FactsByText(ctx context.Context, scope strata.Scope, s string) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "find fact by text", func(no int64) ([]strata.Fact, error) {
		normal := text.Normalize(s)
		norm := normHash(normal)
		if t.kept.holds(keptTexts, no, string(norm)) {
			if err := t.writeKept(ctx); err != nil {
				return nil, err
			}
		}
		same, err := t.factsAmong(ctx, `SELECT number FROM fact WHERE scope_no = ? AND norm = ? AND retired_at IS NULL`,
			no, norm)
		return slices.DeleteFunc(same, func(f strata.Fact) bool {
			return text.Normalize(f.Text) != normal // merely the same hash
		}), err
	})
}

// factsAmong reads the versions whose numbers a query yields, in the order of
// their ids. Nearly every save looks for a few facts and finds none: then the
// query reads an index and nothing else.
func (t *tx) factsAmong(ctx context.Context, query string, args ...any) ([]strata.Fact, error) {
	rows, err := t.look(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	numbers, err := collect(rows, scanNumber)
	if err != nil {
		return nil, err
	}
	var out []strata.Fact
	for _, number := range numbers {
		f, err := t.factByNumber(ctx, number)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	slices.SortFunc(out, byID)
	return out, nil
}

func byID(a, b strata.Fact) int { return strings.Compare(a.ID, b.ID) }

// FactsBySlot returns the current facts that fill a slot.
func (t *tx) FactsBySlot(ctx context.Context, scope strata.Scope, entity, attribute string) ([]strata.Fact, error) {
	slot := slotKey(entity, attribute)
	if slot == "" {
		return nil, nil
	}
	return inScope(ctx, t, scope, "find fact by slot", func(no int64) ([]strata.Fact, error) {
		if t.kept.holds(keptSlots, no, slot) {
			if err := t.writeKept(ctx); err != nil {
				return nil, err
			}
		}
		return t.factsAmong(ctx, `SELECT number FROM fact WHERE scope_no = ? AND slot = ? AND slot <> '' AND retired_at IS NULL`,
			no, slot)
	})
}

// normHash is the key by which facts of the same normalized text are found.
func normHash(normalized string) []byte {
	sum := sha256.Sum256([]byte(normalized))
	return sum[:16]
}

// slotKey is the normalized form of a slot; empty for none. The separator is a
// control character, which normalized names do not hold.
func slotKey(entity, attribute string) string {
	if entity == "" && attribute == "" {
		return ""
	}
	return text.Normalize(entity) + "\x1f" + text.Normalize(attribute)
}

// PutFact inserts a version of a fact and returns its passage number.
// RecordedAt is set to the time of the transaction unless the caller, who
// imports, says otherwise.
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
	recorded := f.RecordedAt
	if recorded.IsZero() {
		recorded = t.now
	}
	unused, err := t.unusedID(ctx, `SELECT coalesce(max(id), '') FROM fact WHERE scope_no = ?`, no, f.ID)
	if err != nil {
		return 0, wrap(op, err)
	}
	if !unused { // it may not be possible: nothing else must fail with it
		if err := t.settle(ctx); err != nil {
			return 0, wrap(op, err)
		}
		if err := t.checkVersion(ctx, no, f); err != nil {
			return 0, err
		}
	}
	slot, norm := slotKey(f.Entity, f.Attribute), normHash(text.Normalize(f.Text))
	err = t.keep(ctx, keptFacts, number, no, f.ID, f.Generation, f.Type, micros(recorded), nullMicros(f.RetiredAt),
		nullMicros(f.ValidFrom), f.Confidence, f.Origin, f.SupersededBy, f.Supersedes, f.Category, f.Entity, f.Attribute,
		slot, norm, sources, tags, f.Text)
	if err != nil {
		return 0, wrap(op, err)
	}
	t.latest = factVersion{number, no, f.ID, f.Generation, f.Text}
	k := t.keeping()
	k.texts[scopedKey{no, string(norm)}] = struct{}{}
	k.slots[scopedKey{no, slot}] = struct{}{}
	if k.first == 0 {
		k.first = number
	}
	return number, nil
}

// checkVersion reports whether a version of a known fact may be put.
func (t *tx) checkVersion(ctx context.Context, scopeNo int64, f strata.Fact) error {
	const op = "put fact"
	var taken bool
	err := t.queryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM fact
			WHERE scope_no = ?1 AND id = ?2 AND (generation = ?3 OR ?4 AND retired_at IS NULL))`,
		scopeNo, f.ID, f.Generation, f.RetiredAt == nil).Scan(&taken)
	if err == nil && taken {
		err = conflict(op, "fact "+f.ID+" has this version, or a current one, already")
	}
	return wrap(op, err)
}

// factVersion names a stored version of a fact.
type factVersion struct {
	number, scopeNo int64
	id              string
	generation      int64
	text            string
}

const insertFacts = `
	INSERT INTO fact (number, scope_no, id, generation, type, recorded_at, retired_at, valid_from, confidence, origin,
		superseded_by, supersedes, category, entity, attribute, slot, norm, sources, tags, text)
	SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19 FROM unpack(?)`

// checkFact reports what would damage the store. Whether the fact makes sense
// is for others to say.
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
