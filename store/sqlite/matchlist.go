package sqlite

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/packed"
)

// In a large scope most passages that hold a word of a question are not worth
// being read. So the entries of each word are read, which tell how common
// it is and the most that each passage can tell; rows of passages are read from
// the most on, until no other can be among the best.

// listSearch is one call of Match that reads the entries of its terms.
type listSearch struct {
	t       *tx
	scopeNo int64
	filter  store.Filter
	lists   [][]termEntry // of each term
	by      telling

	read  []int64      // passages whose rows were read, rising
	found []store.Meta // those of them that pass the filter, by number
	told  []float64    // what these tell, in no order
}

// matchLists is Match from the term index, in a scope with totals, for distinct
// terms.
func (t *tx) matchLists(ctx context.Context, scopeNo int64, waiting *waitingTerms, terms []string, f store.Filter, totals amount) ([]store.Meta, [][]store.TermHit, deferral, error) {
	s := listSearch{t: t, scopeNo: scopeNo, filter: f, lists: make([][]termEntry, len(terms))}
	counts := make([]int64, len(terms)) // retired ones included
	for i, term := range terms {
		err := t.termEntries(ctx, scopeNo, waiting, term, func(entries []termEntry) {
			s.lists[i] = slices.Clone(entries)
		})
		if err != nil {
			return nil, nil, deferral{}, err
		}
		counts[i] = int64(len(s.lists[i]))
	}
	var d deferral
	if !defers(len(terms), totals.passages, f) {
		var numbers []int64
		for _, list := range s.lists {
			numbers = withEntries(numbers, list)
		}
		err := s.readRows(ctx, numbers)
		return s.found, s.hitsOf(s.found), d, err
	}
	d = newDeferral(counts, totals.passages, f.Enough)
	s.by = newTelling(d, totals)
	for {
		if err := s.find(ctx, d.order[:d.rare]); err != nil {
			return nil, nil, d, err
		}
		hits := s.hitsOf(s.found)
		if !d.widen(f.Contenders, len(s.found), hits) {
			return s.by.keepMost(s.found, hits, f.Most), hits, d, nil
		}
	}
}

// find reads the passages that hold any of some terms, besides those that it
// read before: all that may be among the most that the filter asks for.
func (s *listSearch) find(ctx context.Context, terms []int32) error {
	var numbers []int64
	for _, term := range terms {
		numbers = withEntries(numbers, s.lists[term])
	}
	numbers = without(numbers, s.read)
	if s.filter.Most <= 0 {
		return s.readRows(ctx, numbers)
	}
	order := make([]boundedPassage, len(numbers))
	for i, bound := range s.bounds(numbers) {
		order[i] = boundedPassage{numbers[i], bound}
	}
	for step := 2 * s.filter.Most; len(order) > 0; step *= 2 {
		step = min(step, len(order))
		selectFirst(order, step, func(a, b boundedPassage) int { return cmp.Compare(b.bound, a.bound) })
		block, last := make([]int64, step), order[0].bound
		for i, o := range order[:step] {
			block[i], last = o.number, min(last, o.bound)
		}
		slices.Sort(block)
		if err := s.readRows(ctx, block); err != nil {
			return err
		}
		if s.least() > last {
			return nil // what is left tells no more than the last of the block can
		}
		order = order[step:]
	}
	return nil
}

// boundedPassage is the lower part of a passage's number, and the most that the
// passage can tell.
type boundedPassage struct {
	number int64
	bound  float64
}

// withEntries adds the numbers of entries to a list. Both rise.
func withEntries(numbers []int64, list []termEntry) []int64 {
	out := make([]int64, 0, len(numbers)+len(list))
	for _, e := range list {
		n := e.number()
		for len(numbers) > 0 && numbers[0] < n {
			out, numbers = append(out, numbers[0]), numbers[1:]
		}
		if len(numbers) > 0 && numbers[0] == n {
			numbers = numbers[1:]
		}
		out = append(out, n)
	}
	return append(out, numbers...)
}

// without leaves out of a list what another one has. Both rise.
func without(list, other []int64) []int64 {
	out := list[:0]
	for _, n := range list {
		for len(other) > 0 && other[0] < n {
			other = other[1:]
		}
		if len(other) == 0 || other[0] != n {
			out = append(out, n)
		}
	}
	return out
}

