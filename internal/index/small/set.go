package small

import (
	"cmp"
	"slices"
	"sync/atomic"

	"github.com/strata-memory/strata/internal/index/passage"
)

// fact is a fact in memory. It is immutable except for parts that are read on
// demand; a fact that changes is replaced.
type fact struct {
	row    passage.Row
	terms  string
	plain  bool                   // every term is one that the index holds as it is
	normal atomic.Pointer[string] // the text in which substrings are searched for; nil until needed
}

func newFact(f Fact) *fact {
	return &fact{row: f.Row, terms: f.Terms, plain: passage.AreTerms(f.Terms)}
}

// Set holds the current facts of a scope as of a change. It is immutable once other
// goroutines can see it, except for texts read on demand.
type Set struct {
	cache  *Cache
	scope  int64
	change int64
	facts  []*fact // by number
	plain  bool    // every fact is plain
}

// newSet returns a set of those facts that are current.
func newSet(c *Cache, scope, change int64, facts []*fact) *Set {
	facts = slices.DeleteFunc(slices.Clone(facts), func(f *fact) bool { return f.row.Retired != 0 })
	slices.SortFunc(facts, func(a, b *fact) int { return cmp.Compare(a.row.Number, b.row.Number) })
	odd := slices.ContainsFunc(facts, func(f *fact) bool { return !f.plain })
	return &Set{cache: c, scope: scope, change: change, facts: facts, plain: !odd}
}

// Plain reports whether [Set.Match] and [Set.Phrase] can answer: every term of every
// fact is one that the index holds as it is. Only the index itself knows how it
// splits or drops other terms.
func (s *Set) Plain() bool { return s.plain }

// each calls fn with the facts that pass a filter, by number, and with their indexes
// in s.facts.
func (s *Set) each(f *passage.Filter, fn func(int, *fact)) {
	for i, fact := range s.facts {
		if f.Passes(&fact.row) {
			fn(i, fact)
		}
	}
}

// find returns the index in s.facts of the fact with a number.
func (s *Set) find(number int64) (int, bool) {
	return slices.BinarySearchFunc(s.facts, number, func(f *fact, n int64) int { return cmp.Compare(f.row.Number, n) })
}

// grown recounts the memory used after facts were extended.
func (s *Set) grown() { s.cache.scopes.Count(s.scope, nil, s.bytes(), maxBytes) }

// bytes returns about how much memory the facts use.
func (s *Set) bytes() int64 {
	const each, base = 200, 500 // for the structs and the rounding of the allocator
	n := base + int64(cap(s.facts))*8
	for _, f := range s.facts {
		n += each + int64(len(f.terms))
		if normal := f.normal.Load(); normal != nil {
			n += int64(len(*normal))
		}
	}
	return n
}
