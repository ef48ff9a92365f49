package recall

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/salience"
)

var vocabulary = strings.Fields("tea green shop morning cat door office what is the of paris 2023 may 猫 v1.2 Ana Ben plays")

func sentence(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, 8).Draw(t, label), " ")
}

func vectorOf(t *rapid.T, label string) []float32 {
	return rapid.SliceOfN(rapid.Float32Range(-1, 1), 4, 4).Draw(t, label)
}

// world is what a memory is made of, in an order that storing may change.
type world struct {
	facts   []strata.Fact
	turns   []strata.Turn
	pages   []strata.Document // whose content is the text of a section a line
	vectors map[string][]float32
}

func drawWorld(t *rapid.T) world {
	w := world{vectors: make(map[string][]float32)}
	for i := range rapid.IntRange(0, 12).Draw(t, "facts") {
		id := fmt.Sprintf("f%d", i)
		w.facts = append(w.facts, strata.Fact{
			ID: id, Scope: global, Category: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "category"),
			Text: sentence(t, "text") + " " + id, RecordedAt: noon.Add(-time.Duration(i) * time.Hour),
			Accesses: rapid.IntRange(0, 20).Draw(t, "accesses"), LastAccess: noon,
		})
		w.vectors[id] = vectorOf(t, "vector")
	}
	for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
		id := fmt.Sprintf("t%d", i)
		w.turns = append(w.turns, strata.Turn{
			ID: id, Scope: global, Session: fmt.Sprint("s", i%2), Seq: int64(i/2 + 1),
			Speaker: rapid.SampledFrom([]string{"", "Ana", "Ben"}).Draw(t, "speaker"),
			Text:    sentence(t, "text") + rapid.SampledFrom([]string{"?", "."}).Draw(t, "end") + id,
			At:      noon.Add(-time.Duration(100+i) * time.Hour),
		})
		w.vectors[id] = vectorOf(t, "vector")
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "documents") {
		d := strata.Document{ID: fmt.Sprint("d", i), Scope: global, Path: fmt.Sprintf("notes/project_n%d.md", i), Type: strata.TypeProject,
			Name: sentence(t, "name"), ModifiedAt: noon.Add(-time.Duration(i) * time.Hour)}
		var lines []string
		for j := range rapid.IntRange(1, 5).Draw(t, "sections") {
			line := fmt.Sprintf("%s d%d s%d", sentence(t, "text"), i, j)
			lines = append(lines, line)
			w.vectors[line] = vectorOf(t, "vector")
		}
		d.Content = strings.Join(lines, "\n")
		w.pages = append(w.pages, d)
	}
	return w
}

// stored puts the world into a memory in the order of a seed.
func (w world) stored(seed uint64) *memory {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &memory{}
	for _, i := range r.Perm(len(w.facts) + len(w.turns) + len(w.pages)) {
		turns := i - len(w.facts)
		pages := turns - len(w.turns)
		switch {
		case turns < 0:
			m.fact(w.facts[i], w.vectors[w.facts[i].ID])
		case pages < 0:
			m.turn(w.turns[turns], w.vectors[w.turns[turns].ID])
		default:
			d := w.pages[pages]
			m.document(d, strings.Split(d.Content, "\n"), func(s string) []float32 { return w.vectors[s[strings.LastIndex(s, "\n")+1:]] })
		}
	}
	return m
}

func find(t *rapid.T, m *memory, question string, v []float32) Ranking {
	return findBy(t, m, strata.Query{View: global.View(), Text: question, Limit: 30}, v)
}

// findAll is find without the floor.
func findAll(t *rapid.T, m *memory, question string, v []float32) Ranking {
	return findBy(t, m, strata.Query{View: global.View(), Text: question, Limit: 30, All: true}, v)
}

