package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata/bench"
)

// limit is how many answers are asked for.
const limit = 10

// addBatch is how many texts are given to a peer at once.
const addBatch = 1000

// peer is a memory or an index that takes texts and finds them again. Methods
// are called by one goroutine.
type peer interface {
	Name() string
	// Add keeps texts.
	Add(ctx context.Context, texts []string) error
	// Recall answers a question with up to limit texts, best first, the whole
	// way from its text.
	Recall(ctx context.Context, question string) ([]string, error)
	Close() error
}

// lookup is one part of a peer alone: a search by vectors, or by words.
type lookup func(ctx context.Context, question string) ([]string, error)

// measured is what came of asking one peer.
type measured struct {
	asked         int
	found         float64 // fraction of questions whose fact was among the first ten
	p50, p95, p99 time.Duration
}

// fill gives texts to a peer in batches.
func fill(ctx context.Context, p peer, texts []string, progress func(done int)) error {
	for start := 0; start < len(texts); start += addBatch {
		end := min(start+addBatch, len(texts))
		if err := p.Add(ctx, texts[start:end]); err != nil {
			return fmt.Errorf("%s: add texts %d to %d: %w", p.Name(), start+1, end, err)
		}
		progress(end)
	}
	return nil
}

// measure asks questions, one after the other, after one that warms up.
func measure(ctx context.Context, ask lookup, items []item) (measured, error) {
	if len(items) == 0 {
		return measured{}, fmt.Errorf("there is no question to ask")
	}
	if _, err := ask(ctx, items[0].question); err != nil {
		return measured{}, err
	}
	times := make([]time.Duration, 0, len(items))
	found := 0
	for _, it := range items {
		begin := time.Now()
		texts, err := ask(ctx, it.question)
		if err != nil {
			return measured{}, fmt.Errorf("ask %q: %w", it.question, err)
		}
		times = append(times, time.Since(begin))
		if slices.Contains(texts[:min(limit, len(texts))], it.text) {
			found++
		}
	}
	p := bench.PercentilesOf(times)
	return measured{asked: len(items), found: float64(found) / float64(len(items)), p50: p.P50, p95: p.P95, p99: p.P99}, nil
}

// item is a question and the text that answers it.
type item struct{ question, text string }

// questionKind is a way to ask for a fact.
type questionKind struct {
	name string
	of   func(bench.Synthetic) string
}

// kinds are the ways of bench.Generate: in words that the fact has, and in
// more words, some of which no fact has; and the first with two words misspelt.
func kinds() []questionKind {
	return []questionKind{
		{"words=7", func(s bench.Synthetic) string { return s.Question }},
		{"words=13", func(s bench.Synthetic) string { return s.Long }},
		{"misspelt=2", func(s bench.Synthetic) string { return misspell(s.Question) }},
	}
}

// stride is the step from one fact that is asked for to the next: a prime, so
// that they lie all over.
const stride = 7919

// items returns n questions for facts from all over.
func items(facts []bench.Synthetic, n int, kind questionKind) []item {
	out := make([]item, min(n, len(facts)))
	for i := range out {
		s := facts[i*stride%len(facts)]
		out[i] = item{kind.of(s), s.Text}
	}
	return out
}
