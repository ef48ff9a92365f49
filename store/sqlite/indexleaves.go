package sqlite

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
)

// In an index of words the entries of a term begin, in a segment (of ?1: place,
// number, first and last leaf), in the leaf of the last split key up to the term
// (?2), and end at the latest in that of the first split key behind it.
const (
	firstLeafOfTerm = `(s.c1 << 37) + max(s.c2, coalesce((
		SELECT pgno >> 1 FROM word_idx WHERE segid = s.c1 AND term <= ?2 ORDER BY term DESC LIMIT 1), 1))`
	lastLeafOfTerm = `(s.c1 << 37) + min(s.c3, coalesce((
		SELECT pgno >> 1 FROM word_idx WHERE segid = s.c1 AND term > ?2 ORDER BY term LIMIT 1), s.c3))`
	// leavesOfTerm and firstLeaves select all these leaves, and the first of each
	// segment, with the place of the segment and the row of the leaf.
	leavesOfTerm = `
		SELECT pack(c0, id, block) FROM (
			SELECT s.c0, d.id, d.block FROM unpack(?1) AS s CROSS JOIN word_data AS d
			ON d.id BETWEEN ` + firstLeafOfTerm + ` AND ` + lastLeafOfTerm + ` LIMIT -1)`
	firstLeaves = `
		SELECT pack(c0, id, block) FROM (
			SELECT s.c0, d.id, d.block FROM unpack(?1) AS s CROSS JOIN word_data AS d
			ON d.id = ` + firstLeafOfTerm + ` WHERE d.id <= (s.c1 << 37) + s.c3 LIMIT -1)`
	// structure selects the record of the segments of that index.
	structure = `SELECT coalesce((SELECT block FROM word_data WHERE id = 10), x'')`
	// termPrefix stands before each term of an index that is not one of prefixes.
	termPrefix = "0"
)

