package sqlite

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// factByNumber returns the fact version with a number, or [sql.ErrNoRows].
func (t *tx) factByNumber(ctx context.Context, number int64) (strata.Fact, error) {
	return scanFact(t.queryRow(ctx, factSelect+`WHERE f.number = ?`, number).Scan)
}

// Fact returns the latest version of a fact that one of the scopes owns.
func (t *tx) Fact(ctx context.Context, scopes []strata.Scope, id string) (strata.Fact, error) {
	return inScopes(ctx, t, scopes, "read fact", "fact", id, func(_ strata.Scope, no int64) (strata.Fact, error) {
		return scanFact(t.queryRow(ctx, factSelect+`WHERE f.scope_no = ? AND f.id = ? ORDER BY f.generation DESC LIMIT 1`, no, id).Scan)
	})
}

// FactVersions returns all versions of a fact, oldest first.
func (t *tx) FactVersions(ctx context.Context, scope strata.Scope, id string) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "read versions", func(no int64) ([]strata.Fact, error) {
		return collect(ctx, t, factSelect+`WHERE f.scope_no = ? AND f.id = ? ORDER BY f.generation`, []any{no, id}, scanFact)
	})
}

// FactsByText returns the current facts with the same normalized text.
func (t *tx) FactsByText(ctx context.Context, scope strata.Scope, said *text.Analysis) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "find fact by text", func(no int64) ([]strata.Fact, error) {
		normal := said.Normal()
		hash := textHash(normal)
		same, err := t.factsAmong(ctx, `SELECT number FROM fact WHERE scope_no = ? AND text_hash = ? AND retired_at IS NULL`, no, hash)
		return slices.DeleteFunc(same, func(f strata.Fact) bool {
			return text.Normalize(f.Text) != normal // only the hash is the same
		}), err
	})
}

// factsAmong returns the fact versions whose numbers a query returns, in order of
// id. Nearly every save looks for a few facts and finds none; the query then reads
// only an index.
func (t *tx) factsAmong(ctx context.Context, query string, args ...any) ([]strata.Fact, error) {
	numbers, err := t.queryIntegers(ctx, 1, query, args...)
	if err != nil {
		return nil, err
	}
	list, err := t.factsOf(ctx, numbers)
	slices.SortFunc(list, byID)
	return list, err
}

// factsOf returns the fact versions with the given numbers, in the same order.
func (t *tx) factsOf(ctx context.Context, numbers []int64) ([]strata.Fact, error) {
	var out []strata.Fact
	for _, number := range numbers {
		f, err := t.factByNumber(ctx, number)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
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
		return t.factsAmong(ctx, `SELECT number FROM fact WHERE scope_no = ? AND slot = ? AND slot <> '' AND retired_at IS NULL`,
			no, slot)
	})
}

// textHash returns the key by which facts with the same normalized text are found.
func textHash(normalized string) []byte {
	sum := sha256.Sum256([]byte(normalized))
	return sum[:16]
}

// slotKey returns the normalized form of a slot, or "" if there is none. The
// separator is a control character, which normalized names do not contain.
func slotKey(entity, attribute string) string {
	if entity == "" && attribute == "" {
		return ""
	}
	return text.Normalize(entity) + "\x1f" + text.Normalize(attribute)
}
