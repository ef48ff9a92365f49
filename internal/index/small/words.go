package small

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/store"
)

// Match counts distinct terms in the facts that pass a filter. It returns the facts
// that hold any of them, by number, and the hits of each term among these. The set
// must be plain.
func (s *Set) Match(terms []string, f *passage.Filter) (passages []store.Meta, hits [][]store.TermHit) {
	at := make(map[string]int, len(terms))
	var prints [4]uint64 // fingerprints of the terms, as a bitmap; most words of a fact match none
	for i, term := range terms {
		at[term] = i
		p := passage.Fingerprint(term)
		prints[p/64] |= 1 << (p % 64)
	}
	passages, hits = []store.Meta{}, make([][]store.TermHit, len(terms))
	counts := make([]int32, len(terms))
	s.each(f, func(_ int, fact *fact) {
		any := false
		for term := range passage.Terms(fact.terms) {
			if p := passage.Fingerprint(term); prints[p/64]>>(p%64)&1 == 0 {
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
		passages = append(passages, fact.row.Meta)
	})
	return passages, hits
}

// Phrase returns up to limit facts that pass a filter and hold the terms one after
// another. If prefix is set, the last term need only be the beginning of a word.
// Facts that hold the phrase most often come first, then shorter ones, then newer
// ones. The set must be plain.
func (s *Set) Phrase(terms []string, prefix bool, f *passage.Filter, limit int) []store.Meta {
	type found struct {
		meta  store.Meta
		count int
	}
	var list []found
	var in []string
	s.each(f, func(_ int, fact *fact) {
		in = slices.AppendSeq(in[:0], passage.Terms(fact.terms))
		if n := passage.CountPhrase(in, terms, prefix); n > 0 {
			list = append(list, found{fact.row.Meta, n})
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

// Substring returns up to limit facts that pass a filter and whose normalized texts
// contain normal, the newest first.
func (s *Set) Substring(ctx context.Context, src Source, normal string, f *passage.Filter, limit int) ([]store.Meta, error) {
	if err := s.readTexts(ctx, src); err != nil {
		return nil, err
	}
	var out []store.Meta
	s.each(f, func(_ int, fact *fact) {
		if has := fact.normal.Load(); has != nil && strings.Contains(*has, normal) {
			out = append(out, fact.row.Meta)
		}
	})
	slices.Reverse(out)
	return out[:min(len(out), max(limit, 0))], nil
}

// readTexts reads the texts that are missing. They are read this late because few
// questions search for parts of words.
func (s *Set) readTexts(ctx context.Context, src Source) error {
	var missing []int64
	for _, f := range s.facts {
		if f.normal.Load() == nil {
			missing = append(missing, f.row.Number)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := src.Texts(ctx, missing, func(number int64, text []byte) error {
		if i, ok := s.find(number); ok {
			normal := string(text)
			s.facts[i].normal.Store(&normal)
		}
		return nil
	})
	s.grown()
	return err
}
