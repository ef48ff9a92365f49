package main

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// scripted stands in for the embedding models that are not at hand.
type scripted struct {
	kind string
	base llm.Embedder
}

func newEmbedder(kind string, c bench.Collection) llm.Embedder {
	switch kind {
	case "builtin":
		return builtin.New()
	case "knowing":
		return newKnowing(builtin.New(), c)
	}
	return &scripted{kind, builtin.New()}
}

func (s *scripted) Model() string   { return "scripted/" + s.kind }
func (s *scripted) Dimensions() int { return s.base.Dimensions() }
func (s *scripted) InProcess()      {}

// Embed makes vectors that mean nothing: "random" ones, "narrow" ones that are
// all much alike, as those of many models are, or one for all ("constant").
// "noisy" ones mean half of what the built-in embedder's do.
func (s *scripted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := s.base.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i, t := range texts {
		h := fnv.New64a()
		h.Write([]byte(t))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		noise := make([]float32, len(out[i]))
		for j := range noise {
			noise[j] = float32(r.NormFloat64())
		}
		unit(noise)
		v := make([]float32, len(noise))
		for j := range v {
			switch s.kind {
			case "random":
				v[j] = noise[j]
			case "narrow":
				v[j] = 1.5/float32(math.Sqrt(float64(len(v)))) + noise[j]
			case "constant":
				v[j] = 1
			default:
				v[j] = out[i][j] + noise[j]
			}
		}
		unit(v)
		out[i] = v
	}
	return out, nil
}

func unit(v []float32) {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(sum, 1e-12)))
	}
}
