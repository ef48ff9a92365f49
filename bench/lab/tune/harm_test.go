package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/bench/lab/generated"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// data is where the development data lies beside the project; LOCOMO names
// another place, as in the Makefile.
const data = "../../../../shared/data/locomo-dev.json"

// asked is the conversation that is asked, one of five to be quick: 150 of the
// 1,018 questions. docs/ranking.md has the figures of all.
const asked = "conv-26"

// Whatever a useless embedding model makes of texts, the ranking never falls below
// what it is without that model. There is no tolerance: where a model is not trusted
// the ranking is the same to the last bit, cosines of equal passages included. What
// says something of its own, and is believed, may harm a little at 10.
func TestNoModelMakesTheRankingWorse(t *testing.T) {
	c := development(t)
	want := figures(t, c, newEmbedder("builtin", c), builtin.New())
	t.Logf("without: %.4f", want.turns)
	models := []string{
		"random", "narrow", "constant", "long", // useless
		"hardly", "noisy", "mostly", // a part of what the built-in embedder knows
		"negated", "scaled", "shifted", // the built-in embedder in another guise
		"knowing",           // more, by nothing that words tell
		"short", "synonyms", // other cosines that agree with words
	}
	believed := map[string]bool{"short": true, "synonyms": true}
	if testing.Short() {
		models = []string{"random", "hardly", "negated", "synonyms"}
	}
	for _, name := range models {
		t.Run(name, func(t *testing.T) {
			got := figures(t, c, newEmbedder(name, c), builtin.New())
			t.Logf("with: %.4f", got.turns)
			for i, k := range bench.Cutoffs {
				least := want.turns[i]
				if believed[name] {
					if i != ten {
						continue
					}
					least -= harm
				}
				if got.turns[i] < least {
					t.Errorf("recall@%d is %.4f and %.4f without the model", k, got.turns[i], want.turns[i])
				}
			}
		})
	}
}

// harm is how much less a useless model may find at 10 on a collection.
const harm = 0.003

// help is how much more is found at 10, at least, where word vectors come beside an
// embedder that has none.
const help = 0.003

// On the generated collection, which needs no data, a model that knows nothing, says
// the same of everything or is wrong on purpose harms hardly, and one that is the
// built-in embedder in another guise not at all. What knows more than words of a
// poorer built-in embedder helps.
func TestModelsOnTheGeneratedCollection(t *testing.T) {
	dir := t.TempDir()
	if err := generated.Conversations(1).Write(dir); err != nil {
		t.Fatal(err)
	}
	c, err := bench.ReadBEIR(dir)
	if err != nil {
		t.Fatal(err)
	}
	earlier := builtin.Named(builtin.Earlier)
	without := figures(t, c, builtin.New(), builtin.New())
	poorer := figures(t, c, earlier, earlier)
	t.Logf("without: %.4f, and with the earlier embedder %.4f", without.turns, poorer.turns)
	for _, m := range []struct {
		name  string
		base  *builtin.Embedder
		least float64
	}{
		{"random", builtin.New(), without.turns[ten] - harm},
		{"constant", builtin.New(), without.turns[ten]},
		{"negated", builtin.New(), without.turns[ten]},
		{"opposed", builtin.New(), without.turns[ten] - harm},
		{"random", earlier, poorer.turns[ten] - harm},
		{"same", earlier, poorer.turns[ten] + help},
	} {
		if testing.Short() && m.name != "random" && m.name != "same" {
			continue
		}
		t.Run(m.name+" beside "+m.base.Model(), func(t *testing.T) {
			got := figures(t, c, newEmbedder(m.name, c), m.base)
			t.Logf("with: %.4f", got.turns)
			if got.turns[ten] < m.least {
				t.Errorf("recall@10 is %.4f, want %.4f", got.turns[ten], m.least)
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
	all, err := bench.ReadLoCoMo(path, false)
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
func figures(t *testing.T, c bench.Collection, emb llm.Embedder, base *builtin.Embedder) result {
	t.Helper()
	var out result
	err := openEvaluation(context.Background(), t.TempDir(), asked, c, emb, base, func(b *evaluation) error {
		rs, err := b.score(context.Background(), setting{Weights: recall.DefaultWeights()})
		out = mean(rs)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
