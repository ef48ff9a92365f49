package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// pool holds the passages and candidates of one scope of the view.
type pool struct {
	scope  strata.Scope
	order  int // place in the view; 0 is the deepest scope
	filter store.Filter
	// directory is the prefix that section paths must have; empty allows any path.
	directory string

	total, words int64 // number of passages in the scope and of their terms

	// passages holds the passages that match a feature, in ascending order of number, and
	// freqs the features of each.
	passages []store.Meta
	freqs    [][]termFreq
	turns    []int32        // indexes of the passages that are turns, in order of place
	assisted map[int64]bool // sessions in which an assistant is known to take part

	parents map[int64]*parent
	near    []vector.Scored // the parents nearest to the question
	cands   map[int64]*candidate
	asks    map[int64]bool // whether a turn contains a question mark, for turns that were read

	substrings map[string][]store.Meta // passages by the fragment they contain, for fragments searched for
}

// termFreq is the frequency of a feature in a passage. A related word, or a part of the
// word, may count less than 1.
type termFreq struct {
	feature int32
	count   float32
}

// openPools makes a pool for each scope of the view that has the category, session or
// path that the query asks for.
func (f *finder) openPools(ctx context.Context) error {
	for i, scope := range f.req.Query.View.Scopes {
		p := &pool{
			scope: scope, order: i, filter: f.filter(),
			parents: make(map[int64]*parent), assisted: make(map[int64]bool), asks: make(map[int64]bool), substrings: make(map[string][]store.Meta),
		}
		if name := f.req.Query.Category; name != "" {
			number, err := f.category(ctx, scope, name)
			if err != nil {
				return err
			}
			if number == 0 {
				continue
			}
			p.filter.Parent = number
		}
		if inside, err := f.confine(ctx, p); err != nil {
			return err
		} else if inside {
			f.pools = append(f.pools, p)
		}
	}
	return f.checkFound()
}

// filter returns the filter of the request. Pools differ only in the number of the
// parent.
func (f *finder) filter() store.Filter {
	q := f.req.Query
	out := store.Filter{Kinds: q.Kinds, Types: q.Types, AsOf: q.AsOf, System: q.System}
	switch {
	case q.Sessions, q.InSession != "":
		out.Kinds = []strata.Kind{strata.KindTurn}
	case q.Path != "":
		out.Kinds = []strata.Kind{strata.KindSection}
	case q.Category != "":
		out.Kinds = []strata.Kind{strata.KindFact}
	case len(out.Kinds) == 0 && len(q.Types) > 0:
		out.Kinds = []strata.Kind{strata.KindFact, strata.KindSection} // turns have no type
	}
	if q.View.Session == strata.SessionGroup {
		out.NotPrivate = true
		out.SessionKind = strata.SessionGroup
	}
	return out
}

// category returns the number of the named category of a scope; 0 if there is
// none.
func (f *finder) category(ctx context.Context, scope strata.Scope, name string) (int64, error) {
	parents, err := f.r.Parents(ctx, scope, strata.KindFact, nil)
	if err != nil {
		return 0, fmt.Errorf("find category %s in %s: %w", name, scope, err)
	}
	want := text.Normalize(name)
	for _, p := range parents {
		if text.Normalize(p.Name) == want {
			return p.Number, nil
		}
	}
	return 0, nil
}

// setMatches sets the passages of the pool to those that hold terms of the question.
func (p *pool) setMatches(m store.Matches) {
	p.total, p.words = m.Total, m.Words
	p.passages, p.freqs = m.Passages, emptyFreqs(m)
	for feature, hits := range m.Terms {
		for _, h := range hits {
			p.freqs[h.Passage] = append(p.freqs[h.Passage], termFreq{int32(feature), float32(h.Count)})
		}
	}
}

// emptyFreqs returns an empty list for each passage of m, with capacity for the features
// that the passage holds. The lists share one array.
func emptyFreqs(m store.Matches) [][]termFreq {
	counts := make([]int32, len(m.Passages))
	all := 0
	for _, hits := range m.Terms {
		all += len(hits)
		for _, h := range hits {
			counts[h.Passage]++
		}
	}
	freqs := make([][]termFreq, len(m.Passages))
	array := make([]termFreq, all)
	for i, n := range counts {
		freqs[i], array = array[:0:n], array[n:]
	}
	return freqs
}

// addMatches records that the passages in found hold a feature count times.
func (p *pool) addMatches(found []store.Meta, feature int, count float32) {
	if len(found) == 0 {
		return
	}
	found = slices.SortedFunc(slices.Values(found), func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) })
	p.merge(found, slices.Repeat([][]termFreq{{{int32(feature), count}}}, len(found)))
}

// merge adds passages, in ascending order of number, with the features of each. It skips
// passages without features. A feature that the pool already has for a passage keeps its
// count.
func (p *pool) merge(found []store.Meta, freqs [][]termFreq) {
	most := len(p.passages) + len(found)
	passages, all := make([]store.Meta, 0, most), make([][]termFreq, 0, most)
	next := 0 // index of the next passage known before
	for i, m := range found {
		if len(freqs[i]) == 0 {
			continue
		}
		first := next
		for next < len(p.passages) && p.passages[next].Number < m.Number {
			next++
		}
		passages, all = append(passages, p.passages[first:next]...), append(all, p.freqs[first:next]...)
		here := freqs[i]
		if next < len(p.passages) && p.passages[next].Number == m.Number {
			here = union(p.freqs[next], here)
			next++
		}
		passages, all = append(passages, m), append(all, here)
	}
	p.passages, p.freqs = append(passages, p.passages[next:]...), append(all, p.freqs[next:]...)
}

// union returns freqs with the features of more that it lacks.
func union(freqs, more []termFreq) []termFreq {
	out := slices.Clip(freqs) // the lists share an array: grow a copy
	for _, t := range more {
		if !hasFeature(freqs, t.feature) {
			out = append(out, t)
		}
	}
	return out
}

func hasFeature(freqs []termFreq, feature int32) bool {
	return slices.ContainsFunc(freqs, func(t termFreq) bool { return t.feature == feature })
}

// index returns the index in passages of the passage with the given number; -1 if it is
// not among them.
func (p *pool) index(number int64) int32 {
	i, ok := slices.BinarySearchFunc(p.passages, number, func(m store.Meta, n int64) int {
		return cmp.Compare(m.Number, n)
	})
	if !ok {
		return -1
	}
	return int32(i)
}

// indexTurns prepares the pool for firstTurn.
func (p *pool) indexTurns() {
	for i := range p.passages {
		if p.passages[i].Kind == strata.KindTurn {
			p.turns = append(p.turns, int32(i))
		}
	}
	slices.SortFunc(p.turns, func(a, b int32) int {
		return cmp.Or(comparePlaces(placeOf(p.passages[a]), placeOf(p.passages[b])), cmp.Compare(a, b))
	})
}

// firstTurn returns the position in turns of the first turn at or after a place.
func (p *pool) firstTurn(at store.Place) int {
	i, _ := slices.BinarySearchFunc(p.turns, at, func(t int32, at store.Place) int {
		return comparePlaces(placeOf(p.passages[t]), at)
	})
	return i
}

// comparePlaces orders places by parent, then by sequence number.
func comparePlaces(a, b store.Place) int {
	if a.Parent != b.Parent {
		return cmp.Compare(a.Parent, b.Parent)
	}
	return cmp.Compare(a.Seq, b.Seq)
}
