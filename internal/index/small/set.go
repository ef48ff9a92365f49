package small

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/strata-memory/strata/internal/index/passage"
)

// fact is a fact in memory. It is not changed, save that what is read only when
// it is asked for is added: a fact that changes becomes another one.
type fact struct {
	row    passage.Row
	terms  string
	plain  bool                   // each of the terms is one of the index
	normal atomic.Pointer[string] // what substrings are looked for in
}

func newFact(f Fact) *fact {
	return &fact{row: f.Row, terms: f.Terms, plain: passage.AreTerms(f.Terms)}
}

// Set holds the current facts of a scope as of a change. It is never changed once
// others can see it.
type Set struct {
	cache  *Cache
	scope  int64
	change int64
	facts  []*fact // by number
	plain  bool    // all of them are
}

// newSet sorts facts and leaves out those that are not current.
func newSet(c *Cache, scope, change int64, facts []*fact) *Set {
	facts = slices.DeleteFunc(slices.Clone(facts), func(f *fact) bool { return f.row.Retired != 0 })
	slices.SortFunc(facts, func(a, b *fact) int { return cmp.Compare(a.row.Number, b.row.Number) })
	odd := slices.ContainsFunc(facts, func(f *fact) bool { return !f.plain })
	return &Set{cache: c, scope: scope, change: change, facts: facts, plain: !odd}
}

// Plain reports whether [Set.Match] and [Set.Phrase] can answer: of every fact
// the terms are those that an index has. One that an index may take for several,
// or for none, only that index knows.
func (s *Set) Plain() bool { return s.plain }

// each calls fn with the facts that pass a filter, by number, and with their
// places.
func (s *Set) each(f *passage.Filter, fn func(int, *fact)) {
	for i, fact := range s.facts {
		if f.Passes(&fact.row) {
			fn(i, fact)
		}
	}
}

// find returns the place of the fact with a number.
func (s *Set) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(s.facts, number, func(f *fact, n int64) int { return cmp.Compare(f.row.Number, n) })
}

// grown counts what was added to the facts.
func (s *Set) grown() { s.cache.scopes.Count(s.scope, nil, s.bytes(), maxBytes) }

// bytes is about what the facts take of memory.
func (s *Set) bytes() int64 {
	const each, base = 200, 500 // the structs, and what the allocator rounds up
	n := base + int64(cap(s.facts))*8
	for _, f := range s.facts {
		n += each + int64(len(f.terms))
		if normal := f.normal.Load(); normal != nil {
			n += int64(len(*normal))
		}
	}
	return n
}
