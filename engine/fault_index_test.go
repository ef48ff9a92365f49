package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// More faults of other memory systems: of the index and of what it costs.

func TestAccentsAndScriptsWithoutSpacesAreFound(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		saveAll(t, e, "Ana lives in Málaga", "会議は毎週月曜日です", "猫の名前はタマです", "Встреча будет в среду")
		saveAll(t, e, office...)
		for question, want := range map[string]string{
			"malaga": "Ana lives in Málaga", "MÁLAGA": "Ana lives in Málaga", "会議はいつ": "会議は毎週月曜日です",
			"猫": "猫の名前はタマです", "月曜": "会議は毎週月曜日です", "ВСТРЕЧА": "Встреча будет в среду",
		} {
			wantFirst(t, e, question, want)
		}
	})
}

// categories returns the categories of the global scope by name.
func categories(t *testing.T, e *engine.Engine) map[string]int64 {
	t.Helper()
	list, err := e.Categories(context.Background(), strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]int64)
	for _, c := range list {
		out[c.Name] += c.Facts
	}
	return out
}

func TestCategoriesCountWhatTheyHold(t *testing.T) {
	e := open(t)
	want := func(when string, n int64) {
		t.Helper()
		got := categories(t, e)
		if n == 0 && len(got) != 0 || n > 0 && (len(got) != 1 || got["cats"] != n) {
			t.Errorf("%s: %v, want %d in cats", when, got, n)
		}
	}
	c := strata.Candidate{Scope: strata.Global(), Content: "The cat sleeps all day", Category: "cats"}
	d := write(t, e, c)
	want("after a save", 1)
	for range 3 {
		write(t, e, c)
	}
	want("after saving the same again", 1)
	for _, text := range []string{"The cat sleeps all night", "The cat sleeps all day"} {
		write(t, e, strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: text})
	}
	want("after updates", 1)
	del := write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: d.FactID})
	want("after a delete", 0)
	if _, err := e.Revert(context.Background(), strata.Global().View(), del.ID, engine.RevertOptions{}); err != nil {
		t.Fatal(err)
	}
	want("after its revert", 1)
	if _, err := e.Reindex(context.Background(), nil, nil); err != nil {
		t.Fatal(err)
	}
	want("after reindexing", 1)
	if _, err := e.Forget(context.Background(), strata.Global().View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	want("after it was forgotten", 0)
	healthy(t, e)
}

func TestStoringAndCategorizingAreOneTransaction(t *testing.T) {
	e := open(t)
	_, err := e.WriteBatch(context.Background(), []strata.Candidate{
		{Scope: strata.Global(), Content: "The cat sleeps all day", Category: "cats"},
		{Scope: strata.Global(), Content: "An update of nothing", Target: "fact_missing"},
	})
	wantCode(t, err, strata.CodeNotFound)
	if got := categories(t, e); len(got) != 0 {
		t.Errorf("categories of facts that are not there: %v", got)
	}
	healthy(t, e)
}

func TestCategoriesAreFew(t *testing.T) {
	e := open(t)
	const facts = 90
	subjects := []string{"granite", "violin", "harbor", "yeast", "comet", "saddle", "ledger", "orchid", "turbine", "lantern"}
	for i := range facts {
		// Every text is about something else.
		save(t, e, fmt.Sprintf("The %s%c has %c%ced", subjects[i%10], 'a'+i/10, 'b'+i/10, 'c'+i%10))
	}
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	got := categories(t, e)
	var total int64
	for _, n := range got {
		total += n
	}
	if len(got) > 20 || len(got) < 2 || total != facts {
		t.Errorf("%d categories of %d facts: %v", len(got), total, got)
	}
	listed, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{})
	if err != nil || len(listed) != facts {
		t.Fatalf("%d facts, %v", len(listed), err)
	}
	for _, f := range listed {
		got[f.Category]--
	}
	for name, n := range got {
		if n != 0 {
			t.Errorf("category %q and the facts differ by %d", name, n)
		}
	}
	healthy(t, e)
}

func TestAQuestionIsNotOnePhrase(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		const fact = "The billing service stores invoices in PostgreSQL"
		saveAll(t, e, fact)
		saveAll(t, e, office...)
		// Of Bob nothing is known, so that the fact is no answer; it comes nearest.
		hits := found(t, e, strata.Query{Text: "what does Bob use for postgresql", All: true})
		if len(hits) == 0 || hits[0].Text != fact {
			t.Errorf("hits = %+v", hits)
		}
	})
}

func TestOtherScopesDoNotStarveARecall(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		theirs, mine := strata.ForAgent("theirs"), strata.ForAgent("mine")
		var crowd []strata.Candidate
		for i := range 200 {
			crowd = append(crowd, strata.Candidate{Scope: theirs, Content: fmt.Sprintf("The green tea of day %d was good", i)})
		}
		if _, err := e.WriteBatch(context.Background(), crowd); err != nil {
			t.Fatal(err)
		}
		write(t, e, strata.Candidate{Scope: mine, Content: "I drink tea with milk"})
		hits := found(t, e, strata.Query{View: strata.View{Scopes: []strata.Scope{mine, strata.Global()}}, Text: "the green tea of day 7", Limit: 1, All: true})
		if len(hits) != 1 || hits[0].Scope != mine {
			t.Errorf("hits = %+v", hits)
		}
	})
}

