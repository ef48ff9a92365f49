package sqlite

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/index/passage"
	"github.com/strata-memory/strata/store"
)

// matchPostings is Match from memory, for distinct terms whose places in the
// query are given. It reports false where the lists of the terms are not those
// of the set: then the term index is to be asked.
func (t *tx) matchPostings(ctx context.Context, s *postingSet, terms []string, places []int, f store.Filter) (out store.Matches, ok bool, err error) {
	lists, err := t.listsOf(ctx, s, terms)
	if err != nil || lists == nil {
		return out, false, err
	}
	defer runtime.KeepAlive(lists) // memory outside of the heap goes with them
	defer runtime.KeepAlive(s)
	total := s.totals.of(passage.KindMask(f.Kinds))
	out = store.Matches{
		Terms: make([][]store.TermHit, len(places)), Frequency: make([]int64, len(places)),
		Total: total.passages, Words: total.words,
	}
	var d deferral
	if defers(len(terms), total.passages, f) {
		counts := make([]int64, len(terms))
		for i, l := range lists {
			counts[i] = l.holds(s)
		}
		d = newDeferral(counts, total.passages, f.Enough)
	}
	by, most := newTelling(d, total), f.Most
	if d.counts == nil {
		most = 0
	}
	hits := make([][]store.TermHit, len(terms))
	found := t.db.postings.borrowFound()
	defer t.db.postings.giveFound(found)
	for {
		narrow := d.order[:d.rare] // a passage must hold one of them
		if d.counts == nil {
			narrow = allTerms(len(terms))
		}
		found.find(s, pick(lists, narrow), f)
		by.contend(found, lists, s, most)
		found.hitsOf(lists, s, hits)
		if !d.widen(f.Contenders, len(found.places), hits) {
			break
		}
	}
	out.Passages = s.metas(found.places)
	room := slices.Clone(found.hits) // so far they lie in what is borrowed
	for i, list := range hits {
		hits[i] = nil
		if n := len(list); n > 0 {
			hits[i], room = room[:n:n], room[n:]
		}
	}
	orderByNumber(out.Passages, hits)
	out.Passages = by.keepMost(out.Passages, hits, most)
	tell(&out, hits, places)
	d.frequencies(&out, places)
	return out, true, nil
}

// listsOf returns the list of each term. Those that are not kept are read if the
// set is the newest. It returns nil where one cannot be had as of the set.
func (t *tx) listsOf(ctx context.Context, s *postingSet, terms []string) ([]*postingList, error) {
	lists := make([]*postingList, len(terms))
	missing := false
	for i, term := range terms {
		lists[i] = s.lists.get(indexForm(term))
		missing = missing || lists[i] == nil
	}
	if missing {
		if ok, err := t.readLists(ctx, s, terms, lists); err != nil || !ok {
			return nil, err
		}
	}
	for _, l := range lists {
		if l.losses > s.losses {
			return nil, nil // what has gone since is not in it
		}
	}
	return lists, nil
}