func findBy(t rapid.TB, m *memory, q strata.Query, v []float32) Ranking {
	r, err := Find(context.Background(), m, Request{
		Query:    q,
		Analysis: analyze(q.Text), Model: fakeModel, Vector: v, Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestScoresAreBoundedAndComponentsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := findAll(t, drawWorld(t).stored(0), sentence(t, "question"), vectorOf(t, "asked"))
		for _, h := range r.Hits {
			w := h.Why
			sum := w.Words + w.Vector + w.Around + w.Parent + w.Recency + w.Salience + w.Order
			if math.Abs(sum-h.Score) > 1e-12 {
				t.Fatalf("components %+v add up to %v, score %v", w, sum, h.Score)
			}
			for _, c := range []float64{h.Score, w.Words, w.Vector, w.Around, w.Parent, w.Recency, w.Salience} {
				if !(c >= 0 && c <= 1) {
					t.Fatalf("%v is outside [0,1]: %+v", c, h)
				}
			}
			if h.Tier < 1 || h.Tier > 3 {
				t.Fatalf("tier %d", h.Tier)
			}
		}
		ids := make(map[string]bool)
		for _, h := range r.Hits {
			if ids[h.ID] {
				t.Fatalf("%s comes twice", h.ID)
			}
			ids[h.ID] = true
		}
	})
}

func TestWeightsAddUpToOneAtMost(t *testing.T) {
	w := DefaultWeights()
	statement := max(w.People.Statement, w.Assistant.Statement)
	if sum := w.Words + w.Parent + max(w.Recency, w.Time) + statement + w.When + salience.MaxBonus; sum > 1 {
		t.Errorf("weights add up to %v", sum)
	}
	if w.Vector+w.Unmatched > w.Words {
		t.Errorf("vectors weigh up to %v, words %v", w.Vector+w.Unmatched, w.Words)
	}
}

func TestTheOrderOfStorageDoesNotChangeTheRanking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		question, v := sentence(t, "question"), vectorOf(t, "asked")
		ids := func(r Ranking) (out []string) {
			for _, h := range r.Hits {
				out = append(out, h.ID)
			}
			return out
		}
		// More than there are: of equals at a cut some must be left out.
		q := strata.Query{View: global.View(), Text: question, Limit: 60, All: true}
		a := ids(findBy(t, w.stored(1), q, v))
		b := ids(findBy(t, w.stored(rapid.Uint64().Draw(t, "order")), q, v))
		if !slices.Equal(a, b) {
			t.Fatalf("%q asked for %q, %q in another order", a, question, b)
		}
	})
}

// Accesses change a score by no more than the bound of the bonus.
func TestSalienceIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		question, v := sentence(t, "question"), vectorOf(t, "asked")
		scores := func() map[string]float64 {
			out := make(map[string]float64)
			for _, h := range findAll(t, w.stored(1), question, v).Hits {
				out[h.ID] = h.Score - h.Why.Order // what it has by itself, not by the place of another
			}
			return out
		}
		popular := scores()
		for i := range w.facts {
			w.facts[i].Accesses = 0
		}
		for id, plain := range scores() {
			if p, ok := popular[id]; ok && (p < plain || p > plain+salience.MaxBonus+1e-12) {
				t.Fatalf("%s scores %v, popular %v", id, plain, p)
			}
		}
	})
}

func TestWordsScoreGrowsWithWhatMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Float64Range(0.1, 50).Draw(t, "count")
		length := rapid.Float64Range(1, 1000).Draw(t, "length")
		mean := rapid.Float64Range(1, 100).Draw(t, "mean")
		s := saturate(count, length, mean, 0.9, 0.4)
		if !(s > 0 && s < 1) {
			t.Fatalf("saturate = %v", s)
		}
		if saturate(count+1, length, mean, 0.9, 0.4) <= s || saturate(count, length+1, mean, 0.9, 0.4) >= s {
			t.Fatalf("saturate does not rise with the count and fall with the length at %v", s)
		}
		n := rapid.Float64Range(1, 1e6).Draw(t, "n")
		df := rapid.Float64Range(0, n).Draw(t, "df")
		if v := idf(n, df); !(v > 0) || idf(n, df+1) >= v {
			t.Fatalf("idf(%v, %v) = %v", n, df, v)
		}
	})
}