func TestRecallEventsArePruned(t *testing.T) {
	e := open(t, func(o *engine.Options) { o.KeepRecalls = 5 })
	ctx, view := context.Background(), strata.Global().View()
	save(t, e, "The ferry leaves at six")
	for range 20 {
		if _, err := e.Recall(ctx, view, "when does the ferry leave"); err != nil {
			t.Fatal(err)
		}
		if err := e.Drain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	stats, err := e.Stats(ctx, view)
	if err != nil || stats[0].Recalls != 5 {
		t.Errorf("stats = %+v, %v", stats, err)
	}
	facts, err := e.Facts(ctx, view, strata.FactFilter{})
	if err != nil || facts[0].Accesses != 20 {
		t.Errorf("pruning changed the count of accesses: %+v, %v", facts, err)
	}
}

func TestMemoriesAreKeptOnce(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		first := save(t, e, "The ferry leaves at six")
		for _, again := range []string{"The ferry leaves at six", "  the FERRY leaves at six  ", "The ferry leaves at six."} {
			if d := save(t, e, again); d.Op != strata.OpNoop || d.FactID != first.FactID {
				t.Errorf("%q is %s of %s: %s", again, d.Op, d.FactID, d.Reason)
			}
		}
	})
}

func TestFailedEmbeddingsAreRetriedByTheNextProcess(t *testing.T) {
	ctx, db := context.Background(), filepath.Join(t.TempDir(), "strata.db")
	broken := openAt(t, db, func(o *engine.Options) {
		o.Embedder = &flaky{Embedder: builtin.New(), down: make(chan struct{})}
	})
	save(t, broken, "The heron nests by the mill")
	appendTurns(t, broken, "one", talk("We saw a heron"))
	if err := broken.Close(); err != nil {
		t.Fatal(err)
	}
	e := openAt(t, db)
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	stats, err := e.Stats(ctx, strata.Global().View())
	if err != nil || stats[0].Vectors != 2 || stats[0].Unembedded != 0 {
		t.Errorf("stats = %+v, %v", stats, err)
	}
}

// counted counts the reads that a query makes.
type counted struct {
	store.Store
	reads atomic.Int64
}

func (c *counted) View(ctx context.Context, fn func(store.Reader) error) error {
	return c.Store.View(ctx, func(r store.Reader) error { return fn(countedReader{r, &c.reads}) })
}

// countedReader counts the methods that recall reads passages and their texts with.
type countedReader struct {
	store.Reader
	reads *atomic.Int64
}

func (r countedReader) Fact(ctx context.Context, scopes []strata.Scope, id string) (strata.Fact, error) {
	r.reads.Add(1)
	return r.Reader.Fact(ctx, scopes, id)
}

func (r countedReader) Items(ctx context.Context, scope strata.Scope, numbers []int64) ([]store.Item, error) {
	r.reads.Add(1)
	return r.Reader.Items(ctx, scope, numbers)
}

func (r countedReader) Similarities(ctx context.Context, scope strata.Scope, model string, v []float32, numbers []int64) ([]float32, error) {
	r.reads.Add(1)
	return r.Reader.Similarities(ctx, scope, model, v, numbers)
}

func (r countedReader) PassagesAt(ctx context.Context, scope strata.Scope, places []store.Place, f store.Filter) ([]store.Meta, error) {
	r.reads.Add(1)
	return r.Reader.PassagesAt(ctx, scope, places, f)
}

func (r countedReader) Parents(ctx context.Context, scope strata.Scope, kind strata.Kind, numbers []int64) ([]store.ParentInfo, error) {
	r.reads.Add(1)
	return r.Reader.Parents(ctx, scope, kind, numbers)
}

func TestReadsDoNotGrowWithTheCandidates(t *testing.T) {
	ctx := context.Background()
	st, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := &counted{Store: st}
	e, err := engine.Open(ctx, c, &engine.Options{Embedder: builtin.New()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	// reads saves more facts that all match, and counts what one query reads.
	next := 0
	reads := func(facts int) int64 {
		var cs []strata.Candidate
		for range facts {
			next++
			cs = append(cs, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", next, 7*next)})
		}
		if _, err := e.WriteBatch(ctx, cs); err != nil {
			t.Fatal(err)
		}
		before := c.reads.Load()
		if hits := found(t, e, strata.Query{Text: "parcel shelf"}); len(hits) != 10 {
			t.Fatalf("%d hits", len(hits))
		}
		return c.reads.Load() - before
	}
	few, many := reads(20), reads(400)
	if few == 0 || many > few+5 {
		t.Errorf("%d reads among 20 facts, %d among 420", few, many)
	}
}
