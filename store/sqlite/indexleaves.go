package sqlite

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
)

const (
	// leavesOfTerm selects the leaves of segments of the index of words (?1: place,
	// number, first and last leaf of each) in which a term (?2) may have entries,
	// each with the place of its segment: from the leaf of the last split key up
	// to the term to that of the first behind it.
	leavesOfTerm = `
		SELECT pack(c0, block) FROM (
			SELECT s.c0, d.block FROM unpack(?1) AS s CROSS JOIN word_data AS d
			ON d.id BETWEEN
				(s.c1 << 37) + max(s.c2, coalesce((
					SELECT pgno >> 1 FROM word_idx WHERE segid = s.c1 AND term <= ?2 ORDER BY term DESC LIMIT 1), 1))
				AND (s.c1 << 37) + min(s.c3, coalesce((
					SELECT pgno >> 1 FROM word_idx WHERE segid = s.c1 AND term > ?2 ORDER BY term LIMIT 1), s.c3))
			LIMIT -1)`
	// structure selects the record of the segments of that index.
	structure = `SELECT block FROM word_data WHERE id = 10`
	// termPrefix stands before each term of an index that is not one of prefixes.
	termPrefix = "0"
)

// entriesInLeaves appends the entries of a term in a range of rows, by row, as
// the leaves of the index have them. What the transaction itself has written may
// not be in leaves yet.
func (t *tx) entriesInLeaves(ctx context.Context, to []termEntry, term string, low, high int64) ([]termEntry, error) {
	segments, n, err := t.wordSegments(ctx)
	if err != nil || n == 0 {
		return to, err
	}
	key := []byte(termPrefix + term)
	err = t.packed(ctx, func(packed []byte) error {
		leaves, err := leavesOf(packed, n)
		if err != nil {
			return err
		}
		const least = 3 // bytes of an entry: its row, size and position
		to = slices.Grow(to, len(packed)/least)
		for _, of := range leaves {
			scan := leafScan{rest: of}
			if len(to) == 0 {
				if to, err = scan.entries(to, key, low, high); err != nil {
					return err
				}
				continue
			}
			newer, err := scan.entries(nil, key, low, high)
			if err != nil {
				return err
			}
			to = newerEntries(to, newer)
		}
		return nil
	}, leavesOfTerm, segments, key)
	return slices.DeleteFunc(to, func(e termEntry) bool { return e.count() == 0 }), err
}

// wordSegments returns the segments of the index, as rows of place, number, first
// and last leaf, and how many there are. Those that were written first come
// first.
func (t *tx) wordSegments(ctx context.Context) (rows []byte, n int, err error) {
	record, err := t.queryBlob(ctx, structure)
	if err != nil {
		return nil, 0, err
	}
	segments, err := decodeSegments(record)
	if err != nil {
		return nil, 0, err
	}
	var packed packedRows
	for i, s := range segments {
		if err := packed.add(int64(i), s.number, s.first, s.last); err != nil {
			return nil, 0, err
		}
	}
	return packed, len(segments), nil
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
		merging, n := next(), next()
		if merging < 0 || n < 0 || n > total {
			return nil, errSegment
		}
		level := make([]indexSegment, n)
		for i := range level {
			level[i] = indexSegment{next(), next(), next()}
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

// leavesOf parts packed leaves by the places of their segments.
func leavesOf(packed []byte, segments int) ([][][]byte, error) {
	const head = 8 + 4 // the place, and the length of the leaf
	out := make([][][]byte, segments)
	for len(packed) > 0 {
		if len(packed) < head {
			return nil, errPacked
		}
		place, size := binary.LittleEndian.Uint64(packed), int(binary.LittleEndian.Uint32(packed[8:]))
		if packed = packed[head:]; place >= uint64(segments) || size > len(packed) {
			return nil, errPacked
		}
		out[place], packed = append(out[place], packed[:size]), packed[size:]
	}
	return out, nil
}
