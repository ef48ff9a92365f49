package lexical

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Entries answers a query from the entries of its terms and the rows of the passages
// they name.
func (s *Snapshot) Entries(ctx context.Context, q *Query) (store.Matches, error) {
	pending, err := s.Pending(ctx, q.scope)
	if err != nil {
		return store.Matches{}, err
	}
	e := entrySearch{src: s.src, query: q, lists: make([][]Entry, len(q.terms))}
	counts := make([]int64, len(q.terms)) // retired passages included
	for i, term := range q.terms {
		term = Fold(term)
		err := s.src.Entries(ctx, q.scope, term, func(list []Entry) error {
			e.lists[i] = slices.Clone(mergePending(list, pending.entries(term)))
			return nil
		})
		if err != nil {
			return store.Matches{}, fmt.Errorf("read entries of a term: %w", err)
		}
		counts[i] = int64(len(e.lists[i]))
	}
	m := newMaxScore(q, counts)
	for {
		if err := e.find(ctx, m.terms()); err != nil {
			return store.Matches{}, err
		}
		hits := e.hits()
		if !m.widen(len(e.found), hits) {
			return q.matches(e.found, hits, m), nil
		}
	}
}

// entrySearch is a search that reads entries.
type entrySearch struct {
	src   Source
	query *Query
	lists [][]Entry // of each term

	read  []int64      // the low parts of the passages whose rows were read, ascending
	found []store.Meta // the passages read that pass the filter, by number
}

// find reads the passages that hold any of some terms and were not read before.
func (e *entrySearch) find(ctx context.Context, terms []int32) error {
	var all []int64
	for _, term := range terms {
		all = mergeEntries(all, e.lists[term])
	}
	fresh := make([]int64, 0, len(all))
	for read := e.read; len(all) > 0; all = all[1:] {
		for len(read) > 0 && read[0] < all[0] {
			read = read[1:]
		}
		if len(read) == 0 || read[0] != all[0] {
			fresh = append(fresh, all[0])
		}
	}
	e.read = mergeSorted(e.read, fresh, func(n int64) int64 { return n })
	numbers := make([]int64, len(fresh))
	for i, n := range fresh {
		numbers[i] = e.query.scope<<passage.ScopeBits | n
	}
	found := make([]store.Meta, 0, len(numbers))
	err := e.src.RowsAt(ctx, numbers, func(r *passage.Row) error {
		if e.query.filter.Passes(r) {
			found = append(found, r.Meta)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("read rows of passages: %w", err)
	}
	e.found = mergeSorted(e.found, found, func(m store.Meta) int64 { return m.Number })
	return nil
}

// hits returns the hits of each term among the passages found.
func (e *entrySearch) hits() [][]store.TermHit {
	hits := make([][]store.TermHit, len(e.lists))
	for term, list := range e.lists {
		hits[term] = hitsAmong(e.found, list)
	}
	return hits
}

// hitsAmong returns the hits of a list of entries among some passages. Both are
// sorted by number.
func hitsAmong(passages []store.Meta, list []Entry) (hits []store.TermHit) {
	const few = 16 // with more entries per passage than this, searching is faster than scanning
	search := len(list) > few*len(passages)
	for i, p := range passages {
		n := p.Number & lowMask
		if search {
			list = list[gallop(len(list), func(i int) bool { return list[i].low() >= n }):]
		}
		for len(list) > 0 && list[0].low() < n {
			list = list[1:]
		}
		if len(list) == 0 {
			return hits
		}
		if list[0].low() == n {
			hits = append(hits, store.TermHit{Passage: int32(i), Count: int32(list[0].count())})
		}
	}
	return hits
}

// mergeEntries merges the passages of some entries into numbers. Both are sorted.
func mergeEntries(numbers []int64, list []Entry) []int64 {
	out := make([]int64, 0, len(numbers)+len(list))
	for _, e := range list {
		n := e.low()
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

// mergeSorted merges two lists that are sorted by a key.
func mergeSorted[T any](a, b []T, key func(T) int64) []T {
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
