package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/strata-memory/strata/index/passage"
)

// postingReader reads the passages of a scope, a part at a time, over several
// transactions. What changes meanwhile is made good at the end, when all that
// changed since the first part is read again.
type postingReader struct {
	set   *postingSet
	step  int64 // passages of a part
	next  int64 // the number from which the next part begins
	last  int64 // the greatest number there may be
	unfit bool  // a number is too large
}

func newPostingReader(scopeNo, change, passages, least int64) *postingReader {
	low, high := passage.Numbers(scopeNo)
	s := &postingSet{scopeNo: scopeNo, change: change, order: newPostedOrder(), lists: new(postingLists)}
	s.reserve(int(passages + passages/16 + 64))
	return &postingReader{set: s, step: max(least, passages/readShare), next: low, last: high}
}

// postedSize is how long a packed passage is, without its terms.
const postedSize = 7 * 8

// readPosted reads the next part. It reports whether it was the last.
func (t *tx) readPosted(ctx context.Context, r *postingReader) (done bool, err error) {
	n, fit, err := t.eachPosted(ctx, r.next, r.last, r.step, r.add)
	r.unfit = r.unfit || !fit
	return n < r.step && fit, err
}

// add takes a passage in. It reports false where there are too many.
func (r *postingReader) add(p postedPassage) bool {
	if len(r.set.passages) == maxPosted {
		return false
	}
	r.next = r.set.scopeNo<<passage.ScopeBits | int64(p.number) + 1
	r.set.add(p)
	return true
}

// eachPosted calls do with the passages of a range of numbers of one scope, by
// rising number, up to a limit, and returns how many there are. It ends and
// reports false where a number is too large or do does.
func (t *tx) eachPosted(ctx context.Context, low, high, limit int64, do func(postedPassage) bool) (n int64, fit bool, err error) {
	fit = true
	err = t.packed(ctx, func(packed []byte) error {
		n = int64(len(packed) / postedSize)
		for fit && len(packed) >= postedSize {
			p, rest, ok := unpackPosted(passage.Scope(low), packed)
			fit = ok && do(p)
			packed = rest
		}
		return nil
	}, `SELECT pack(c0, c1, c2, c3, c4, c5, c6) FROM (
		SELECT p.number AS c0, p.parent AS c1, p.seq AS c2, p.words AS c3, p.kind AS c4, p.type AS c5, p.retired_at IS NOT NULL AS c6
		FROM passage AS p WHERE p.number BETWEEN ?1 AND ?2 ORDER BY p.number LIMIT ?3)`, low, high, limit)
	return n, fit, err
}

// unpackPosted reads number, parent, seq, words, kind, type and whether it is retired.
func unpackPosted(scopeNo int64, packed []byte) (p postedPassage, rest []byte, ok bool) {
	at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(packed[8*i:])) }
	p, ok = postPassage(scopeNo, at(0), at(1), at(2), at(3), at(4), at(5), at(6) != 0)
	return p, packed[postedSize:], ok
}

// packed runs a statement whose result is one blob, and has do read it. The
// blob is valid until do returns.
func (t *tx) packed(ctx context.Context, do func([]byte) error, query string, args ...any) error {
	rows, err := t.query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var raw sql.RawBytes
		if err := rows.Scan(&raw); err != nil {
			return wrap("read packed rows", err)
		}
		if err := do(raw); err != nil {
			return err
		}
	}
	return wrap("read packed rows", rows.Err())
}

// maxCatchUp bounds the changed passages that are held in memory with their
// terms at one time. From more than this, and from more than readAnew and an
// eighth of a scope, all is read anew.
const maxCatchUp = 1 << 15

// readAnew is the number of changes from which a scope may be read anew.
const readAnew = 4096

// kindTotals reads the counts of the current passages of a scope.
func (t *tx) kindTotals(ctx context.Context, scopeNo int64) (out kindTotals, err error) {
	rows, err := t.query(ctx, `SELECT kind, passages, words FROM scope_stat WHERE scope_no = ?`, scopeNo)
	if err != nil {
		return out, err
	}
	_, err = collect(rows, func(scan scanner) (none struct{}, err error) {
		var kind int64
		var a amount
		if err := scan(&kind, &a.passages, &a.words); err == nil && kind >= 0 && kind <= kindBits {
			out[kind] = a
		}
		return none, err
	})
	return out, err
}