// bounds are the most that passages can tell: as if they had no words.
func (s *listSearch) bounds(numbers []int64) []float64 {
	out := make([]float64, len(numbers))
	for term, list := range s.lists {
		once := s.by.part(term, 1, 0)
		forEntries(numbers, list, func(i int, e termEntry) {
			if n := e.count(); n == 1 {
				out[i] += once
			} else {
				out[i] += s.by.part(term, int32(n), 0)
			}
		})
	}
	return out
}

// forEntries calls fn for each of some numbers that has an entry. Both lists rise.
func forEntries(numbers []int64, list []termEntry, fn func(i int, e termEntry)) {
	const few = 16 // entries passed over for a number, from which searching is quicker
	search := len(list) > few*len(numbers)
	at := 0
	for i, n := range numbers {
		if search {
			rest := list[at:]
			at += gallop(len(rest), func(i int) bool { return rest[i].number() >= n })
		}
		for at < len(list) && list[at].number() < n {
			at++
		}
		if at == len(list) {
			return
		}
		if list[at].number() == n {
			fn(i, list[at])
		}
	}
}

// readRows reads some passages, rising, that were not read before.
func (s *listSearch) readRows(ctx context.Context, numbers []int64) error {
	whole := make([]int64, len(numbers))
	for i, n := range numbers {
		whole[i] = s.scopeNo<<passage.ScopeBits | n
	}
	found, err := s.t.passing(ctx, s.scopeNo, whole, s.filter)
	if err != nil {
		return err
	}
	s.read = merged(s.read, numbers, func(n int64) int64 { return n })
	s.found = merged(s.found, found, func(m store.Meta) int64 { return m.Number })
	if s.by.weights == nil {
		return nil // all are wanted
	}
	told := make([]float64, len(found))
	for term, list := range s.hitsOf(found) {
		for _, h := range list {
			told[h.Passage] += s.by.part(term, h.Count, found[h.Passage].Words)
		}
	}
	s.told = append(s.told, told...)
	return nil
}

// passing reads those of some passages of a scope that pass a filter.
func (t *tx) passing(ctx context.Context, scopeNo int64, numbers []int64, f store.Filter) (found []store.Meta, err error) {
	err = t.packed(ctx, func(packed []byte) error {
		const row = 5 * 8
		found = make([]store.Meta, 0, len(packed)/row)
		for ; len(packed) >= row; packed = packed[row:] {
			at := func(i int) int64 { return int64(binary.LittleEndian.Uint64(packed[8*i:])) }
			found = append(found, store.Meta{Number: at(0), Parent: at(1), Seq: at(2), Words: int32(at(3)), Kind: passage.KindOf(at(4))})
		}
		return nil
	}, `SELECT pack(p.number, p.parent, p.seq, p.words, p.kind)
		FROM unpack(?8) AS j CROSS JOIN passage AS p ON p.number = j.c0
		WHERE `+passes, filterArgs(scopeNo, f, packed.Numbers(numbers))...)
	return found, err
}

// merged joins two lists that rise by a key.
func merged[T any](a, b []T, key func(T) int64) []T {
	if len(a) == 0 {
		return b
	}
	out := make([]T, 0, len(a)+len(b))
	for _, x := range b {
		for len(a) > 0 && key(a[0]) < key(x) {
			out, a = append(out, a[0]), a[1:]
		}
		out = append(out, x)
	}
	return append(out, a...)
}

// hitsOf are the passages that hold each term.
func (s *listSearch) hitsOf(passages []store.Meta) [][]store.TermHit {
	numbers := make([]int64, len(passages))
	for i, p := range passages {
		numbers[i] = p.Number & lowBits
	}
	hits := make([][]store.TermHit, len(s.lists))
	for term, list := range s.lists {
		mine := make([]store.TermHit, 0, min(len(list), len(numbers)))
		forEntries(numbers, list, func(i int, e termEntry) {
			mine = append(mine, store.TermHit{Passage: int32(i), Count: int32(e.count())})
		})
		if len(mine) > 0 {
			hits[term] = mine
		}
	}
	return hits
}

// least is what the last of the passages tells that are to be handed over; less
// than any tells where there are fewer.
func (s *listSearch) least() float64 {
	most := s.filter.Most
	if len(s.told) < most {
		return -1
	}
	selectFirst(s.told, most, func(a, b float64) int { return cmp.Compare(b, a) })
	return slices.Min(s.told[:most])
}

// pick returns some items by their places.
func pick[T any](items []T, places []int32) []T {
	out := make([]T, len(places))
	for i, at := range places {
		out[i] = items[at]
	}
	return out
}
