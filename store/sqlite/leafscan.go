package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
)

// FTS5 keeps the entries of a term in leaves of its segments, one entry behind
// the other. It takes some 70 nanoseconds to hand over one of them, so a list of
// many is read from the leaves instead, which takes some 20. What is read here
// was written by FTS5 for one column, with detail=full and no deletes that are
// kept apart. Formats: the comments at the beginning of fts5_index.c.

// errSegment says that an index is not as this version knows it. FTS5 is asked
// then.
var errSegment = errors.New("a segment of words is not as expected")

// leafScan reads the entries of a term in consecutive leaves of a segment.
type leafScan struct {
	rest [][]byte // the leaves behind the one at hand
	leaf []byte
	size int  // where the footer of the leaf begins
	end  int  // where the entries of the term end; behind the leaf if no other term follows in it
	at   int  // what is read next
	out  bool // there was no other leaf where one might have been
	bad  bool // something is not as expected
}

// leafHead is the size of what stands before all else in a leaf: the place of the
// first row id, if it is of a term that began in another leaf, or 0; and the
// place of the footer, which has the places of the terms.
const leafHead = 4

// entries appends the entries of a term of rows from low to high, by row. One
// with a count of 0 says that what older segments have of the row is void.
func (s *leafScan) entries(to []termEntry, term []byte, low, high int64) ([]termEntry, error) {
	if !s.turn() || !s.seek(term) {
		return to, s.fault()
	}
	for s.at >= s.size { // the entries begin in another leaf
		if !s.turn() {
			return to, errSegment
		}
	}
	row, more := int64(s.number()), true
	for more {
		count, whole := s.positions()
		if s.bad {
			break
		}
		if row >= low && row <= high {
			to = append(to, newTermEntry(row, count))
		}
		switch {
		case row >= high:
			return to, nil
		case !whole || s.at >= s.size:
			row, more = s.firstRow(whole)
		case s.at >= s.end: // here the next term begins
			return to, nil
		default:
			to, row = s.run(to, row, low, high)
			row += int64(s.number())
		}
	}
	return to, s.fault()
}

// run reads the short entries that follow one of a row, as long as another entry
// follows in the leaf. It returns the row of the last: nearly all entries are
// read here.
func (s *leafScan) run(to []termEntry, row, low, high int64) ([]termEntry, int64) {
	const longest = 3 + 1 + 63 // bytes of a short entry: its row, size and positions
	leaf := s.leaf[:min(s.size, s.end)]
	at := s.at
	for at+longest < len(leaf) && row < high {
		apart, size := int64(leaf[at]), 1
		if apart >= 0x80 {
			apart, size = apart&0x7f<<7|int64(leaf[at+1]&0x7f), 2
			if leaf[at+1] >= 0x80 {
				apart, size = apart<<7|int64(leaf[at+2]), 3
				if leaf[at+2] >= 0x80 {
					break
				}
			}
		}
		positions := leaf[at+size]
		if positions >= 0x80 {
			break
		}
		at += size + 1
		count := int64(0)
		for _, b := range leaf[at : at+int(positions>>1)] {
			count += int64(b>>7 ^ 1) // the last byte of a number
		}
		at += int(positions >> 1)
		if row += apart; row >= low && row <= high {
			to = append(to, newTermEntry(row, count))
		}
	}
	s.at = at
	return to, row
}

// fault is errSegment if something was not as expected.
func (s *leafScan) fault() error {
	if s.bad {
		return errSegment
	}
	return nil
}

// turn goes to the next leaf. It reports false if there is none to read.
func (s *leafScan) turn() bool {
	if len(s.rest) == 0 {
		s.out = true
		return false
	}
	s.leaf, s.rest = s.rest[0], s.rest[1:]
	if len(s.leaf) < leafHead {
		s.bad = true
		return false
	}
	s.size, s.at, s.end = int(binary.BigEndian.Uint16(s.leaf[2:])), leafHead, len(s.leaf)+1
	if s.size < leafHead || s.size > len(s.leaf) {
		s.bad = true
		return false
	}
	if s.size < len(s.leaf) {
		first, _ := sqliteVarint(s.leaf[s.size:])
		s.bad = first < leafHead || first >= uint64(s.size)
		s.end = int(first)
	}
	return !s.bad
}

