package sqlite

import (
	"context"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/neardup"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// A save adds rows to eight tables. To run a statement for each row costs more
// than storing the row, so new rows are kept in memory and written by one
// statement for each table (see unpack in package sqlfunc): at the end of the function, or
// before a statement that could miss them. The rule is that of the tally:
// [tx.query] and [tx.exec] write them first; [tx.look] and [tx.put] are for
// statements that touch none of these tables, or of which kept says that they
// would find nothing new.
//
// Only rows that cannot fail are kept: those whose ids were never used.
type kept struct {
	rows [keptTables]packed.Rows
	// first is the lowest number of a fact version or passage in rows, by scope.
	first map[int64]int64

	// By these, facts and decisions are looked for while rows are kept.
	texts, slots map[scopedKey]struct{}
	sketches     map[sketchKey][]uint64
	// parents are those of kept passages.
	parents map[int64]bool
}

// The tables whose rows are kept, in the order in which they are written.
const (
	keptFacts = iota
	keptDecisions
	keptEvents
	keptPassages
	keptSketches
	keptVectors
	keptTables
)

// keptInserts write the kept rows.
var keptInserts = [keptTables]string{
	keptFacts:     insertFacts,
	keptDecisions: insertDecisions,
	keptEvents:    insertEvents,
	keptPassages:  insertPassages,
	keptSketches:  insertSketches,
	keptVectors:   insertVectors,
}

// maxKept bounds the bytes of rows that are kept.
const maxKept = 8 << 20

// scopedKey is a key that facts or decisions of a scope are looked for by.
type scopedKey struct {
	scopeNo int64
	key     string
}

// sketchKey is a key of a sketch in a scope.
type sketchKey struct{ scopeNo, key int64 }

// keeping returns the rows that are kept, to add to them: in the room of those that
// the function before kept.
func (t *tx) keeping() *kept {
	if t.kept == nil {
		t.kept, t.db.spareKept = t.db.spareKept, nil
	}
	if t.kept == nil {
		t.kept = &kept{
			first: make(map[int64]int64), texts: make(map[scopedKey]struct{}), slots: make(map[scopedKey]struct{}),
			sketches: make(map[sketchKey][]uint64), parents: make(map[int64]bool),
		}
	}
	return t.kept
}

// maxSpareKept bounds the bytes of room that are left to the next function: those of
// some hundred facts.
const maxSpareKept = 512 << 10

// leaveRoom leaves the room of the rows, which are written, to the next function.
func (db *DB) leaveRoom(k *kept) {
	n := 0
	for _, rows := range k.rows {
		n += cap(rows)
	}
	if n <= maxSpareKept {
		db.spareKept = k
	}
}

// keep adds a row to those of a table.
func (t *tx) keep(ctx context.Context, table int, values ...any) error {
	if err := t.ready(ctx); err != nil {
		return err
	}
	k := t.keeping()
	if err := k.rows[table].Add(values...); err != nil {
		return err
	}
	if len(k.rows[table]) >= maxKept {
		return t.writeKept(ctx)
	}
	return nil
}

// spareFrom is how many bytes of rows are written when there is time: those of
// some hundred facts. Fewer cost more by the statements that write them.
const spareFrom = 128 << 10

// Spare writes the kept rows if there are many.
func (t *tx) Spare(ctx context.Context) error {
	if t.kept == nil || t.kept.size() < spareFrom {
		return nil
	}
	return t.writeKept(ctx)
}

// size is how many bytes the kept rows take.
func (k *kept) size() (n int) {
	for _, rows := range k.rows {
		n += len(rows)
	}
	return n
}

// writeKept writes the kept rows.
func (t *tx) writeKept(ctx context.Context) error {
	k := t.kept
	if k == nil {
		return nil
	}
	for i, insert := range keptInserts {
		if len(k.rows[i]) == 0 {
			continue
		}
		if _, err := t.put(ctx, insert, []byte(k.rows[i])); err != nil {
			return err
		}
		k.rows[i] = k.rows[i][:0]
	}
	clear(k.first)
	clear(k.texts)
	clear(k.slots)
	clear(k.sketches)
	clear(k.parents)
	return nil
}

// note takes note of the number of a fact version or passage.
func (k *kept) note(number int64) {
	no := passage.Scope(number)
	if first, known := k.first[no]; !known || number < first {
		k.first[no] = number
	}
}

// mayHold reports whether a fact version or passage may be among the kept rows.
// What is asked for is mostly older than all of them.
func (k *kept) mayHold(number int64) bool {
	first, any := k.first[passage.Scope(number)]
	return any && number >= first
}

// writeKeptOf writes the kept rows if one of these fact versions or passages may
// be among them.
func (t *tx) writeKeptOf(ctx context.Context, numbers ...int64) error {
	if t.kept == nil || !slices.ContainsFunc(numbers, t.kept.mayHold) {
		return nil
	}
	return t.writeKept(ctx)
}

// holds reports whether a key is that of a row which is kept.
func (k *kept) holds(in func(*kept) map[scopedKey]struct{}, scopeNo int64, key string) bool {
	if k == nil {
		return false
	}
	_, ok := in(k)[scopedKey{scopeNo, key}]
	return ok
}

func keptTexts(k *kept) map[scopedKey]struct{} { return k.texts }
func keptSlots(k *kept) map[scopedKey]struct{} { return k.slots }

// holdsLike reports whether a kept fact hardly differs from a sketch.
func (k *kept) holdsLike(scopeNo int64, s neardup.Sketch) bool {
	if k == nil {
		return false
	}
	for _, key := range s.Keys {
		for _, other := range k.sketches[sketchKey{scopeNo, key}] {
			if neardup.Apart(other, s.Bits) <= neardup.MaxApart {
				return true
			}
		}
	}
	return false
}

// settleFor is settle for a search inside parents: where nothing that was not
// written yet belongs to them, it would find nothing new. With no parents all of
// the scope is searched.
func (t *tx) settleFor(ctx context.Context, parents []int64) error {
	concerned := func(p int64) bool {
		if t.tally != nil {
			if _, counted := t.tally.parents[p]; counted {
				return true
			}
		}
		return t.kept != nil && t.kept.parents[p]
	}
	if len(parents) == 0 || slices.ContainsFunc(parents, concerned) {
		return t.settle(ctx)
	}
	return nil
}

// settleScope is settle for what counts and sums of one scope tell.
func (t *tx) settleScope(ctx context.Context, scopeNo int64) error {
	if t.tally == nil || !t.tally.counted[scopeNo] {
		return nil
	}
	return t.settle(ctx)
}

// unusedID reports whether an id lies above all that a table has in a scope,
// and so cannot be taken: ids are ordered by the time they were made. That is
// cheaper than to look for the id itself. newest yields the greatest there is,
// as a blob; none is kept before this was asked.
func (t *tx) unusedID(ctx context.Context, newest string, scopeNo int64, id string) (bool, error) {
	key := newestKey{newest, scopeNo}
	last, known := t.group.newest[key]
	if !known {
		packed, err := t.lookBlob(ctx, newest, scopeNo)
		if err != nil {
			return false, err
		}
		last = string(packed)
	}
	t.group.newest[key] = max(last, id)
	return id > last, nil
}

// newestKey names the greatest id of a table in a scope: by the query for it.
type newestKey struct {
	query   string
	scopeNo int64
}