// readLists fills in the lists that are nil. It reports false if the set is not
// the newest. Nobody waits while entries are read, only while they become a list.
func (t *tx) readLists(ctx context.Context, s *postingSet, terms []string, lists []*postingList) (bool, error) {
	kept := t.db.postings.scope(s.scopeNo)
	waiting, err := t.waitingTerms(ctx, s.scopeNo)
	if err != nil {
		return false, err
	}
	for i, term := range terms {
		if lists[i] != nil {
			continue
		}
		if kept.set.Load() != s {
			return false, nil
		}
		term = indexForm(term)
		err := t.termEntries(ctx, s.scopeNo, waiting, term, func(entries []termEntry) {
			kept.mu.Lock()
			defer kept.mu.Unlock()
			if kept.set.Load() != s {
				return
			}
			if lists[i] = s.lists.get(term); lists[i] == nil { // else somebody else was quicker
				lists[i] = s.listOf(entries)
				s.lists.put(term, lists[i])
			}
		})
		if err != nil {
			return false, wrap("read postings of a term", err)
		}
		if lists[i] == nil {
			return false, nil
		}
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.set.Load() == s {
		t.db.postings.keep(s.scopeNo, kept)
	}
	return true, nil
}

// foundPlaces are the places of the passages that were found.
type foundPlaces struct {
	places []uint32 // rising
	words  []uint32 // of the passage at each
	bits   bitset   // has the places
	before []uint32 // places before each word of the bits

	told, best []float32       // room for contend
	hits       []store.TermHit // room for hitsOf
}

// index is the number of a place among those found.
func (f *foundPlaces) index(place uint32) (i uint32, ok bool) {
	word, bit := f.bits[place/64], uint64(1)<<(place%64)
	return f.before[place/64] + uint32(bits.OnesCount64(word&(bit-1))), word&bit != 0
}

// find finds the passages of any of the lists that pass a filter, and nothing
// else.
func (found *foundPlaces) find(s *postingSet, lists []*postingList, f store.Filter) {
	words := (len(s.passages) + 63) / 64
	found.places, found.words = found.places[:0], found.words[:0]
	found.before = slices.Grow(found.before[:0], words)[:words]
	found.bits = slices.Grow(found.bits[:0], words)[:words]
	clear(found.bits)
	for _, l := range lists {
		for _, p := range l.seen(s) {
			found.bits.set(p.place())
		}
	}
	passing := newPostedFilter(s, f)
	for i, word := range found.bits {
		if i < len(s.gone) {
			word &^= s.gone[i]
		}
		found.before[i] = uint32(len(found.places))
		for rest := word; rest != 0; rest &= rest - 1 {
			place := uint32(i*64 + bits.TrailingZeros64(rest))
			words := uint32(s.briefs[place])
			if words == manyWords || !passing.facts {
				p := &s.passages[place]
				if words = p.words >> wordShift; !passing.has(p) {
					word &^= 1 << (place % 64)
					continue
				}
			}
			found.places, found.words = append(found.places, place), append(found.words, words)
		}
		found.bits[i] = word
	}
}

// keep leaves those places whose passages tell at least so much.
func (found *foundPlaces) keep(told []float32, least float32) {
	kept := found.places[:0]
	clear(found.bits)
	for i, at := range found.places {
		if told[i] >= least {
			kept = append(kept, at)
			found.bits.set(at)
		}
	}
	found.places, found.words = kept, found.words[:0]
	before := uint32(0)
	for i, word := range found.bits {
		found.before[i] = before
		before += uint32(bits.OnesCount64(word))
	}
}

// hitsOf fills in which of the places found hold each of some terms. The hits
// are valid until what was found is looked for again or given back.
func (found *foundPlaces) hitsOf(lists []*postingList, s *postingSet, hits [][]store.TermHit) {
	found.hits = found.hits[:0]
	for i, l := range lists {
		first := len(found.hits)
		found.addHits(l, s)
		hits[i] = found.hits[first:len(found.hits):len(found.hits)]
	}
}

// addHits adds those of one term.
func (found *foundPlaces) addHits(l *postingList, s *postingSet) {
	// To look at a posting costs a tenth of a search for one.
	const often = 16
	rest := l.seen(s)
	if len(rest) <= often*len(found.places) {
		for _, p := range rest {
			if i, ok := found.index(p.place()); ok {
				found.hits = append(found.hits, store.TermHit{Passage: int32(i), Count: l.count(p)})
			}
		}
		return
	}
	for i, place := range found.places {
		rest = rest[gallop(len(rest), func(j int) bool { return rest[j].place() >= place }):]
		if len(rest) == 0 {
			return
		}
		if rest[0].place() == place {
			found.hits = append(found.hits, store.TermHit{Passage: int32(i), Count: l.count(rest[0])})
		}
	}
}

// postedFilter is a filter of current passages of one scope.
type postedFilter struct {
	kinds, types uint32
	parent       uint32
	inParent     bool
	nowhere      bool // the parent is of another scope
	facts        bool // every current fact passes
}

func newPostedFilter(s *postingSet, f store.Filter) postedFilter {
	out := postedFilter{kinds: uint32(passage.KindMask(f.Kinds)), types: uint32(passage.TypeMask(f)), parent: uint32(f.Parent & lowBits), inParent: f.Parent != 0}
	out.nowhere = out.inParent && passage.Scope(f.Parent) != s.scopeNo
	out.facts = !out.inParent && out.kinds>>passage.KindCode(strata.KindFact)&1 != 0 && out.types == uint32(passage.TypeMask(store.Filter{}))
	return out
}

// has reports whether a passage passes.
func (f *postedFilter) has(p *postedPassage) bool {
	return p.words&retiredFlag == 0 && f.kinds>>(p.words&kindBits)&1 != 0 && f.types>>(p.words>>typeShift&typeBits)&1 != 0 &&
		!f.nowhere && (!f.inParent || p.parent == f.parent)
}

// postedPassing lists the passages that pass a filter, and are of one of some
// parents if there are any, from what this transaction searched by words. It
// reports false where that is not in memory. To read a part of a million rows
// takes a quarter of a second, to look through all in memory some milliseconds.
func (t *tx) postedPassing(scopeNo int64, f store.Filter, parents []int64) (list []int64, ok bool) {
	s := t.posted[scopeNo]
	if s == nil || f.AsOf != nil || f.SessionKind != "" {
		return nil, false
	}
	var inside []uint32 // three, as a rule
	for _, p := range parents {
		if passage.Scope(p) == scopeNo {
			inside = append(inside, uint32(p&lowBits))
		}
	}
	passing := newPostedFilter(s, f)
	for i := range s.passages {
		p := &s.passages[i]
		if passing.has(p) && (len(parents) == 0 || slices.Contains(inside, p.parent)) && !s.gone.has(uint32(i)) {
			list = append(list, scopeNo<<passage.ScopeBits|int64(p.number))
		}
	}
	return list, true
}

// metas are the passages at places as ranking sees them.
func (s *postingSet) metas(places []uint32) []store.Meta {
	out := make([]store.Meta, len(places))
	for i, at := range places {
		out[i] = s.passages[at].meta(s.scopeNo)
	}
	return out
}

// allTerms are the numbers of n terms.
func allTerms(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// orderByNumber sorts passages, which are in the order in which they came, and
// their hits.
func orderByNumber(passages []store.Meta, hits [][]store.TermHit) {
	byNumber := func(a, b store.Meta) int { return cmp.Compare(a.Number, b.Number) }
	if slices.IsSortedFunc(passages, byNumber) {
		return
	}
	came := make([]int32, len(passages))
	for i := range came {
		came[i] = int32(i)
	}
	slices.SortFunc(came, func(a, b int32) int { return byNumber(passages[a], passages[b]) })
	before, goes := slices.Clone(passages), make([]int32, len(passages))
	for to, from := range came {
		passages[to], goes[from] = before[from], int32(to)
	}
	for _, list := range hits {
		for i := range list {
			list[i].Passage = goes[list[i].Passage]
		}
		slices.SortFunc(list, func(a, b store.TermHit) int { return cmp.Compare(a.Passage, b.Passage) })
	}
}
