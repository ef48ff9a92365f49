package main

import (
	"context"
	"runtime"
	"strconv"

	chromem "github.com/philippgille/chromem-go"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/llm/builtin"
)

// chromemPeer is chromem-go, which keeps vectors in memory and compares all of them. It
// gets the vectors of Strata's built-in embedder.
type chromemPeer struct {
	docs  *chromem.Collection
	embed *builtin.Embedder
	n     int
}

func newChromem() (*chromemPeer, error) {
	p := &chromemPeer{embed: builtin.New()}
	docs, err := chromem.NewDB().CreateCollection("peers", nil, func(ctx context.Context, text string) ([]float32, error) {
		return one(ctx, p.embed, text)
	})
	p.docs = docs
	return p, err
}

// one embeds one text.
func one(ctx context.Context, e *builtin.Embedder, text string) ([]float32, error) {
	vectors, err := e.Embed(ctx, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (p *chromemPeer) Name() string { return "chromem-go" }

func (p *chromemPeer) Add(ctx context.Context, texts []string) error {
	docs := make([]chromem.Document, len(texts))
	for i, t := range texts {
		docs[i] = chromem.Document{ID: strconv.Itoa(p.n + i), Content: t}
	}
	p.n += len(texts)
	return p.docs.AddDocuments(ctx, docs, runtime.NumCPU())
}

func (p *chromemPeer) Recall(ctx context.Context, question string) ([]string, error) {
	found, err := p.docs.Query(ctx, question, min(limit, p.n), nil, nil)
	return contents(found), err
}

// Nearest finds the nearest vectors alone.
func (p *chromemPeer) Nearest(ctx context.Context, v []float32) ([]string, error) {
	found, err := p.docs.QueryEmbedding(ctx, v, min(limit, p.n), nil, nil)
	return contents(found), err
}

func contents(found []chromem.Result) []string {
	out := make([]string, len(found))
	for i, f := range found {
		out[i] = f.Content
	}
	return out
}

func (p *chromemPeer) Close() error { return nil }

// embedAll returns the vectors of all questions for the statements, by question.
func embedAll(ctx context.Context, statements []bench.Asked) (map[string][]float32, error) {
	e, out := builtin.New(), make(map[string][]float32)
	for _, s := range statements {
		for _, way := range bench.Ways() {
			question := s.Ask(way)
			v, err := one(ctx, e, question)
			if err != nil {
				return nil, err
			}
			out[question] = v
		}
	}
	return out, nil
}
