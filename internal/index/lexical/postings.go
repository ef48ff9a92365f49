package lexical

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/strata-memory/strata/store"
)

// Postings answers a query of current passages from memory. It reports false if it
// cannot: the scope is not in memory as the snapshot sees it, the query asks for a
// past time, which passages in memory do not have, or the transaction writes,
// because nothing a writer sees is cached.
func (s *Snapshot) Postings(ctx context.Context, q *Query) (out store.Matches, ok bool, err error) {
	if q.filter.Past() || s.writing {
		return out, false, nil
	}
	p, err := s.passages(ctx, q.scope)
	if err != nil || p == nil {
		return out, false, err
	}
	lists, err := s.lists(ctx, p, q.terms)
	if err != nil || lists == nil {
		return out, false, err
	}
	defer runtime.KeepAlive(lists) // memory outside the heap is freed with them
	defer runtime.KeepAlive(p)
	counts := make([]int64, len(q.terms))
	if q.leavesOut() {
		for i, l := range lists {
			counts[i] = l.holds(p)
		}
	}
	m := newMaxScore(q, counts)
	hits := make([][]store.TermHit, len(q.terms))
	c := s.index.borrowCandidates()
	defer s.index.returnCandidates(c)
	for {
		essential := make([]*postingList, len(m.terms()))
		for i, term := range m.terms() {
			essential[i] = lists[term]
		}
		c.find(p, essential, &q.filter)
		m.prune(c, lists, p)
		c.hitsOf(lists, p, hits)
		if !m.widen(len(c.ordinals), hits) {
			break
		}
	}
	found := p.metas(c.ordinals)
	room := slices.Clone(c.hits) // so far they lie in borrowed memory
	for i, list := range hits {
		hits[i] = nil
		if n := len(list); n > 0 {
			hits[i], room = room[:n:n], room[n:]
		}
	}
	orderByNumber(found, hits)
	return q.matches(found, hits, m), true, nil
}

// lists returns the list of each term. It reads missing ones from the store if p is
// the newest version, and returns nil if a list as of p is not available.
func (s *Snapshot) lists(ctx context.Context, p *passages, terms []string) ([]*postingList, error) {
	lists := make([]*postingList, len(terms))
	missing := false
	for i, term := range terms {
		lists[i] = p.lists.get(Fold(term))
		missing = missing || lists[i] == nil
	}
	if missing {
		if ok, err := s.readLists(ctx, p, terms, lists); err != nil || !ok {
			return nil, err
		}
	}
	for _, l := range lists {
		if l.deletedCount > p.deletedCount {
			return nil, nil // it lacks passages deleted since
		}
	}
	return lists, nil
}

// readLists fills in the lists that are nil. It reports false if p is no longer the
// newest version. It holds the lock only while entries are turned into a list, not
// while they are read.
func (s *Snapshot) readLists(ctx context.Context, p *passages, terms []string, lists []*postingList) (bool, error) {
	c := s.index.scope(p.scope)
	pending, err := s.Pending(ctx, p.scope)
	if err != nil {
		return false, err
	}
	for i, term := range terms {
		if lists[i] != nil {
			continue
		}
		if c.passages.Load() != p {
			return false, nil
		}
		term = Fold(term)
		err := s.src.Entries(ctx, p.scope, term, func(list []Entry) error {
			list = mergePending(list, pending.entries(term))
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.passages.Load() != p {
				return nil
			}
			if lists[i] = p.lists.get(term); lists[i] == nil { // otherwise another goroutine was faster
				lists[i] = newPostingList(p, list)
				p.lists.put(term, lists[i])
			}
			return nil
		})
		if err != nil {
			return false, fmt.Errorf("read entries of a term: %w", err)
		}
		if lists[i] == nil {
			return false, nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.passages.Load() == p {
		s.index.count(p.scope, c)
	}
	return true, nil
}

// orderByNumber sorts passages, which are in order of ordinals, by number and
// updates their hits.
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
