package main

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// scripted stands in for embedding models that are not available. It computes its vector
// of a text from that of the built-in embedder.
type scripted struct {
	name string
	dim  int
	of   func(base llm.Embedder, text string) []float32
	base llm.Embedder
}

func (s *scripted) Model() string   { return "scripted/" + s.name }
func (s *scripted) Dimensions() int { return s.dim }
func (s *scripted) InProcess()      {}

func (s *scripted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = s.of(s.base, t)
	}
	return out, nil
}

// scripts holds the scripted embedders by name: useless ones, ones that know part of what
// the built-in embedder knows, ones with its vectors in another form, and ones that know
// more.
var scripts = map[string]scripted{
	"random":   {dim: 384, of: mixed(0, 1)},
	"narrow":   {dim: 384, of: narrow},
	"constant": {dim: 384, of: func(llm.Embedder, string) []float32 { return filled(384) }},
	"noisy":    {dim: 384, of: mixed(1, 1)},
	"mostly":   {dim: 384, of: mixed(1, 0.5)},
	"hardly":   {dim: 384, of: mixed(0.5, 1)},
	"negated":  {dim: 384, of: mixed(-1, 0)},
	"scaled":   {dim: 384, of: mixed(1000, 0)},
	"same":     {dim: 384, of: mixed(1, 0)},
	"short":    {dim: 64, of: projected(64)},
	"long":     {dim: 1024, of: func(_ llm.Embedder, t string) []float32 { return noise(t, 1, 1024) }},
	"synonyms": {dim: 384, of: folded},
	"shifted":  {dim: 384, of: shifted},
}

func newEmbedder(kind string, c bench.Collection) llm.Embedder {
	switch kind {
	case "builtin":
		return builtin.New()
	case "knowing":
		return newKnowing(builtin.New(), c)
	case "opposed":
		return newOpposed(builtin.New(), c)
	}
	s := scripts[kind]
	s.name, s.base = kind, builtin.New()
	return &s
}

// own returns the built-in embedder's vector of a text.
func own(base llm.Embedder, t string) []float32 {
	out, err := base.Embed(context.Background(), []string{t})
	if err != nil {
		panic(err) // it fails only if its context ends
	}
	return out[0]
}

// mixed returns a function that adds the built-in embedder's vector and a meaningless
// one.
func mixed(known, drawn float32) func(llm.Embedder, string) []float32 {
	return func(base llm.Embedder, t string) []float32 {
		v, n := own(base, t), noise(t, 1, builtin.Dimensions)
		for i := range v {
			v[i] = known*v[i] + drawn*n[i]
		}
		return v
	}
}

// narrow returns meaningless vectors that are all similar, as those of many models are.
func narrow(_ llm.Embedder, t string) []float32 {
	v := noise(t, 1, 384)
	for i := range v {
		v[i] += 1.5 / float32(math.Sqrt(384))
	}
	return unit(v)
}

// shifted makes the built-in embedder's vectors similar to one another.
func shifted(base llm.Embedder, t string) []float32 {
	v := own(base, t)
	for i := range v {
		v[i] += 1.5 / float32(math.Sqrt(384))
	}
	return unit(v)
}

// projected returns a function that shortens the built-in embedder's vectors by a random
// projection.
func projected(dim int) func(llm.Embedder, string) []float32 {
	rows := make([][]float32, builtin.Dimensions)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range rows {
		rows[i] = make([]float32, dim)
		for j := range rows[i] {
			rows[i][j] = float32(r.NormFloat64())
		}
	}
	return func(base llm.Embedder, t string) []float32 {
		out := make([]float32, dim)
		for i, x := range own(base, t) {
			for j := range out {
				out[j] += x * rows[i][j]
			}
		}
		return unit(out)
	}
}

// folded stands in for a model that knows synonyms: each word of a text pulls its vector
// in the same direction as its synonyms and other forms.
func folded(base llm.Embedder, t string) []float32 {
	out := own(base, t)
	for i := range out {
		out[i] *= 2
	}
	for tok := range text.Tokens(t) {
		if tok.Stop {
			continue
		}
		way := tok.Term
		for _, same := range topics.RelatedTo(tok.Term).Synonyms {
			way = min(way, same)
		}
		for i, x := range noise(way, 2, len(out)) {
			out[i] += 0.6 * x
		}
	}
	return unit(out)
}

func filled(dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = 1
	}
	return v
}

// noise returns a unit vector that depends only on the text and the seed.
func noise(t string, seed uint64, dim int) []float32 {
	h := fnv.New64a()
	h.Write([]byte(t))
	r := rand.New(rand.NewPCG(h.Sum64(), seed))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return unit(v)
}

func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(sum, 1e-12)))
	}
	return v
}
