package bench_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// manyTopics are things that people keep in memory: each line a topic, things of it
// and after the bar what happens to them.
const manyTopics = `
cat dog hamster parrot goldfish rabbit | ran away, was taken to the vet, sleeps on the sofa, needs a new cage
oven casserole pancakes lasagne risotto curry | came out burnt, needs more salt, is for Sunday, tasted like at home
backache migraine allergy ankle eyesight asthma | got worse, was treated by the doctor, comes back in spring, needs a prescription
flight hotel passport suitcase ferry itinerary | was booked for Lisbon, was lost on the way, has to be changed, cost too much
mortgage salary pension budget dividend tax | went up, is due on the first, was settled with the bank, fell by a tenth
tomato rose hedge compost lawn orchard | has to be watered, suffered from the frost, was planted in May, attracts slugs
piano violin orchestra concert melody choir | was out of tune, begins at eight, was praised by the conductor, is practised daily
novel poem biography library chapter author | was read twice, is still unfinished, won a prize, was lent to a friend
exam thesis lecture teacher homework university | was harder than expected, starts in autumn, was handed in late, is about physics
football marathon tennis swimming goalkeeper bicycle | was cancelled because of rain, went to extra time, left bruises, is on Saturday
car tyre brake engine mechanic garage | makes a strange noise, was inspected, was paid in cash, lasted ten years
dress jacket shoes necklace scarf jeans | does not fit any more, was bought on sale, has a stain, goes with everything
film actor cinema sequel trailer documentary | was disappointing, won an Oscar, is shown on Friday, made everybody cry
chess poker console puzzle dungeon dice | was a birthday present, kept us up all night, has a missing piece, is for four players
church prayer sermon temple bible priest | was moved to the evening, comforted the parents, is in Latin, dates from 1720
election senator parliament referendum mayor vote | was close, was in the papers, divides the town, was counted again
wedding husband fiancée divorce anniversary marriage | was celebrated abroad, came as a surprise, cost the earth, is ten years ago
daughter nephew grandmother cousin twins uncle | moved to Oslo, has a fever, visits in June, looks like Grandpa
sofa bathroom plumber roof apartment wallpaper | was renovated, leaks again, was measured twice, is older than the house
rain thunderstorm snow fog hurricane forecast | surprised the hikers, lasted all week, was worse in the north, closed the airport
Python compiler refactoring parser TypeScript monorepo | broke the build, was reviewed by Ines, needs comments, is written by hand
Postgres index replica migration query schema | was slow on Monday, ran for an hour, is documented in the wiki, locks the table
Kubernetes deployment Docker rollback staging Terraform | failed twice, was automated, is owned by the platform team, takes nine minutes
outage alert latency incident dashboard uptime | woke the engineer, was caused by a certificate, is reported weekly, went unnoticed
password encryption firewall token phishing audit | was rotated, is checked every quarter, was found by the testers, expires soon
telescope molecule experiment galaxy laboratory physicist | was funded again, confirmed the theory, was described in Nature, needs helium
laptop printer router headphones smartphone keyboard | stopped working, was sent back, is under guarantee, needs a cable
boss colleague interview promotion résumé internship | was announced, went better than feared, was postponed, changed everything
painting sculpture gallery watercolor photograph pottery | hangs in the hall, was sold to a stranger, needs a frame, took two years
mountain campsite kayak trail waterfall tent | was reached at noon, was full of mosquitoes, is closed in winter, needs good shoes`

// topicStatements returns n statements on many topics, and every so often a question
// about one in other words.
func topicStatements(n int) (facts, questions []string) {
	r := rand.New(rand.NewPCG(21, 9))
	people := strings.Fields("Ada Ben Cleo Dan Eva Finn Gus Hana Ivo Jana Kai Lena Milo Nora Otto Pia Quin Rosa Sam Tess")
	months := strings.Fields("January February March April May June July August September October November December")
	lines := strings.Split(strings.TrimSpace(manyTopics), "\n")
	seen := make(map[string]bool)
	for len(facts) < n {
		things, events, _ := strings.Cut(lines[r.IntN(len(lines))], "|")
		words, happens := strings.Fields(things), strings.Split(events, ",")
		thing, event := words[r.IntN(len(words))], strings.TrimSpace(happens[r.IntN(len(happens))])
		who, other := people[r.IntN(len(people))], words[r.IntN(len(words))]
		f := fmt.Sprintf("The %s of %s %s in %s %d, and so did the %s", thing, who, event, months[r.IntN(12)], 1990+r.IntN(40), other)
		if seen[f] {
			continue
		}
		seen[f] = true
		if len(facts)%50 == 0 {
			questions = append(questions, fmt.Sprintf("What happened to %s's %s and the %s?", who, thing, other))
		}
		facts = append(facts, f)
	}
	return facts, questions
}

