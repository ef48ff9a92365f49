package engine_test

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/topics"
)

// topicFacts reads facts of known topics, which were written for this test, English
// and German.
func topicFacts(t *testing.T) (facts []string, topic map[string]string) {
	t.Helper()
	content, err := os.ReadFile("testdata/topics.tsv")
	if err != nil {
		t.Fatal(err)
	}
	topic = make(map[string]string)
	for line := range strings.Lines(string(content)) {
		if name, fact, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			facts = append(facts, fact)
			topic[fact] = name
		}
	}
	return facts, topic
}

// coherence says how well categories agree with topics.
type coherence struct {
	categories, single, unsorted int
	purity                       float64 // part of the facts that are of the main topic of their category
	recall                       float64 // part of the pairs of one topic that are in one category
}

func coherenceOf(t *testing.T, e *engine.Engine, topic map[string]string) coherence {
	t.Helper()
	facts, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	groups := make(map[string]map[string]int) // topics of each category
	size := make(map[string]int)
	of := make(map[string]int) // facts of each topic
	for _, f := range facts {
		if groups[f.Category] == nil {
			groups[f.Category] = make(map[string]int)
		}
		groups[f.Category][topic[f.Text]]++
		size[f.Category]++
		of[topic[f.Text]]++
	}
	pairs := func(n int) float64 { return float64(n*(n-1)) / 2 }
	c := coherence{categories: len(groups), unsorted: size[topics.Unsorted]}
	both, all := 0.0, 0.0
	for name, topics := range groups {
		most := 0
		for _, n := range topics {
			most = max(most, n)
			both += pairs(n)
		}
		c.purity += float64(most) / float64(len(facts))
		if size[name] == 1 {
			c.single++
		}
	}
	for _, n := range of {
		all += pairs(n)
	}
	c.recall = both / all
	return c
}

// Facts of ten topics, in several orders and at once or one by one, come into
// about as many categories, which hold little else and are hardly ever of one fact.
func TestCategoriesAreCoherent(t *testing.T) {
	facts, topic := topicFacts(t)
	for _, tt := range []struct {
		name       string
		seed       uint64
		atOnce     bool
		facts      int
		purity     float64
		recall     float64
		categories int
		single     int
	}{
		{"at once", 1, true, 80, 0.80, 0.60, 14, 1},
		{"in another order", 2, true, 80, 0.80, 0.60, 14, 1},
		{"one by one", 3, false, 80, 0.78, 0.58, 16, 3},
		{"some of them", 4, false, 40, 0.75, 0.50, 14, 3},
	} {
		e := open(t)
		order := append([]string(nil), facts...)
		rand.New(rand.NewPCG(tt.seed, 0)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		order = order[:tt.facts]
		if tt.atOnce {
			var batch []strata.Candidate
			for _, f := range order {
				batch = append(batch, strata.Candidate{Scope: strata.Global(), Content: f})
			}
			if _, err := e.WriteBatch(context.Background(), batch); err != nil {
				t.Fatal(err)
			}
		} else {
			for _, f := range order {
				save(t, e, f)
				drain(t, e)
			}
		}
		drain(t, e)
		c := coherenceOf(t, e, topic)
		t.Logf("%s: %+v", tt.name, c)
		if c.purity < tt.purity || c.recall < tt.recall || c.categories > tt.categories || c.single > tt.single || c.unsorted > tt.facts/10 {
			t.Errorf("%s: %+v, want purity %v, recall %v, at most %d categories and %d of one fact", tt.name, c, tt.purity, tt.recall, tt.categories, tt.single)
		}
		healthy(t, e)
	}
}

// A subject of which the program knows no words gets a category of its own, named
// by a word of its facts, as do the parts of one that holds too much.
func TestCategoriesAreNamedByWhatTheirFactsShare(t *testing.T) {
	e := open(t)
	var batch []strata.Candidate
	for _, f := range []string{
		"Vorbex raktu ilgem", "Vorbex raktu sonduri", "Hestal vorbex raktu", "Mubbari vorbex raktu", "My cat is called Mila", "The dog sleeps in the hall", "Our hamster escaped",
		"Tomatoes are planted in May", "The lawn is mowed on Saturdays", "Tulips bloom in April", "Quandil emsorri",
		"The roses are pruned", "The vet is nice", "The hedge is cut", "The parrot sings", "The compost is warm",
	} {
		batch = append(batch, strata.Candidate{Scope: strata.Global(), Content: f})
	}
	if _, err := e.WriteBatch(context.Background(), batch); err != nil {
		t.Fatal(err)
	}
	drain(t, e)
	if got := listed(t, e); got["raktu"].Facts+got["vorbex"].Facts != 4 || got["pets"].Facts != 5 || got["garden"].Facts != 6 || got[topics.Unsorted].Facts != 1 {
		t.Errorf("categories %v", got)
	}
}
