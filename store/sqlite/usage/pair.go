package usage

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata/neardup"
)

// alike is how many facts of a slot, or with a key of their sketches, are compared with
// each other: of more, the newest count. What is written after a template shares keys
// with all the others and says nothing by it.
const alike = 24

// Pair names two facts by their numbers, the lower first.
type Pair [2]int64

// Pairs lists pairs of current facts that fill the same slot or whose sketches are
// alike, those with the newest facts first, up to a limit.
func (s Scope) Pairs(ctx context.Context, limit int) ([]Pair, error) {
	found := make(map[Pair]bool)
	if err := s.inSlots(ctx, found); err != nil {
		return nil, err
	}
	if err := s.sketched(ctx, found); err != nil {
		return nil, err
	}
	list := slices.SortedFunc(maps.Keys(found), func(a, b Pair) int { return cmp.Or(cmp.Compare(b[1], a[1]), cmp.Compare(b[0], a[0])) })
	return list[:min(limit, len(list))], nil
}

// inSlots adds the pairs of facts that fill the same slot.
func (s Scope) inSlots(ctx context.Context, found map[Pair]bool) error {
	var slot string
	var group []int64 // of the slot, rising
	add := func() {
		group = group[max(0, len(group)-alike):]
		for i, low := range group {
			for _, high := range group[i+1:] {
				found[Pair{low, high}] = true
			}
		}
		group = group[:0]
	}
	rows, err := s.Query(ctx, `
		SELECT f.slot, f.number FROM (
			SELECT slot FROM fact WHERE scope_no = ?1 AND retired_at IS NULL AND slot <> '' GROUP BY slot HAVING count(*) > 1) AS x
		CROSS JOIN fact AS f ON f.scope_no = ?1 AND f.slot = x.slot AND f.slot <> '' AND f.retired_at IS NULL
		ORDER BY f.slot, f.number`, s.No)
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

// sketched adds the pairs of facts whose sketches share a key and hardly differ.
func (s Scope) sketched(ctx context.Context, found map[Pair]bool) error {
	type fact struct{ number, bits int64 }
	var key int64
	var group []fact // with the key, falling
	rows, err := s.Query(ctx, `
		SELECT key, number, bits FROM (
			SELECT key, number, bits, row_number() OVER w AS nth, lead(key) OVER w AS next FROM sketch
			WHERE scope_no = ?1 WINDOW w AS (PARTITION BY key ORDER BY number DESC))
		WHERE nth <= ?2 AND (nth > 1 OR next IS NOT NULL)`, s.No, alike)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var in int64
		var f fact
		if err := rows.Scan(&in, &f.number, &f.bits); err != nil {
			return err
		}
		if in != key {
			key, group = in, group[:0]
		}
		for _, newer := range group {
			if neardup.Apart(uint64(newer.bits), uint64(f.bits)) <= neardup.MaxApart {
				found[Pair{f.number, newer.number}] = true
			}
		}
		group = append(group, f)
	}
	return rows.Err()
}
