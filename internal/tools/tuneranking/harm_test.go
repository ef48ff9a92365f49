package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/recall"
)

// data is where the development data lies beside the project; LOCOMO names
// another place, as in the Makefile.
const data = "../../../../shared/data/locomo-dev.json"

// asked is the conversation that is asked, one of five to be quick: 150 of the
// 1,018 questions. docs/ranking.md has the figures of all.
const asked = "conv-26"

// Whatever an embedding model makes of texts, the ranking never falls below what
// it is without that model. There is no tolerance: where a model is not trusted
// the ranking is the same to the last bit, cosines of equal passages included.
func TestNoModelMakesTheRankingWorse(t *testing.T) {
	c := development(t)
	want := figures(t, c, newEmbedder("builtin", c))
	t.Logf("without: %.4f", want.turns)
	models := []string{
		"random", "narrow", "constant", "long", // useless
		"hardly", "noisy", "mostly", // a part of what the built-in embedder knows
		"negated", "scaled", "shifted", "short", // the built-in embedder in another guise
		"synonyms", "knowing", // more
	}
	if testing.Short() {
		models = []string{"random", "hardly", "negated", "synonyms"}
	}
	for _, name := range models {
		t.Run(name, func(t *testing.T) {
			got := figures(t, c, newEmbedder(name, c))
			t.Logf("with: %.4f", got.turns)
			for i, k := range bench.Cutoffs {
				if got.turns[i] < want.turns[i] {
					t.Errorf("recall@%d is %.4f and %.4f without the model", k, got.turns[i], want.turns[i])
				}
			}
		})
	}
}

// development reads the conversations that are asked, or skips the test.
func development(t *testing.T) bench.Collection {
	t.Helper()
	path := os.Getenv("LOCOMO")
	if path == "" {
		path = data
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the development data is not there: %s (see bench/README.md)", path)
	}
	all, err := bench.ReadLoCoMo(path)
	if err != nil {
		t.Fatal(err)
	}
	c := bench.Collection{Relevant: all.Relevant}
	for _, d := range all.Documents {
		if d.Scope == asked {
			c.Documents = append(c.Documents, d)
		}
	}
	for _, q := range all.Queries {
		if q.Scope == asked {
			c.Queries = append(c.Queries, q)
		}
	}
	return c
}

// figures asks every question with an embedder.
func figures(t *testing.T, c bench.Collection, emb llm.Embedder) result {
	t.Helper()
	var out result
	err := openEvaluation(context.Background(), t.TempDir(), asked, c, emb, func(b *evaluation) error {
		rs, err := b.score(context.Background(), setting{Weights: recall.DefaultWeights()})
		out = mean(rs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
