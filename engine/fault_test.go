package engine_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// The tests of this file are of faults of other memory systems and
// show that they do not happen here, from the engine down to the database.

// office is what else is known while one fact is looked for.
var office = []string{
	"The kitchen is cleaned on Fridays",
	"Lunch is served at noon in the canteen",
	"The build needs Go 1.26",
	"Staging runs on three small machines",
	"The office plant is called Tiger",
}

// saveAll saves texts into the global scope.
func saveAll(t *testing.T, e *engine.Engine, texts ...string) {
	t.Helper()
	for _, text := range texts {
		save(t, e, text)
	}
}

// found asks quietly and returns the hits, best first.
func found(t *testing.T, e *engine.Engine, q strata.Query) []strata.Hit {
	t.Helper()
	if len(q.View.Scopes) == 0 {
		q.View = strata.Global().View()
	}
	q.Quiet = true
	res, err := e.Query(context.Background(), q)
	if err != nil {
		t.Fatalf("query %q: %v", q.Text, err)
	}
	return res.Hits
}

// wantFirst fails the test unless a question finds the text before all others.
func wantFirst(t *testing.T, e *engine.Engine, question, want string) {
	t.Helper()
	hits := found(t, e, strata.Query{Text: question})
	if len(hits) == 0 || hits[0].Text != want {
		t.Errorf("%q finds %+v, want %q first", question, hits, want)
	}
}

// withAndWithoutVectors runs a test on an engine of each kind.
func withAndWithoutVectors(t *testing.T, test func(*testing.T, *engine.Engine)) {
	t.Run("with vectors", func(t *testing.T) { test(t, open(t)) })
	t.Run("by words", func(t *testing.T) {
		test(t, open(t, func(o *engine.Options) { o.Embedder = nil }))
	})
}

func TestOneFactIsFoundHoweverItIsAskedFor(t *testing.T) {
	const fact = "The billing service stores invoices in PostgreSQL 16."
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		saveAll(t, e, fact)
		saveAll(t, e, office...)
		for _, question := range []string{
			"billing invoices", "which database does the billing service use?", "where do we keep invoices",
			"PostgreSQL", "postgres", "INVOICE",
		} {
			wantFirst(t, e, question, fact)
		}
	})
}

func TestRecallsCarryTheirSession(t *testing.T) {
	e := open(t)
	ctx, view := context.Background(), strata.Global().View()
	saveAll(t, e, office...)
	for i, session := range []string{"monday", "tuesday"} {
		q := strata.Query{View: view, Text: "when is lunch", Session: session, Turn: int64(i + 3)}
		if _, err := e.Query(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	traces, err := e.Traces(ctx, view, store.TraceFilter{Session: "tuesday", Limit: 10})
	if err != nil || len(traces) != 1 {
		t.Fatalf("traces = %+v, %v", traces, err)
	}
	if tr := traces[0]; tr.Session != "tuesday" || tr.Turn != 4 || tr.Query != "when is lunch" || len(tr.Hits) == 0 {
		t.Errorf("trace = %+v", tr)
	}
}

// saveAtOnce saves texts from a goroutine each and counts the operations.
func saveAtOnce(t *testing.T, e *engine.Engine, texts []string) map[strata.Op]int {
	t.Helper()
	decisions := make([]strata.Decision, len(texts))
	var wg sync.WaitGroup
	for i, text := range texts {
		wg.Go(func() {
			var err error
			if decisions[i], err = e.Save(context.Background(), strata.Global(), text); err != nil {
				t.Errorf("save %q: %v", text, err)
			}
		})
	}
	wg.Wait()
	ops := make(map[strata.Op]int)
	for _, d := range decisions {
		ops[d.Op]++
	}
	return ops
}

func TestConcurrentSavesAreDecidedOneAfterTheOther(t *testing.T) {
	t.Run("one text", func(t *testing.T) {
		e := open(t)
		ops := saveAtOnce(t, e, slices.Repeat([]string{"The lamp is green"}, 8))
		if ops[strata.OpAdd] != 1 || ops[strata.OpNoop] != 7 {
			t.Errorf("operations = %v", ops)
		}
		healthy(t, e)
	})
	t.Run("one slot", func(t *testing.T) {
		e := open(t)
		var texts []string
		for _, name := range []string{"Ana", "Ben", "Cleo", "Dora", "Emil", "Finn", "Gwen", "Hugo"} {
			texts = append(texts, "My name is "+name)
		}
		ops := saveAtOnce(t, e, texts)
		if ops[strata.OpAdd] != 1 || ops[strata.OpSupersede] != 7 {
			t.Errorf("operations = %v", ops)
		}
		all, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{Retired: true})
		if err != nil || len(all) != 8 || len(current(t, e, strata.Global())) != 1 {
			t.Fatalf("%d facts are kept, %q current, %v", len(all), current(t, e, strata.Global()), err)
		}
		before := make(map[string]bool)
		for _, f := range all {
			before[f.Supersedes] = true
		}
		if len(before) != 8 { // seven predecessors, and none for the first
			t.Errorf("the chain has %d links of 8", len(before))
		}
		healthy(t, e)
	})
}

func TestTheOldestOfManyIsFound(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		const oldest = "The spare key hangs behind the fuse box"
		save(t, e, oldest)
		var later []strata.Candidate
		for i := range 300 {
			later = append(later, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", i, 7*i)})
		}
		if _, err := e.WriteBatch(context.Background(), later); err != nil {
			t.Fatal(err)
		}
		wantFirst(t, e, "where is the spare key?", oldest)
	})
}

