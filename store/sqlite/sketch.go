package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"hash/fnv"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// A sketch finds facts that say nearly the same without looking at the others:
// the hash of a fact's content terms, and of the terms with each left out in
// turn. Two facts share a key exactly if their terms are equal, or one has a
// term more, or one term differs; so a save costs a few look-ups, however many
// facts there are (docs/decisions/0003-near-duplicates.md).

// sketchTerms is how many content terms a fact may have to be sketched with
// terms left out. A longer text is a document; of it only the whole counts.
const sketchTerms = 24

// FactsLike returns current facts whose content terms are those of s, or are
// but for one that was added, left out or changed.
func (t *tx) FactsLike(ctx context.Context, scope strata.Scope, s string, limit int) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "find facts like", func(no int64) ([]strata.Fact, error) {
		keys, err := encodeNumbers(sketch(s))
		if err != nil {
			return nil, err
		}
		// The whole comes first, then what has a term left out, newest first.
		numbers, err := t.numberList(ctx, `
			SELECT k.number
			FROM json_each(?2) AS j CROSS JOIN sketch AS k ON k.scope_no = ?1 AND k.key = j.value
			LIMIT ?3`, no, keys, limit)
		if err != nil {
			return nil, err
		}
		var out []strata.Fact
		for _, number := range slices.Compact(numbers) {
			f, err := t.factByNumber(ctx, number)
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(out, func(seen strata.Fact) bool { return seen.ID == f.ID }) {
				out = append(out, f)
			}
		}
		return out, nil
	})
}

// putSketch adds the keys of a fact's text.
func (t *tx) putSketch(ctx context.Context, number int64, s string) error {
	keys, err := encodeNumbers(sketch(s))
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `INSERT OR IGNORE INTO sketch (scope_no, key, number) SELECT ?, value, ? FROM json_each(?)`,
		scopeOf(number), number, keys)
	return err
}

// dropSketch removes the keys of a fact, which follow from its text.
func (t *tx) dropSketch(ctx context.Context, number int64) error {
	f, err := t.factByNumber(ctx, number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	keys, err := encodeNumbers(sketch(f.Text))
	if err != nil {
		return err
	}
	_, err = t.exec(ctx, `DELETE FROM sketch WHERE scope_no = ?1 AND key IN (SELECT value FROM json_each(?3)) AND number = ?2`,
		scopeOf(number), number, keys)
	return err
}

// sketch returns the keys of a text, that of all its content terms first. A
// text without any has none.
func sketch(s string) []int64 {
	var terms []string
	for _, token := range text.Analyze(s) {
		if !token.Stop {
			terms = append(terms, token.Term)
		}
	}
	slices.Sort(terms)
	terms = slices.Compact(terms)
	if len(terms) == 0 {
		return []int64{}
	}
	keys := []int64{sketchKey(terms, -1)}
	if len(terms) > 1 && len(terms) <= sketchTerms {
		for i := range terms {
			keys = append(keys, sketchKey(terms, i))
		}
	}
	return keys
}

// sketchKey hashes the terms without the one at skip.
func sketchKey(terms []string, skip int) int64 {
	h := fnv.New64a()
	for i, term := range terms {
		if i != skip {
			h.Write([]byte(term))
			h.Write([]byte{0})
		}
	}
	return int64(h.Sum64())
}