// entriesInLeaves returns the entries of a term in a range of rows, by row, as
// the leaves of the index have them. They may lie in the room that is given. What
// the transaction itself has written may not be in leaves yet.
func (t *tx) entriesInLeaves(ctx context.Context, room *[]termEntry, term string, low, high int64) ([]termEntry, error) {
	record, err := t.queryBlob(ctx, structure)
	if err != nil {
		return nil, err
	}
	segments, err := decodeSegments(record)
	if err != nil {
		return nil, err
	}
	key := []byte(termPrefix + term)
	found := make([][]termEntry, len(segments))
	begun := make([]bool, len(segments)) // has the term, with entries in several leaves
	there := make([]bool, len(segments)) // has the leaf
	// Most segments do not have most terms: their first leaf tells, while all
	// leaves up to the next split key may be those of a very common one.
	err = t.eachSegment(ctx, firstLeaves, segments, nil, key, func(place int, leaves [][]byte, _ int64) error {
		there[place] = true
		scan := leafScan{rest: leaves}
		if !scan.turn() || !scan.seek(key) {
			return scan.fault()
		}
		if begun[place] = scan.end > scan.size; begun[place] {
			return nil
		}
		scan = leafScan{rest: leaves}
		list, err := scan.entries(nil, key, low, high)
		found[place] = list
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, s := range segments {
		if s.last > 0 && !there[i] {
			return nil, errSegment
		}
	}
	to, before := (*room)[:0], 0 // what was read, and of which segment last
	err = t.eachSegment(ctx, leavesOfTerm, segments, begun, key, func(place int, leaves [][]byte, last int64) error {
		const least = 3 // bytes of an entry: its row, size and position
		size := 0
		for _, l := range leaves {
			size += len(l)
		}
		scan := leafScan{rest: leaves}
		list, err := scan.entries(slices.Grow(to, size/least), key, low, high)
		found[place] = list[len(to):]
		if len(to) > 0 { // what was read before must not grow into this
			found[before] = slices.Clip(found[before])
		}
		before, to = place, list
		if scan.out && last != segments[place].last { // more must follow
			return errSegment
		}
		return err
	})
	*room = to
	if err != nil {
		return nil, err
	}
	var all []termEntry
	for _, list := range found {
		all = newerEntries(all, list)
	}
	return slices.DeleteFunc(all, func(e termEntry) bool { return e.count() == 0 }), nil
}

// eachSegment runs a query for those of some segments that are wanted, or all if
// wanted is nil, and calls do with the leaves of each that has any, and with the
// number of the last of them.
func (t *tx) eachSegment(ctx context.Context, query string, segments []indexSegment, wanted []bool, key []byte, do func(place int, leaves [][]byte, last int64) error) error {
	var rows packedRows
	for i, s := range segments {
		if wanted == nil || wanted[i] {
			if err := rows.add(int64(i), s.number, s.first, s.last); err != nil {
				return err
			}
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return t.packed(ctx, func(packed []byte) error {
		leaves, last, err := leavesOf(packed, len(segments))
		if err != nil {
			return err
		}
		for place, list := range leaves {
			if len(list) == 0 {
				continue
			}
			if err := do(place, list, int64(last[place]&leafNumber)); err != nil {
				return err
			}
		}
		return nil
	}, query, []byte(rows), key)
}

// indexSegment is a part of a full-text index, by its number and those of its leaves.
type indexSegment struct{ number, first, last int64 }

// decodeSegments reads the record of the structure of an index: its segments,
// those that were written first before the others.
func decodeSegments(record []byte) ([]indexSegment, error) {
	const cookie = 4 // bytes before the rest
	if len(record) < cookie {
		return nil, errSegment
	}
	b := record[cookie:]
	next := func() int64 {
		n, size := sqliteVarint(b)
		if size == 0 || n > math.MaxInt32 {
			b = nil // and so is all that follows
			return -1
		}
		b = b[size:]
		return int64(n)
	}
	levels, total := next(), next()
	if _, size := sqliteVarint(b); size > 0 {
		b = b[size:] // how much was ever written
	}
	var all [][]indexSegment
	for range levels {
		const least = 3 // bytes of a segment
		merging, n := next(), next()
		if merging < 0 || n < 0 || n > total || n > int64(len(b))/least {
			return nil, errSegment
		}
		level := make([]indexSegment, n)
		for i := range level {
			s := indexSegment{next(), next(), next()}
			if s.number <= 0 || s.first < 0 || s.last < s.first { // the leaves of one that was merged are 0 to 0
				return nil, errSegment
			}
			level[i] = s
		}
		total -= n
		all = append(all, level)
	}
	if total != 0 || len(b) > 0 {
		return nil, errSegment // also where deletes are kept apart
	}
	slices.Reverse(all)
	return slices.Concat(all...), nil
}

// leafNumber is the part of the row of a leaf that numbers the leaves of a
// segment.
const leafNumber = 1<<31 - 1

// leavesOf parts packed leaves by the places of their segments, and returns the
// row of the last of each. None must be missing between two of a segment.
func leavesOf(packed []byte, segments int) (out [][][]byte, last []uint64, err error) {
	const head = 8 + 8 + 4 // the place, the row, and the length of the leaf
	out, last = make([][][]byte, segments), make([]uint64, segments)
	for len(packed) > 0 {
		if len(packed) < head {
			return nil, nil, errPacked
		}
		place, row := binary.LittleEndian.Uint64(packed), binary.LittleEndian.Uint64(packed[8:])
		size := int64(binary.LittleEndian.Uint32(packed[16:]))
		if packed = packed[head:]; place >= uint64(segments) || size > int64(len(packed)) {
			return nil, nil, errPacked
		}
		if len(out[place]) > 0 && row != last[place]+1 {
			return nil, nil, errSegment
		}
		out[place], last[place], packed = append(out[place], packed[:size]), row, packed[size:]
	}
	return out, last, nil
}
