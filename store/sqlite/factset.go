package sqlite

import (
	"cmp"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// knownFact is what a search must know of a fact. It is not changed, save that
// its vector and its version are added when they are first asked for: a passage
// that gets another vector, or whose fact changes, is changed, and then becomes
// another knownFact.
type knownFact struct {
	meta   store.Meta
	code   int64                  // of its type
	terms  string                 // in order, as the index has them
	odd    bool                   // one of them is what the index would take for several
	normal atomic.Pointer[string] // what substrings are looked for in
	vector atomic.Pointer[knownVector]
	fact   atomic.Pointer[strata.Fact] // without what was counted of it
}

// knownVector is the vector of a fact by a model; nil without a direction.
type knownVector struct {
	model model
	v     []float32
}

// factSet are the current facts of a scope as of a change number. It is never
// changed once others can see it.
type factSet struct {
	change int64
	facts  []*knownFact // by number
	odd    bool         // one of them is
}

// newFactSet sorts facts and leaves out those that are not current.
func newFactSet(change int64, facts []*knownFact) *factSet {
	facts = slices.DeleteFunc(facts, func(f *knownFact) bool { return f.code == retiredFact })
	slices.SortFunc(facts, func(a, b *knownFact) int { return cmp.Compare(a.meta.Number, b.meta.Number) })
	odd := slices.ContainsFunc(facts, func(f *knownFact) bool { return f.odd })
	return &factSet{change: change, facts: facts, odd: odd}
}

// bytes is about what the facts take of memory.
func (s *factSet) bytes() int64 {
	const each, version, base = 200, 900, 500 // the structs, and what the allocator rounds up
	n := base + int64(cap(s.facts))*8
	for _, f := range s.facts {
		n += each + int64(len(f.terms))
		if normal := f.normal.Load(); normal != nil {
			n += int64(len(*normal))
		}
		if v := f.vector.Load(); v != nil {
			n += int64(4 * cap(v.v))
		}
		if x := f.fact.Load(); x != nil {
			n += version + int64(len(x.Text)+len(x.ID))
		}
	}
	return n
}

// each calls fn with the facts that pass a filter, by number.
func (s *factSet) each(f store.Filter, fn func(*knownFact)) {
	types := typeMask(f)
	for _, fact := range s.facts {
		if types>>fact.code&1 != 0 && (f.Parent == 0 || fact.meta.Parent == f.Parent) {
			fn(fact)
		}
	}
}

// match counts distinct terms in the facts that pass a filter.
func (s *factSet) match(terms []string, f store.Filter) (passages []store.Meta, hits [][]store.TermHit) {
	at := make(map[string]int, len(terms))
	var looks [4]uint64 // bits of what the terms look like: most words of a fact do not
	for i, term := range terms {
		at[term] = i
		look := lookOf(term)
		looks[look/64] |= 1 << (look % 64)
	}
	passages, hits = []store.Meta{}, make([][]store.TermHit, len(terms))
	counts := make([]int32, len(terms))
	s.each(f, func(fact *knownFact) {
		any := false
		for term := range termsIn(fact.terms) {
			if look := lookOf(term); looks[look/64]>>(look%64)&1 == 0 {
				continue
			}
			if i, ok := at[term]; ok {
				counts[i]++
				any = true
			}
		}
		if !any {
			return
		}
		for i, n := range counts {
			if n > 0 {
				hits[i] = append(hits[i], store.TermHit{Passage: int32(len(passages)), Count: n})
			}
		}
		clear(counts)
		passages = append(passages, fact.meta)
	})
	return passages, hits
}

// lookOf is equal for terms that are equal, and for few others.
func lookOf(term string) uint8 {
	n := len(term)
	return term[0] ^ term[n-1]<<3 ^ uint8(n)<<5
}

// phrase is MatchPhrase for the facts.
func (s *factSet) phrase(terms []string, prefix bool, f store.Filter, limit int) []store.Meta {
	type found struct {
		meta  store.Meta
		count int
	}
	var list []found
	var in []string
	s.each(f, func(fact *knownFact) {
		in = slices.AppendSeq(in[:0], termsIn(fact.terms))
		if n := countPhrase(in, terms, prefix); n > 0 {
			list = append(list, found{fact.meta, n})
		}
	})
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.meta.Words, b.meta.Words), cmp.Compare(b.meta.Number, a.meta.Number))
	})
	var out []store.Meta
	for _, x := range list[:min(len(list), max(limit, 0))] {
		out = append(out, x.meta)
	}
	return out
}

// countPhrase counts how often a phrase stands in a list of terms; of its last
// term the beginning is enough if prefix is set.
func countPhrase(in, phrase []string, prefix bool) int {
	n, last := 0, len(phrase)-1
	for i := 0; i+last < len(in); i++ {
		end := in[i+last]
		if (end == phrase[last] || prefix && strings.HasPrefix(end, phrase[last])) && slices.Equal(in[i:i+last], phrase[:last]) {
			n++
		}
	}
	return n
}

// holding is MatchSubstring for the facts, whose texts were read.
func (s *factSet) holding(normal string, f store.Filter, limit int) []store.Meta {
	var out []store.Meta
	s.each(f, func(fact *knownFact) {
		if has := fact.normal.Load(); has != nil && strings.Contains(*has, normal) {
			out = append(out, fact.meta)
		}
	})
	slices.Reverse(out)
	if limit = max(limit, 0); len(out) > limit {
		out = out[:limit]
	}
	return out
}

// nearest returns the k facts closest to a vector of unit length, closest
// first: those of some parents, or of all if there are none.
func (s *factSet) nearest(unit []float32, parents []int64, f store.Filter, k int) []store.Near {
	top := vector.NewTopK(min(k, len(s.facts)))
	var vectors [4][]float32
	var numbers [4]int64
	n := 0
	s.each(f, func(fact *knownFact) {
		if v := fact.vector.Load(); v.v != nil && (len(parents) == 0 || slices.Contains(parents, fact.meta.Parent)) {
			vectors[n], numbers[n] = v.v, fact.meta.Number
			if n++; n == len(vectors) {
				for i, d := range vector.Distances(&vectors, unit) {
					top.Offer(numbers[i], vector.CosineAt(d))
				}
				n = 0
			}
		}
	})
	for i := range n {
		top.Offer(numbers[i], vector.CosineAt(vector.Distance(vectors[i], unit)))
	}
	var out []store.Near
	for _, n := range top.Sorted() {
		out = append(out, store.Near{Number: n.ID, Similarity: n.Similarity})
	}
	return out
}

// find returns the fact with a number, or nil.
func (s *factSet) find(number int64) *knownFact {
	at, ok := slices.BinarySearchFunc(s.facts, number, func(f *knownFact, n int64) int { return cmp.Compare(f.meta.Number, n) })
	if !ok {
		return nil
	}
	return s.facts[at]
}

// similarities is Similarities for the facts. It reports false if one of the
// numbers is of no current fact.
func (s *factSet) similarities(unit []float32, numbers []int64) (out []float32, ok bool) {
	out = make([]float32, len(numbers))
	for i, n := range numbers {
		f := s.find(n)
		if f == nil {
			return nil, false
		}
		if v := f.vector.Load(); v.v != nil {
			out[i] = vector.CosineAt(vector.Distance(v.v, unit))
		}
	}
	return out, true
}
