package main

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/llm"
)

const (
	// known is how strongly a question attracts the turns that answer it, beyond what the
	// built-in embedder sees in both.
	known = 0.6
	// mistaken is how many other turns each question attracts just as strongly.
	mistaken = 10
)

// knowing stands in for a good model: it sees what words do not tell, though with errors.
// A question attracts the turns that answer it, and some wrong ones, as with any model.
type knowing struct {
	base  llm.Embedder
	drawn map[string][]string // questions that attract it, by the indexed text of a turn or question
}

func newKnowing(base llm.Embedder, c bench.Collection) *knowing {
	e := &knowing{base: base, drawn: make(map[string][]string)}
	indexed := make(map[string]string)
	var all []string
	for _, d := range c.Documents {
		indexed[d.ID] = recall.TurnText(strata.Turn{Speaker: d.Speaker, Text: d.Text, At: d.At})
		all = append(all, indexed[d.ID])
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, q := range c.Queries {
		e.drawn[q.Text] = append(e.drawn[q.Text], q.Text)
		for doc := range c.Relevant[q.ID] {
			e.drawn[indexed[doc]] = append(e.drawn[indexed[doc]], q.Text)
		}
		for range mistaken {
			wrong := all[r.IntN(len(all))]
			e.drawn[wrong] = append(e.drawn[wrong], q.Text)
		}
	}
	return e
}

func (e *knowing) Model() string   { return "scripted/knowing" }
func (e *knowing) Dimensions() int { return e.base.Dimensions() }
func (e *knowing) InProcess()      {}

func (e *knowing) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := e.base.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, s := range texts {
		for _, q := range e.drawn[s] {
			h := fnv.New64a()
			h.Write([]byte(q))
			r := rand.New(rand.NewPCG(h.Sum64(), 2))
			for j := range out[i] {
				out[i][j] += float32(known * r.NormFloat64() / math.Sqrt(float64(len(out[i]))))
			}
		}
		unit(out[i])
	}
	return out, nil
}
