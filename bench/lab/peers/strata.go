package main

import (
	"context"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/store"
)

// strataPeer is Strata as a library, with its built-in embedder.
type strataPeer struct {
	home  place
	mem   *engine.Engine
	embed *builtin.Embedder
	// db is the same database opened for reading, to measure parts separately; opened on
	// first use.
	db *sqlite.DB
}

func newStrata(ctx context.Context, home place) (*strataPeer, error) {
	opened, err := local.Open(ctx, home.dir)
	if err != nil {
		return nil, errors.Join(err, home.close())
	}
	return &strataPeer{home: home, mem: opened.Engine(), embed: builtin.New()}, nil
}

// Kept returns how many facts the home holds.
func (p *strataPeer) Kept(ctx context.Context) (int, error) {
	stats, err := p.mem.Stats(ctx, strata.Global().View())
	n := 0
	for _, s := range stats {
		n += int(s.Facts)
	}
	return n, err
}

func (p *strataPeer) Name() string { return "strata" }

func (p *strataPeer) Add(ctx context.Context, texts []string) error {
	facts := make([]strata.Candidate, len(texts))
	for i, t := range texts {
		facts[i] = strata.Candidate{Scope: strata.Global(), Content: t}
	}
	_, err := p.mem.WriteBatch(ctx, facts)
	return err
}

// query returns the query for a question, which is the same for all ways to ask Strata.
func query(question string) strata.Query {
	return strata.Query{
		View: strata.Global().View(), Text: question, Kinds: []strata.Kind{strata.KindFact}, Limit: limit, All: true, Quiet: true,
	}
}

func (p *strataPeer) Recall(ctx context.Context, question string) ([]string, error) {
	res, err := p.mem.Query(ctx, query(question))
	if err != nil {
		return nil, err
	}
	return texts(res.Hits), nil
}

// Words ranks by words alone.
func (p *strataPeer) Words(ctx context.Context, asked string) ([]string, error) {
	var out []string
	err := p.view(ctx, func(r store.Reader) error {
		now := time.Now()
		found, err := recall.Find(ctx, r, recall.Request{Query: query(asked), Analysis: question.Analyze(asked, now), Now: now})
		out = texts(found.Hits)
		return err
	})
	return out, err
}

// Nearest finds the nearest vectors alone. The question is embedded beforehand.
func (p *strataPeer) Nearest(ctx context.Context, v []float32) ([]string, error) {
	var out []string
	err := p.view(ctx, func(r store.Reader) error {
		near, err := r.Nearest(ctx, strata.Global(), p.embed.Model(), v, nil, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, limit)
		if err != nil {
			return err
		}
		numbers := make([]int64, len(near))
		for i, n := range near {
			numbers[i] = n.Number
		}
		// Read the texts too, since other peers return them.
		found, err := r.Items(ctx, strata.Global(), numbers)
		for _, it := range found {
			if it.Fact != nil {
				out = append(out, it.Fact.Text)
			}
		}
		return err
	})
	return out, err
}

func (p *strataPeer) view(ctx context.Context, fn func(store.Reader) error) error {
	if p.db == nil {
		db, err := sqlite.Open(ctx, local.Database(p.home.dir), &sqlite.Options{ReadOnly: true})
		if err != nil {
			return err
		}
		p.db = db
	}
	return p.db.View(ctx, fn)
}

func (p *strataPeer) Close() error {
	var err error
	if p.db != nil {
		err = p.db.Close()
	}
	return errors.Join(err, p.mem.Close(), p.home.close())
}

func texts(hits []strata.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Text
	}
	return out
}
