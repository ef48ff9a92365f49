package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// minRead is the fewest candidates whose text is read for the final score,
	// readPerHit how many are read for each hit wanted.
	minRead    = 30
	readPerHit = 2
	// neighborSlack is how many times more neighbors are looked up than are
	// read, since some of them do not exist.
	neighborSlack = 2
)

// rank reads the best n candidates and orders them by their final scores.
func (f *finder) rank(ctx context.Context, n int) error {
	f.cands = slices.DeleteFunc(f.cands, func(c *candidate) bool {
		return c.own+c.around+c.closeness <= 0 // nothing in common
	})
	best := f.roughBest(neighborSlack * n)
	if err := f.resolve(ctx, best); err != nil {
		return err
	}
	best = slices.DeleteFunc(slices.Clone(best), func(c *candidate) bool { return c.meta.Number == 0 })
	best = best[:min(len(best), n)]
	if err := f.read(ctx, best); err != nil {
		return err
	}
	best = slices.DeleteFunc(best, func(c *candidate) bool {
		return c.reading == nil || c.item.Fact == nil && c.item.Turn == nil && c.item.Section == nil
	})
	var err error
	if best, err = f.unshadowed(ctx, best); err != nil {
		return err
	}
	if err := f.replace(ctx, best); err != nil {
		return err
	}
	f.settle(best)
	best = f.strict(best)
	named := f.namedSpeakers(best)
	for _, c := range best {
		f.score(c, named)
	}
	slices.SortFunc(best, func(a, b *candidate) int {
		return cmp.Or(
			cmp.Compare(b.score, a.score),
			cmp.Compare(a.pool.order, b.pool.order), // the deeper scope
			b.at().Compare(a.at()),                  // the newer
			cmp.Compare(b.meta.Number, a.meta.Number),
		)
	})
	f.ranked, f.exhausted = best, n >= len(f.cands)
	return nil
}

// roughBest returns the n best candidates by their score as far as it is known
// without their text, best first.
func (f *finder) roughBest(n int) []*candidate {
	for _, c := range f.cands {
		c.rough = f.w.Words*(c.own+c.around) + f.w.Vector*c.closeness*open(c.own+c.around) + f.w.Parent*c.parent
	}
	out := best(f.cands, n, compareRough)
	slices.SortFunc(out, compareRough)
	return out
}

func compareRough(a, b *candidate) int {
	if a.rough != b.rough {
		return cmp.Compare(b.rough, a.rough)
	}
	return cmp.Or(
		cmp.Compare(a.pool.order, b.pool.order),
		cmp.Compare(b.meta.Parent, a.meta.Parent),
		cmp.Compare(b.meta.Seq, a.meta.Seq),
		cmp.Compare(b.meta.Number, a.meta.Number),
	)
}

// resolve finds the numbers of the neighbors among some candidates that match
// no word themselves. Those that do not exist, do not pass the filter or are
// candidates already keep the number 0.
func (f *finder) resolve(ctx context.Context, among []*candidate) error {
	for _, p := range f.pools {
		open := unresolved(p, among)
		if len(open) == 0 {
			continue
		}
		places := make([]store.Place, 0, len(open))
		for at := range open {
			places = append(places, at)
		}
		slices.SortFunc(places, comparePlaces)
		found, err := f.r.PassagesAt(ctx, p.scope, places, p.filter)
		if err != nil {
			return fmt.Errorf("read neighbors in %s: %w", p.scope, err)
		}
		for _, m := range found {
			if c := open[store.Place{Parent: m.Parent, Seq: m.Seq}]; c != nil && p.cands[m.Number] == nil {
				c.meta = m
				p.cands[m.Number] = c
			}
		}
	}
	return nil
}

// unresolved returns the candidates of a pool that are known by place alone.
func unresolved(p *pool, among []*candidate) map[store.Place]*candidate {
	out := make(map[store.Place]*candidate)
	for _, c := range among {
		if c.pool == p && c.meta.Number == 0 {
			out[store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq}] = c
		}
	}
	return out
}

// read fills the items of the candidates and notes which of the turns before
// them ask a question.
func (f *finder) read(ctx context.Context, among []*candidate) error {
	for _, p := range f.pools {
		var numbers []int64
		for _, c := range among {
			if c.pool != p {
				continue
			}
			if c.reading == nil {
				numbers = append(numbers, c.meta.Number)
			}
			if _, known := p.asks[c.before]; c.before != 0 && !known {
				numbers = append(numbers, c.before)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		slices.Sort(numbers)
		items, err := f.r.Items(ctx, p.scope, slices.Compact(numbers))
		if err != nil {
			return fmt.Errorf("read candidates in %s: %w", p.scope, err)
		}
		for _, it := range items {
			if it.Turn != nil {
				p.asks[it.Number] = asks(it.Turn.Text)
			}
			if c := p.cands[it.Number]; c != nil {
				c.reading = &reading{item: it}
			}
		}
	}
	return nil
}

// asks reports whether a text holds a question mark of some script.
func asks(s string) bool {
	return strings.Contains(s, "?") || strings.Contains(s, "？") || strings.Contains(s, "؟")
}

// namedSpeakers returns the speakers of the candidates whom the question names.
func (f *finder) namedSpeakers(among []*candidate) map[string]bool {
	named := make(map[string]bool)
	seen := make(map[string]bool)
	for _, c := range among {
		if c.item.Turn == nil || seen[c.item.Turn.Speaker] {
			continue
		}
		seen[c.item.Turn.Speaker] = true
		for _, t := range text.Analyze(c.item.Turn.Speaker) {
			if !t.Stop && slices.Contains(f.look.terms, t.Term) {
				named[c.item.Turn.Speaker] = true
			}
		}
	}
	return named
}

// hit makes a hit of a ranked candidate.
func (f *finder) hit(c *candidate) strata.Hit {
	h := strata.Hit{
		Kind:  c.meta.Kind,
		Score: c.score,
		Tier:  c.tier,
		Why:   c.why,
		Scope: c.pool.scope,
		At:    c.at(),
	}
	if at, ok := c.pool.find(c.meta.Number); ok {
		for _, m := range c.pool.hits[at] {
			h.Why.Terms = append(h.Why.Terms, f.look.words[m.feature])
		}
	}
	if fact := c.item.Fact; fact != nil {
		h.ID, h.Text, h.Type, h.Category = fact.ID, fact.Text, fact.Type, fact.Category
	}
	if turn := c.item.Turn; turn != nil {
		h.ID, h.Text, h.Session, h.Seq, h.Speaker = turn.ID, turnShown(*turn), turn.Session, turn.Seq, turn.Speaker
	}
	if s, d := c.item.Section, c.item.Document; s != nil {
		h.ID, h.Text, h.Type, h.Seq, h.Section = SectionID(d.ID, s.Seq), sectionShown(*s), d.Type, s.Seq, placeOf(*d, *s)
	}
	if c.shadowed {
		h.Notes = append(h.Notes, "a note of the same name in a deeper scope stands in front of this one")
	}
	return h
}
