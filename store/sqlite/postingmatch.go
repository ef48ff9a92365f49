package sqlite

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"

	"github.com/strata-memory/strata/store"
)

// matchPostings is Match from memory, for distinct terms whose places in the
// query are given. It reports false where the lists of the terms are not those
// of the set: then FTS5 is to be asked.
func (t *tx) matchPostings(ctx context.Context, s *postingSet, terms []string, places []int, f store.Filter) (out store.Matches, ok bool, err error) {
	lists, err := t.listsOf(ctx, s, terms)
	if err != nil || lists == nil {
		return out, false, err
	}
	defer runtime.KeepAlive(lists) // memory outside of the heap goes with them
	defer runtime.KeepAlive(s)
	total := s.totals.of(kindMask(f.Kinds))
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
	var found []uint32
	hits := make([][]store.TermHit, len(terms))
	for {
		narrow := lists // a passage must be in one of them
		if len(d.deferred()) > 0 {
			narrow = pick(lists, d.order[:d.rare])
		}
		out.Passages, found = t.passagesIn(s, narrow, f)
		for i, l := range lists {
			hits[i] = l.hitsIn(found, s)
		}
		if !d.widen(f.Contenders, len(found), hits) {
			break
		}
	}
	orderByNumber(out.Passages, hits)
	tell(&out, hits, places)
	for i, at := range places {
		if at >= 0 {
			out.Frequency[i] = max(out.Frequency[i], d.frequency(at, total.passages))
		}
	}
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
// the newest.
func (t *tx) readLists(ctx context.Context, s *postingSet, terms []string, lists []*postingList) (bool, error) {
	kept := t.db.postings.scope(s.scopeNo)
	kept.mu.Lock()
	defer kept.mu.Unlock()
	if kept.set.Load() != s {
		return false, nil
	}
	for i, term := range terms {
		if lists[i] != nil {
			continue
		}
		term = indexForm(term)
		if lists[i] = s.lists.get(term); lists[i] != nil {
			continue // somebody else was quicker
		}
		l, err := t.readList(ctx, s, term)
		if err != nil {
			return false, wrap("read postings of a term", err)
		}
		s.lists.put(term, l)
		lists[i] = l
	}
	t.db.postings.keep(s.scopeNo, kept)
	return true, nil
}

// passagesIn returns the passages of any of the lists that pass a filter, by
// place, and their places.
func (t *tx) passagesIn(s *postingSet, lists []*postingList, f store.Filter) (passages []store.Meta, places []uint32) {
	bitsOf := t.db.postings.borrowFound(len(s.passages))
	defer t.db.postings.giveFound(bitsOf)
	found := bitset(*bitsOf)
	for _, l := range lists {
		for _, p := range l.seen(s) {
			found.set(p.place())
		}
	}
	n := 0
	for i := range found {
		if i < len(s.gone) {
			found[i] &^= s.gone[i]
		}
		n += bits.OnesCount64(found[i])
	}
	kinds, types := kindMask(f.Kinds), typeMask(f)
	passages, places = make([]store.Meta, 0, n), make([]uint32, 0, n)
	for i, word := range found {
		for ; word != 0; word &= word - 1 {
			place := uint32(i*64 + bits.TrailingZeros64(word))
			p := s.passages[place]
			if p.words&retiredFlag != 0 || kinds>>(p.words&kindBits)&1 == 0 || types>>(p.words>>typeShift&typeBits)&1 == 0 {
				continue
			}
			if m := p.meta(s.scopeNo); f.Parent == 0 || m.Parent == f.Parent {
				passages, places = append(passages, m), append(places, place)
			}
		}
	}
	return passages, places
}

// hitsIn returns which of the places, which ascend, hold the term.
func (l *postingList) hitsIn(places []uint32, s *postingSet) []store.TermHit {
	rest := l.seen(s)
	var hits []store.TermHit
	for i := 0; i < len(places) && len(rest) > 0; i++ {
		place := places[i]
		if rest[0].place() < place {
			rest = rest[gallop(len(rest), func(j int) bool { return rest[j].place() >= place }):]
		}
		if len(rest) > 0 && rest[0].place() == place {
			if hits == nil {
				hits = make([]store.TermHit, 0, min(len(places)-i, len(rest)))
			}
			hits = append(hits, store.TermHit{Passage: int32(i), Count: l.count(rest[0])})
		}
	}
	return hits
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