// movable is a clock that stands until it is moved.
type movable struct{ unix atomic.Int64 }

func (m *movable) now() time.Time { return time.Unix(m.unix.Load(), 0).UTC() }

func TestRecencyDecays(t *testing.T) {
	ctx := context.Background()
	var clock movable
	clock.unix.Store(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Unix())
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), &sqlite.Options{Now: clock.now})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, st, &engine.Options{Now: clock.now})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	save(t, e, "The build needs Go 1.26")
	for range 3 {
		if _, err := e.Recall(ctx, strata.Global().View(), "build"); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	fresh := found(t, e, strata.Query{Text: "build"})[0].Why
	clock.unix.Add(int64((300 * 24 * time.Hour).Seconds()))
	idle := found(t, e, strata.Query{Text: "build"})[0].Why
	// The half-life of a project's fact is 90 days.
	if want := fresh.Salience * math.Exp2(-300.0/90); fresh.Salience <= 0 || math.Abs(idle.Salience-want) > 1e-6 {
		t.Errorf("salience was %v and is %v after 300 idle days, want %v", fresh.Salience, idle.Salience, want)
	}
	if want := fresh.Recency * math.Exp2(-300.0/90); fresh.Recency <= 0 || math.Abs(idle.Recency-want) > 1e-6 {
		t.Errorf("recency was %v and is %v after 300 days, want %v", fresh.Recency, idle.Recency, want)
	}
}

func TestPopularityNeverBeatsAClearlyBetterMatch(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		const right = "The production deploy command is make ship"
		saveAll(t, e, right, "The production team has lunch at one")
		saveAll(t, e, office...)
		for range 20 {
			if _, err := e.Recall(context.Background(), strata.Global().View(), "when does the team have lunch"); err != nil {
				t.Fatal(err)
			}
		}
		if err := e.Drain(context.Background()); err != nil {
			t.Fatal(err)
		}
		hits := found(t, e, strata.Query{Text: "production deploy command", All: true})
		if len(hits) < 2 || hits[0].Text != right || hits[1].Why.Salience <= hits[0].Why.Salience {
			t.Errorf("hits = %+v", hits)
		}
	})
}

func TestASmallCategoryIsNotStarvedByNearerFacts(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		for i := range 60 {
			write(t, e, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Green tea number %d is on the list", i), Category: "tea"})
		}
		write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The door is green", Category: "garden"})
		hits := found(t, e, strata.Query{Text: "green tea number", Category: "garden", Limit: 3, All: true})
		if len(hits) != 1 || hits[0].Text != "The door is green" {
			t.Errorf("hits = %+v", hits)
		}
		if hits := found(t, e, strata.Query{Text: "green tea number", Category: "tea", Limit: 20}); len(hits) != 20 {
			t.Errorf("%d hits of 20", len(hits))
		}
	})
}

// scaled is an embedder whose vectors are not of unit length.
type scaled struct {
	llm.Embedder
	by float32
}

func (s scaled) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := s.Embedder.Embed(ctx, texts)
	for _, v := range vectors {
		for i := range v {
			v[i] *= s.by
		}
	}
	return vectors, err
}

func TestTheLengthOfVectorsDoesNotMatter(t *testing.T) {
	texts := append([]string{"My cat's name is Whiskerino", "My kitten sleeps on the sofa"}, office...)
	var plain, long []strata.Hit
	var categories [2][]strata.Category
	for i, by := range []float32{1, 7} {
		e := open(t, func(o *engine.Options) { o.Embedder = scaled{builtin.New(), by} })
		saveAll(t, e, texts...)
		var err error
		if categories[i], err = e.Categories(context.Background(), strata.Global().View()); err != nil {
			t.Fatal(err)
		}
		plain, long = long, found(t, e, strata.Query{Text: "cats"})
	}
	if len(plain) == 0 || len(plain) != len(long) {
		t.Fatalf("%d hits with unit vectors, %d with long ones", len(plain), len(long))
	}
	for i := range plain {
		if a, b := plain[i], long[i]; a.Text != b.Text || math.Abs(a.Why.Vector-b.Why.Vector) > 1e-4 {
			t.Errorf("hit %d is %q (%v), with long vectors %q (%v)", i, a.Text, a.Why, b.Text, b.Why)
		}
	}
	if !slices.Equal(categories[0], categories[1]) {
		t.Errorf("categories are %v, with long vectors %v", categories[0], categories[1])
	}
}

func TestExtractionReadsTheWholeSession(t *testing.T) {
	e := open(t)
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("Line %d of the log says %s", i, strings.Repeat("nothing of note ", 20)))
	}
	said := map[int]string{0: "Whiskerino", 100: "Lisbon", 198: "peanuts"} // turns of the user have even numbers
	lines[0] = "My cat's name is Whiskerino"
	lines[100] = "I live in Lisbon"
	lines[198] = strings.Repeat("Nothing of note happened there. ", 1500) + "I'm allergic to peanuts." // in one long turn
	appendTurns(t, e, "long", talk(lines...))
	if _, err := e.Extract(context.Background(), strata.Global(), "long"); err != nil {
		t.Fatal(err)
	}
	learned := strings.Join(current(t, e, strata.Global()), "\n")
	for turn, word := range said {
		if !strings.Contains(learned, word) {
			t.Errorf("nothing of turn %d was learnt: %q is not in %q", turn, word, learned)
		}
	}
}
