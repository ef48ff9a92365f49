package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// A sketch finds facts that say nearly the same without looking at the others:
// hashes of parts of a fact's content terms, chosen so that two facts share
// one if their terms are equal, if one has a term more, or if one differs.
//
// Many terms are divided into three groups by their hashes. A change of one
// term touches two groups at the most, so the third is the same in both. Few
// terms would leave groups empty; of them the whole is taken, and the whole
// without each term in turn. Beside every key stands a set of bits, one for
// each term: two facts that share a part of their terms by chance differ in
// too many bits and are never read (docs/decisions/0003-near-duplicates.md).
type termSketch struct {
	keys []int64
	bits uint64
}

const (
	// fewTerms is up to how many content terms are taken whole; one more is
	// taken both ways, so that a fact finds one with a term more or less.
	fewTerms = 5
	// sketchGroups is into how many groups more terms are divided.
	sketchGroups = 3
	// sketchBits is by how many bits nearly equal facts may differ: one term
	// gone and one come.
	sketchBits = 2
	// sketchRows bounds the rows compared for each key: of what many facts
	// share the newest count.
	sketchRows = 24
)

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
func (t *tx) sketched(ctx context.Context, scopeNo int64, s termSketch) ([]int64, error) {
	if len(s.keys) == 0 {
		return nil, nil
	}
	list, filed, err := t.likeUnfiled(ctx, scopeNo, s)
	if err != nil {
		return nil, err
	}
	if filed {
		may, err := t.mayBeFiled(ctx, &t.db.keys, scopeNo, s.keys)
		if err != nil {
			return nil, err
		}
		others, err := t.likeFiled(ctx, scopeNo, termSketch{may, s.bits}, sketchRows*len(s.keys))
		if err != nil {
			return nil, err
		}
		list = append(list, others...)
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

// likeFiled returns facts whose keys do not wait and that are like a sketch,
// among so many rows. A fact may come several times.
func (t *tx) likeFiled(ctx context.Context, scopeNo int64, s termSketch, most int) ([]likeness, error) {
	if len(s.keys) == 0 {
		return nil, nil
	}
	args := make([]any, 0, len(s.keys)+4)
	args = append(args, int64(s.bits))
	for _, key := range s.keys {
		args = append(args, key)
	}
	args = append(args, scopeNo, most, sketchBits)
	// VALUES and not IN, for which SQLite would build a table first. Hardly any
	// fact has one that is like it: nothing is sorted here.
	found, err := t.lookIntegers(ctx, 2, `
		SELECT number, apart FROM (
			SELECT s.number, bits_apart(s.bits, ?) AS apart
			FROM (VALUES (?)`+strings.Repeat(`, (?)`, len(s.keys)-1)+`) AS k
			CROSS JOIN sketch AS s ON s.key = k.column1 AND s.scope_no = ? LIMIT ?)
		WHERE apart <= ?`, args...)
	if err != nil {
		return nil, err
	}
	var list []likeness
	for row := range slices.Chunk(found, 2) {
		list = append(list, likeness{row[0], row[1]})
	}
	return list, nil
}

// putSketch adds the keys of a fact's text: to those that wait, if the fact was
// never indexed.
func (t *tx) putSketch(ctx context.Context, number int64, text string) error {
	s := t.sketch(text)
	if len(s.keys) == 0 {
		return nil
	}
	no := scopeOf(number)
	k := t.keeping()
	for _, key := range s.keys {
		at := sketchKey{no, key}
		k.sketches[at] = append(k.sketches[at], s.bits)
	}
	if number == t.fresh {
		t.db.keys.changed = true
		k.unfiled = append(k.unfiled, unfiledFact{number, s})
		return t.keep(ctx, keptUnfiled, number, int64(s.bits), encodeKeys(s.keys))
	}
	for _, key := range s.keys {
		k.filed[no] = append(k.filed[no], key)
		if err := t.keep(ctx, keptSketches, no, key, number, int64(s.bits)); err != nil {
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
	keys := sketchOf(f.Text).keys
	waited, err := t.dropUnfiled(ctx, number, keys)
	if err != nil || waited {
		return err
	}
	for _, key := range keys {
		_, err := t.exec(ctx, `DELETE FROM sketch WHERE scope_no = ? AND key = ? AND number = ?`, scopeOf(number), key, number)
		if err != nil {
			return err
		}
	}
	return nil
}

// sketch is sketchOf, made once for a text that is first looked for and then
// stored.
func (t *tx) sketch(s string) termSketch {
	if t.lastSketched != s {
		t.lastSketched, t.lastSketch = s, sketchOf(s)
	}
	return t.lastSketch
}

// sketchOf returns the sketch of a text. A text without content terms has no keys.
func sketchOf(s string) termSketch {
	hashes := text.Hashes(s)
	var out termSketch
	for _, h := range hashes {
		out.bits |= 1 << (h % 64)
	}
	if n := len(hashes); 0 < n && n <= fewTerms+1 {
		out.keys = append(out.keys, groupKey(hashes, func(int, uint64) bool { return true }))
		for skip := 0; skip < n && n > 1; skip++ {
			out.keys = append(out.keys, groupKey(hashes, func(i int, _ uint64) bool { return i != skip }))
		}
	}
	if len(hashes) >= fewTerms {
		for g := range uint64(sketchGroups) {
			in := func(_ int, h uint64) bool { return h>>32%sketchGroups == g }
			if slices.ContainsFunc(hashes, func(h uint64) bool { return in(0, h) }) {
				out.keys = append(out.keys, groupKey(hashes, in))
			}
		}
	}
	slices.Sort(out.keys)
	out.keys = slices.Compact(out.keys)
	return out
}

// groupKey hashes those of the sorted hashes that are in a group.
func groupKey(hashes []uint64, in func(i int, h uint64) bool) int64 {
	var key uint64
	for i, h := range hashes {
		if in(i, h) {
			key = text.Mix(key ^ h)
		}
	}
	return int64(key)
}
