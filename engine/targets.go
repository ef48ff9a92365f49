package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// nearCategories is how many of the nearest categories are searched for
	// near-duplicates, as many as in tier 1 of a recall.
	nearCategories = 3
	// nearFacts is the maximum number of similar facts, by words and by vector each, that
	// the controller compares.
	nearFacts = 5
	// nearSimilarity is the minimum cosine for a comparison. With the built-in embedder
	// it separates statements that share most of their words from those that only share a
	// subject.
	nearSimilarity = 0.6
	// vectorBatch is the largest batch for which near-duplicates are also searched by
	// vector, and vectorFacts the maximum number of facts compared that way.
	vectorBatch = 32
	vectorFacts = 256
)

// targets reads what the controller needs to know from memory to decide.
func (e *Engine) targets(ctx context.Context, r store.Reader, seen *lookups, p *proposal) (decide.Input, error) {
	c := p.candidate
	in := decide.Input{Candidate: c, Said: p.said, Secrets: p.secrets, Advice: p.advice}
	if len(p.secrets) > 0 {
		return in, nil // the secret alone decides
	}
	if c.Target != "" {
		f, err := r.Fact(ctx, []strata.Scope{c.Scope}, c.Target)
		if err == nil {
			in.Target = &f
		} else if strata.CodeOf(err) != strata.CodeNotFound {
			return in, err
		}
		if c.Action == strata.ActionDelete {
			return in, nil
		}
	}
	var err error
	if in.SameText, err = r.FactsByText(ctx, c.Scope, p.said); err != nil {
		return in, err
	}
	if c.Action == strata.ActionDelete {
		return in, nil
	}
	told := []*text.Analysis{p.said}
	if !c.Origin.Explicit() { // an extractor may reword what a turn said
		for _, turn := range c.Sources {
			told = append(told, text.Analyze(turn))
		}
	}
	if in.Forgotten, err = store.AnyForgotten(ctx, r, c.Scope, told...); err != nil {
		return in, err
	}
	if c.Replaces != "" {
		if in.Replaced, err = r.FactsByText(ctx, c.Scope, text.Analyze(c.Replaces)); err != nil {
			return in, err
		}
	}
	if c.Entity != "" {
		if in.Slot, err = r.FactsBySlot(ctx, c.Scope, c.Entity, c.Attribute); err != nil {
			return in, err
		}
	}
	if len(in.SameText) == 0 && c.Target == "" {
		in.Near, err = e.near(ctx, r, seen, p)
	}
	return in, err
}

// near finds facts that may say the same as the candidate, by words and by vector inside
// the nearest categories.
func (e *Engine) near(ctx context.Context, r store.Reader, seen *lookups, p *proposal) ([]decide.Near, error) {
	like, err := r.FactsLike(ctx, p.candidate.Scope, p.analysis.Sketch, nearFacts)
	if err != nil {
		return nil, err
	}
	out, err := e.nearByVector(ctx, r, seen, p)
	if err != nil {
		return nil, err
	}
	named, err := naming(ctx, r, p.candidate)
	if err != nil {
		return nil, err
	}
	for _, f := range append(like, named...) {
		if !slices.ContainsFunc(out, func(n decide.Near) bool { return n.Fact.ID == f.ID }) {
			out = append(out, decide.Near{Fact: f})
		}
	}
	return out, nil
}

// naming finds the newest facts that contain all the words of what the candidate says has
// ended: "Rex died" shares nothing else with "My dog is called Rex".
func naming(ctx context.Context, r store.Reader, c strata.Candidate) ([]strata.Fact, error) {
	terms := text.Terms(strings.Join(decide.Ended(c.Content), " "))
	return r.FactsHolding(ctx, c.Scope, terms, nearFacts)
}

// nearByVector finds the closest facts inside the nearest categories, as long as these
// are small. It does nothing for a large batch. See
// docs/decisions/0003-near-duplicates.md.
func (e *Engine) nearByVector(ctx context.Context, r store.Reader, seen *lookups, p *proposal) ([]decide.Near, error) {
	scope := p.candidate.Scope
	if p.batch > vectorBatch {
		return nil, nil
	}
	st, err := seen.state(ctx)
	if err != nil {
		return nil, err
	}
	v := p.vectors.Of(st.Serving)
	if v == nil {
		return nil, nil
	}
	categories, err := seen.nearest(ctx, scope, v, nearCategories, vectorFacts)
	if err != nil || len(categories) == 0 {
		return nil, err
	}
	found, err := r.Nearest(ctx, scope, st.Serving.Name, v, categories, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, nearFacts)
	if err != nil {
		return nil, err
	}
	similarity := make(map[int64]float32, len(found))
	var numbers []int64
	for _, n := range found {
		if n.Similarity >= nearSimilarity {
			numbers = append(numbers, n.Number)
			similarity[n.Number] = n.Similarity
		}
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	items, err := r.Items(ctx, scope, numbers)
	if err != nil {
		return nil, err
	}
	var out []decide.Near
	for _, it := range items {
		if it.Fact != nil && it.Fact.Current() {
			out = append(out, decide.Near{Fact: *it.Fact, Similarity: float64(similarity[it.Number])})
		}
	}
	return out, nil
}
