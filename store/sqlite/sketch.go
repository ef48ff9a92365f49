package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/neardup"
)

// sketchRows bounds the rows compared for each key: of what many facts share the
// newest count.
const sketchRows = 24

// FactsLike returns current facts whose content terms are those of s, or are
// but for one that was added, left out or changed.
func (t *tx) FactsLike(ctx context.Context, scope strata.Scope, s string, limit int) ([]strata.Fact, error) {
	return inScope(ctx, t, scope, "find facts like", func(no int64) ([]strata.Fact, error) {
		sketch := t.sketch(s)
		if t.kept.holdsLike(no, sketch) {
			if err := t.writeKept(ctx); err != nil {
				return nil, err
			}
		}
		numbers, err := t.sketched(ctx, no, sketch)
		if err != nil {
			return nil, err
		}
		var out []strata.Fact
		for _, number := range numbers[:min(limit, len(numbers))] {
			f, err := t.factByNumber(ctx, number)
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		return out, nil
	})
}

// likeness is a fact that is like a sketch, and in how many bits they differ.
type likeness struct{ number, apart int64 }

// sketched returns the facts that share a key with a sketch and hardly differ
// in its bits: those that differ least first, then the newest.
func (t *tx) sketched(ctx context.Context, scopeNo int64, s neardup.Sketch) ([]int64, error) {
	if len(s.Keys) == 0 {
		return nil, nil
	}
	list, err := t.sharing(ctx, scopeNo, s)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(a.apart, b.apart), cmp.Compare(b.number, a.number))
	})
	var numbers []int64
	for _, l := range slices.Compact(list) {
		numbers = append(numbers, l.number)
	}
	return numbers, nil
}

// sharing returns facts that share a key with a sketch and hardly differ in its
// bits. A fact may come several times.
func (t *tx) sharing(ctx context.Context, scopeNo int64, s neardup.Sketch) ([]likeness, error) {
	args := make([]any, 0, len(s.Keys)+2)
	for _, key := range s.Keys {
		args = append(args, key)
	}
	args = append(args, scopeNo, sketchRows*len(s.Keys))
	// VALUES and not IN, for which SQLite would build a table first. Hardly any
	// fact shares a key: nothing is sorted here.
	found, err := t.lookIntegers(ctx, 2, `
		SELECT s.number, s.bits FROM (VALUES (?)`+strings.Repeat(`, (?)`, len(s.Keys)-1)+`) AS k
		CROSS JOIN sketch AS s ON s.key = k.column1 AND s.scope_no = ? LIMIT ?`, args...)
	if err != nil {
		return nil, err
	}
	var list []likeness
	for row := range slices.Chunk(found, 2) {
		if apart := neardup.Apart(s.Bits, uint64(row[1])); apart <= neardup.MaxApart {
			list = append(list, likeness{row[0], int64(apart)})
		}
	}
	return list, nil
}

// putSketch adds the keys of a fact's text.
func (t *tx) putSketch(ctx context.Context, number int64, text string) error {
	s := t.sketch(text)
	no := passage.Scope(number)
	k := t.keeping()
	for _, key := range s.Keys {
		at := sketchKey{no, key}
		k.sketches[at] = append(k.sketches[at], s.Bits)
		if err := t.keep(ctx, keptSketches, no, key, number, int64(s.Bits)); err != nil {
			return err
		}
	}
	return nil
}

const insertSketches = `INSERT INTO sketch (scope_no, key, number, bits) SELECT c0, c1, c2, c3 FROM unpack(?)`

// dropSketch removes the keys of a fact, which follow from its text.
func (t *tx) dropSketch(ctx context.Context, number int64) error {
	f, err := t.factByNumber(ctx, number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, key := range neardup.Of(f.Text).Keys {
		_, err := t.exec(ctx, `DELETE FROM sketch WHERE scope_no = ? AND key = ? AND number = ?`, passage.Scope(number), key, number)
		if err != nil {
			return err
		}
	}
	return nil
}

// sketch is the sketch of a text, made once for a text that is first looked for and then
// stored.
func (t *tx) sketch(s string) neardup.Sketch {
	if t.lastSketched != s {
		t.lastSketched, t.lastSketch = s, neardup.Of(s)
	}
	return t.lastSketch
}