// catchUpPostings adds what changed since a set was read, and returns a new
// one. It returns nil if all must be read anew.
func (t *tx) catchUpPostings(ctx context.Context, scopeNo int64, old *postingSet, change int64) (*postingSet, error) {
	s := *old
	s.change = change
	var err error
	if s.totals, err = t.kindTotals(ctx, scopeNo); err != nil {
		return nil, err
	}
	removed, err := t.numberList(ctx, `SELECT number FROM removal WHERE scope_no = ? AND change > ?`, scopeNo, old.change)
	if err != nil || slices.Contains(removed, 0) {
		return nil, err
	}
	lost := false
	lose := func(number int64) {
		place, ok := s.find(uint32(number & lowBits))
		if !ok {
			return
		}
		if !lost { // older sets see it as it was
			lost = true
			s.gone = append(slices.Clone(s.gone), make(bitset, len(s.passages)/64+1-len(s.gone))...)
		}
		s.gone.set(place)
		s.losses++
	}
	for _, n := range removed {
		lose(n)
	}
	most := min(max(readAnew, int64(len(old.passages)/8)), maxCatchUp)
	whole, err := t.addChanged(ctx, &s, old.change, most, lose)
	if err != nil || !whole || s.worn() {
		return nil, err
	}
	if len(removed) > 0 {
		s.lists.dropEmpty(&s)
	}
	return &s, nil
}

// addChanged adds the passages that changed after a change, after it called
// lose with each, and adds them to the lists of their terms. It reports false if
// they are more than most, or cannot be added.
func (t *tx) addChanged(ctx context.Context, s *postingSet, since, most int64, lose func(int64)) (ok bool, err error) {
	var changed []changedPassage
	ok = true
	err = t.packed(ctx, func(packed []byte) error {
		for len(packed) > 0 {
			if len(packed) < postedSize+4 {
				return errPacked
			}
			p, rest, fits := unpackPosted(s.scopeNo, packed)
			n := int(binary.LittleEndian.Uint32(rest))
			if rest = rest[4:]; n > len(rest) {
				return errPacked
			}
			changed = append(changed, changedPassage{p, string(rest[:n])})
			packed, ok = rest[n:], ok && fits
		}
		return nil
	}, `SELECT pack(c0, c1, c2, c3, c4, c5, c6, c7) FROM (
		SELECT p.number AS c0, p.parent AS c1, p.seq AS c2, p.words AS c3, p.kind AS c4, p.type AS c5, p.retired_at IS NOT NULL AS c6,
			CAST(`+termsOfPassage+` AS BLOB) AS c7
		FROM passage AS p INDEXED BY passage_change`+joinTerms+`
		WHERE p.number >> 40 = ?1 AND p.change > ?2 ORDER BY p.change LIMIT ?3)`, s.scopeNo, since, most+1)
	if err != nil || !ok || int64(len(changed)) > most || len(s.passages)+len(changed) > maxPosted {
		return false, err
	}
	odd := false
	for _, c := range changed {
		lose(s.scopeNo<<passage.ScopeBits | int64(c.passage.number))
		place := s.add(c.passage)
		if !odd {
			odd = !s.lists.add(place, c.terms)
		}
	}
	if odd {
		s.lists = new(postingLists) // they are read from the index when they are asked for
	}
	return true, nil
}

// changedPassage is a passage with its terms as the index has them.
type changedPassage struct {
	passage postedPassage
	terms   string
}

// countTerms counts the terms of a passage. It reports false where one is what
// the index would take for several, or for another.
func countTerms(terms string, counts map[string]int64) (ok bool) {
	for term := range passage.Terms(terms) {
		if !passage.IsTerm(term) {
			return false
		}
		counts[indexForm(term)]++
	}
	return true
}

// indexForm is a term as the index has it: of all letters that package
// internal/text leaves in terms, FTS5 takes the two forms of the Greek small
// sigma alone for one.
func indexForm(term string) string { return strings.ReplaceAll(term, "ς", "σ") }
