package bench_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/ollama"
	"github.com/strata-memory/strata/llm/openai"
	"github.com/strata-memory/strata/local"
)

// BenchmarkRecallWithModel is a whole recall with the vectors of a model behind
// Ollama's protocol and behind OpenAI's, from a scripted server on loopback that
// answers at once. embed-p50-ns is the question to that server alone, in the same
// run: what a real model takes comes on top.
func BenchmarkRecallWithModel(b *testing.B) {
	const facts = 10_000
	if testing.Short() {
		b.Skip("long")
	}
	for _, p := range []scripted.Protocol{scripted.Ollama, scripted.OpenAI} {
		b.Run(fmt.Sprintf("protocol=%s/facts=%d", p, facts), func(b *testing.B) {
			ctx := context.Background()
			embedder := scriptedModel(b, p)
			opened, err := local.OpenWith(ctx, local.Options{Home: b.TempDir(), Embedder: embedder})
			if err != nil {
				b.Fatal(err)
			}
			mem := opened.Engine()
			b.Cleanup(func() { mem.Close() })
			if err := bench.Fill(ctx, mem, bench.Corpus{Seed: 1}, 0, facts, nil); err != nil {
				b.Fatal(err)
			}
			if err := mem.Drain(ctx); err != nil {
				b.Fatal(err)
			}
			questions := bench.Spread(bench.Corpus{Seed: 1}, facts, 1000)
			found, asked := 0, 0
			var whole, alone latencies
			for b.Loop() {
				s := questions[asked%len(questions)]
				asked++
				whole.time(func() {
					res, err := mem.Query(ctx, strata.Query{View: s.Scope.View(), Text: s.Question, Kinds: []strata.Kind{strata.KindFact}, Quiet: true})
					if err != nil {
						b.Fatal(err)
					}
					if len(res.Hits) > 0 && res.Hits[0].Text == s.Text {
						found++
					}
				})
			}
			for range min(asked, len(questions)) {
				alone.time(func() {
					if _, err := embedder.Embed(ctx, []string{questions[len(alone)].Question}); err != nil {
						b.Fatal(err)
					}
				})
			}
			whole.report(b)
			b.ReportMetric(float64(found)/float64(asked), "found@1")
			b.ReportMetric(float64(bench.PercentilesOf(alone).P50), "embed-p50-ns")
		})
	}
}

// scriptedModel is an embedder behind a server that runs until the benchmark ends.
func scriptedModel(b *testing.B, p scripted.Protocol) llm.Embedder {
	b.Helper()
	server, err := scripted.Start("", func(r scripted.Request) scripted.Reply {
		vectors := make([][]float32, len(r.Texts))
		for i, text := range r.Texts {
			vectors[i] = bagOfWords(text)
		}
		return scripted.Reply{Vectors: vectors}
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { server.Close() })
	if p == scripted.Ollama {
		client, err := ollama.New(ollama.Options{BaseURL: server.URL(p)})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { client.Close() })
		return client.Embedder("bag-of-words", modelDimensions)
	}
	client, err := openai.New(openai.Options{BaseURL: server.URL(p)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { client.Close() })
	return client.Embedder("bag-of-words", modelDimensions)
}

// modelDimensions are those of many small embedding models.
const modelDimensions = 768

// bagOfWords is a vector to which each word adds eight numbers.
func bagOfWords(text string) []float32 {
	v := make([]float32, modelDimensions)
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		h := fnv.New64a()
		h.Write([]byte(word))
		for bits := h.Sum64(); bits > 0; bits >>= 8 {
			v[bits%modelDimensions] += float32(int(bits>>7&1))*2 - 1
		}
	}
	return v
}
