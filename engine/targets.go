package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/controller"
	"github.com/strata-memory/strata/store"
)

const (
	// nearCategories is how many of the nearest categories are looked through
	// for near-duplicates; tier 1 of recall looks at as many.
	nearCategories = 3
	// nearFacts is how many of the closest facts the controller compares.
	nearFacts = 5
	// nearSimilarity is the least cosine at which a fact is worth comparing.
	// With the built-in embedder statements that share most of their words lie
	// above it, and two statements on one subject below.
	nearSimilarity = 0.6
)

// targets reads what the controller must know of memory to decide.
func (e *Engine) targets(ctx context.Context, r store.Reader, shelf *shelf, p *proposal) (controller.Input, error) {
	c := p.candidate
	in := controller.Input{Candidate: c, Secrets: p.secrets, Advice: p.advice}
	if len(p.secrets) > 0 {
		return in, nil // decided by that alone
	}
	if c.Target != "" {
		f, err := r.Fact(ctx, []strata.Scope{c.Scope}, c.Target)
		if err == nil {
			in.Target = &f
		} else if strata.CodeOf(err) != strata.CodeNotFound {
			return in, err
		}
		if c.Wish == strata.WishDelete {
			return in, nil
		}
	}
	var err error
	if in.SameText, err = r.FactsByText(ctx, c.Scope, c.Content); err != nil {
		return in, err
	}
	if c.Wish == strata.WishDelete {
		return in, nil
	}
	if _, in.Forgotten, err = r.Forgotten(ctx, c.Scope, c.Content); err != nil {
		return in, err
	}
	if c.Entity != "" {
		if in.Slot, err = r.FactsBySlot(ctx, c.Scope, c.Entity, c.Attribute); err != nil {
			return in, err
		}
	}
	if len(in.SameText) == 0 && c.Target == "" {
		in.Near, err = e.near(ctx, r, shelf, p)
	}
	return in, err
}

// near finds facts that may say the same as the candidate: by vector inside
// the categories that are nearest, or by words where there is no vector.
func (e *Engine) near(ctx context.Context, r store.Reader, shelf *shelf, p *proposal) ([]controller.Near, error) {
	scope := p.candidate.Scope
	if p.vector == nil {
		return nearByWords(ctx, r, scope, p.candidate.Content)
	}
	categories, err := shelf.nearest(ctx, scope, p.vector, nearCategories)
	if err != nil || len(categories) == 0 {
		return nil, err
	}
	found, err := r.Nearest(ctx, scope, e.Embedder(), p.vector, categories, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, nearFacts)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	var similarities []float32
	for _, n := range found {
		if n.Similarity >= nearSimilarity {
			numbers = append(numbers, n.Number)
			similarities = append(similarities, n.Similarity)
		}
	}
	return nearItems(ctx, r, scope, numbers, similarities)
}

// nearItems reads the numbered facts.
func nearItems(ctx context.Context, r store.Reader, scope strata.Scope, numbers []int64, similarities []float32) ([]controller.Near, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	items, err := r.Items(ctx, scope, numbers)
	if err != nil {
		return nil, err
	}
	bySimilarity := make(map[int64]float32, len(numbers))
	for i, n := range numbers {
		if similarities != nil {
			bySimilarity[n] = similarities[i]
		}
	}
	var out []controller.Near
	for _, it := range items {
		if it.Fact != nil && it.Fact.Current() {
			out = append(out, controller.Near{Fact: *it.Fact, Similarity: float64(bySimilarity[it.Number])})
		}
	}
	return out, nil
}

// nearByWords finds the facts that share the most content words with a text,
// at least half of them.
func nearByWords(ctx context.Context, r store.Reader, scope strata.Scope, content string) ([]controller.Near, error) {
	terms := contentTerms(content)
	if len(terms) == 0 {
		return nil, nil
	}
	m, err := r.Match(ctx, scope, terms, store.Filter{Kinds: []strata.Kind{strata.KindFact}})
	if err != nil {
		return nil, err
	}
	shared := make([]int, len(m.Passages))
	for _, hits := range m.Terms {
		for _, h := range hits {
			shared[h.Passage]++
		}
	}
	var numbers []int64
	for least := len(terms); least*2 >= len(terms) && len(numbers) < nearFacts; least-- {
		for i, n := range shared {
			if n == least && len(numbers) < nearFacts {
				numbers = append(numbers, m.Passages[i].Number)
			}
		}
	}
	return nearItems(ctx, r, scope, numbers, nil)
}