// topicHome fills a store with statements, and returns it with the engine over it.
func topicHome(t testing.TB, facts []string) (store.Store, *engine.Engine) {
	t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, db, &engine.Options{Embedder: builtin.New()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	for chunk := range slices.Chunk(facts, strata.MaxBatch) {
		var batch []strata.Candidate
		for _, f := range chunk {
			batch = append(batch, strata.Candidate{Scope: strata.Global(), Content: f})
		}
		if _, err := e.WriteBatch(ctx, batch); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	return db, e
}

// tierSearch looks for facts in the categories nearest to a question, or in all of
// them.
type tierSearch struct {
	e      *engine.Engine
	reader store.Reader
	number map[string]int64 // of each category
	size   map[string]int64
}

func newTierSearch(t testing.TB, e *engine.Engine, r store.Reader) tierSearch {
	t.Helper()
	parents, err := r.Parents(context.Background(), strata.Global(), strata.KindFact, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := tierSearch{e, r, make(map[string]int64), make(map[string]int64)}
	for _, p := range parents {
		s.number[p.Name], s.size[p.Name] = p.Number, p.Passages
	}
	return s
}

// near returns the categories nearest to a question, and how many facts they hold.
func (s tierSearch) near(t testing.TB, question string) (parents []int64, facts int64) {
	t.Helper()
	list, err := s.e.NearestCategories(context.Background(), strata.Global(), question, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		parents = append(parents, s.number[c.Name])
		facts += s.size[c.Name]
	}
	return parents, facts
}

func (s tierSearch) search(t testing.TB, v []float32, parents []int64) []store.Near {
	t.Helper()
	found, err := s.reader.Nearest(context.Background(), strata.Global(), builtin.Model, v, parents, store.Filter{Kinds: []strata.Kind{strata.KindFact}}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestTiersEarnTheirPlace compares the ten facts that are nearest inside the three
// nearest categories with the ten nearest of all, and the number of vectors that the
// two ways have to compare.
func TestTiersEarnTheirPlace(t *testing.T) {
	facts, questions := topicStatements(10_000)
	db, e := topicHome(t, facts)
	vectors, err := builtin.New().Embed(context.Background(), questions)
	if err != nil {
		t.Fatal(err)
	}
	err = db.View(context.Background(), func(r store.Reader) error {
		s := newTierSearch(t, e, r)
		var same, all, compared, best float64
		for i, q := range questions {
			flat := s.search(t, vectors[i], nil)
			parents, held := s.near(t, q)
			inside := s.search(t, vectors[i], parents)
			compared += float64(held) + float64(len(s.number))
			for j, f := range flat {
				found := slices.ContainsFunc(inside, func(n store.Near) bool { return n.Number == f.Number || n.Similarity == f.Similarity })
				if found {
					same++
				}
				if j == 0 && found {
					best++
				}
				all++
			}
		}
		n := float64(len(questions))
		inside, nearest, cost := same/all, best/n, compared/n/float64(len(facts))
		t.Logf("%d categories; of the ten nearest %.1f %% are inside the three nearest categories, of the nearest one %.1f %%; compared %.1f %% of the vectors",
			len(s.number), 100*inside, 100*nearest, 100*cost)
		if inside < 0.97 || nearest < 0.98 || cost > 0.12 {
			t.Errorf("inside %.3f, nearest %.3f, cost %.3f", inside, nearest, cost)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkTiers takes the time of both ways.
func BenchmarkTiers(b *testing.B) {
	facts, questions := topicStatements(10_000)
	db, e := topicHome(b, facts)
	vectors, err := builtin.New().Embed(context.Background(), questions)
	if err != nil {
		b.Fatal(err)
	}
	err = db.View(context.Background(), func(r store.Reader) error {
		s := newTierSearch(b, e, r)
		b.Run("flat", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.search(b, vectors[i%len(vectors)], nil)
			}
		})
		parents := make([][]int64, len(questions))
		for i, q := range questions {
			parents[i], _ = s.near(b, q)
		}
		b.Run("inside", func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.search(b, vectors[i%len(vectors)], parents[i%len(parents)])
			}
		})
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}
