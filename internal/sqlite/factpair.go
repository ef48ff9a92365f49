package sqlite

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide/neardup"
	"github.com/strata-memory/strata/store"
)

// pairWindow bounds the comparisons. Of the facts of a slot, only the newest
// pairWindow are compared with each other, and a fact that shares a sketch key with
// others is compared only within a window of that many. maxPairsPerKey is the number
// of pairs among pairWindow facts. One key yields no more, because texts written from
// a template are all alike without that meaning anything.
const (
	pairWindow     = 24
	maxPairsPerKey = pairWindow * (pairWindow - 1) / 2
)

// factPair identifies two facts by their numbers, the lower first.
type factPair [2]int64

// FactPairs lists pairs of current facts that fill the same slot or have similar
// sketches, up to limit. The closest come first, then the newest.
func (t *tx) FactPairs(ctx context.Context, scope strata.Scope, limit int) ([]store.FactPair, error) {
	return inScope(ctx, t, scope, "pair facts", func(no int64) ([]store.FactPair, error) {
		found := make(map[factPair]int) // in how many bits their sketches differ; 0 for the same slot
		if err := t.pairInSlots(ctx, no, found); err != nil {
			return nil, err
		}
		if err := t.pairSketches(ctx, no, found); err != nil {
			return nil, err
		}
		pairs := slices.SortedFunc(maps.Keys(found), func(a, b factPair) int {
			return cmp.Or(cmp.Compare(found[a], found[b]), cmp.Compare(b[1], a[1]), cmp.Compare(b[0], a[0]))
		})
		pairs = pairs[:min(clampLimit(limit), len(pairs))]
		var numbers []int64
		for _, p := range pairs {
			numbers = append(numbers, p[:]...)
		}
		facts, err := t.factsAt(ctx, numbers)
		var out []store.FactPair
		for _, p := range pairs {
			if a, b := facts[p[0]], facts[p[1]]; a != nil && b != nil {
				out = append(out, store.FactPair{*a, *b})
			}
		}
		return out, err
	})
}

// pairInSlots adds the pairs of facts that fill the same slot.
func (t *tx) pairInSlots(ctx context.Context, scopeNo int64, found map[factPair]int) error {
	var slot string
	var group []int64 // facts of the slot, ascending
	add := func() {
		group = group[max(0, len(group)-pairWindow):]
		for i, low := range group {
			for _, high := range group[i+1:] {
				found[factPair{low, high}] = 0
			}
		}
		group = group[:0]
	}
	rows, err := t.query(ctx, `
		SELECT f.slot, f.number FROM (
			SELECT slot FROM fact WHERE scope_no = ?1 AND retired_at IS NULL AND slot <> '' GROUP BY slot HAVING count(*) > 1) AS x
		CROSS JOIN fact AS f ON f.scope_no = ?1 AND f.slot = x.slot AND f.slot <> '' AND f.retired_at IS NULL
		ORDER BY f.slot, f.number`, scopeNo)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var in string
		var number int64
		if err := rows.Scan(&in, &number); err != nil {
			return err
		}
		if in != slot {
			add()
			slot = in
		}
		group = append(group, number)
	}
	add()
	return rows.Err()
}

// keySlices is the number of ranges into which the sketch keys of a scope are
// divided, so that one range fits in memory even if there are a million facts.
const keySlices = 16

// pairSketches adds the pairs of facts whose sketches share a key and hardly differ.
// Keys are hashes, so the ranges are about equal in size. It reads all rows, which
// is cheaper than having SQL find the shared keys.
func (t *tx) pairSketches(ctx context.Context, scopeNo int64, found map[factPair]int) error {
	const width = 1 << 60 // width of a range; the last range ends with the greatest key
	for i := range int64(keySlices) {
		low := math.MinInt64 + i*width
		rows, err := t.queryIntegers(ctx, 3, `SELECT key, number, bits FROM sketch WHERE scope_no = ? AND key BETWEEN ? AND ? ORDER BY key, number DESC`,
			scopeNo, low, low+(width-1))
		if err != nil {
			return err
		}
		for len(rows) > 0 {
			end := 3
			for end < len(rows) && rows[end] == rows[0] {
				end += 3
			}
			pairAlike(rows[:end], found)
			rows = rows[end:]
		}
	}
	return nil
}

// pairAlike adds the pairs of facts that hardly differ. rows holds (key, number,
// bits) for one key, with descending numbers.
func pairAlike(rows []int64, found map[factPair]int) {
	room := maxPairsPerKey
	for i := 0; i < len(rows); i += 3 {
		for j := i + 3; j < min(len(rows), i+3*pairWindow); j += 3 {
			n := neardup.Apart(uint64(rows[i+2]), uint64(rows[j+2]))
			if n > neardup.MaxApart {
				continue
			}
			p := factPair{rows[j+1], rows[i+1]}
			if _, known := found[p]; !known { // the pair may be known by its slot
				found[p] = n
			}
			if room--; room == 0 {
				return
			}
		}
	}
}