// number reads a number of the leaf.
func (s *leafScan) number() uint64 {
	if s.at < s.size && s.leaf[s.at] < 0x80 { // nearly always
		s.at++
		return uint64(s.leaf[s.at-1])
	}
	n, size := sqliteVarint(s.leaf[min(s.at, s.size):s.size])
	s.bad = s.bad || size == 0
	s.at += size
	return n
}

// seek goes to the entries of a term of the leaf. It reports false if the leaf
// does not have it.
func (s *leafScan) seek(term []byte) bool {
	var key []byte
	place := 0
	for foot := s.leaf[s.size:]; len(foot) > 0; {
		apart, size := sqliteVarint(foot)
		if size == 0 || apart > uint64(s.size-place) {
			s.bad = true
			return false
		}
		kept := uint64(0) // bytes that the term has in common with the one before
		if s.at = place + int(apart); place > 0 {
			kept = s.number()
		}
		place, foot = place+int(apart), foot[size:]
		added := s.number()
		if s.bad || kept > uint64(len(key)) || added > uint64(s.size-s.at) {
			s.bad = true
			return false
		}
		key = append(key[:kept], s.leaf[s.at:s.at+int(added)]...)
		s.at += int(added)
		switch bytes.Compare(key, term) {
		case 1:
			return false
		case 0:
			s.end = len(s.leaf) + 1
			if apart, size := sqliteVarint(foot); size > 0 {
				s.end = place + int(min(apart, uint64(len(s.leaf))))
			}
			return true
		}
	}
	return false
}

// positions counts the positions of an entry. It reports false if they end in
// another leaf than they begin in.
func (s *leafScan) positions() (count int64, whole bool) {
	size := s.number()
	if s.bad || size > math.MaxInt32 {
		s.bad = true
		return 0, false
	}
	whole = true
	for left := int(size >> 1); ; { // the lowest bit says that the row was removed before
		n := min(left, s.size-s.at)
		for _, b := range s.leaf[s.at : s.at+n] {
			count += int64(b>>7 ^ 1) // the last byte of a number
		}
		s.at, left = s.at+n, left-n
		if left == 0 {
			return count, whole
		}
		whole = false
		if !s.turn() {
			s.bad = true
			return 0, false
		}
	}
}

// firstRow goes to the next entry where it does not follow in the same leaf: to
// the first of the leaf at hand, or, if turn is true, of one behind it. It reports false if the term has no other entry.
func (s *leafScan) firstRow(turn bool) (row int64, ok bool) {
	for {
		if turn && !s.turn() {
			return 0, false
		}
		turn = true
		if first := int(binary.BigEndian.Uint16(s.leaf)); first > 0 && first < s.size {
			s.at = first
			return int64(s.number()), true
		}
		if s.size < len(s.leaf) {
			return 0, false // it begins with another term
		}
	}
}

// newerEntries lays entries of a newer segment over those of older ones. Both
// are by row.
func newerEntries(old, newer []termEntry) []termEntry {
	switch {
	case len(old) == 0:
		return newer
	case len(newer) == 0:
		return old
	case old[len(old)-1].number() < newer[0].number():
		return append(old, newer...)
	}
	out := make([]termEntry, 0, len(old)+len(newer))
	for _, e := range newer {
		for len(old) > 0 && old[0].number() < e.number() {
			out, old = append(out, old[0]), old[1:]
		}
		if len(old) > 0 && old[0].number() == e.number() {
			old = old[1:]
		}
		out = append(out, e)
	}
	return append(out, old...)
}
