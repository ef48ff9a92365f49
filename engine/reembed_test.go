package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

// known is a fact for each meaning, to be asked for in the other word: only
// vectors find it.
func known(i int) (fact, question string) {
	return fmt.Sprintf("Zorblat%c has a %s", 'a'+i, meanings[i][1]), meanings[i][0]
}

// furnish saves the facts of all meanings spread among fillers.
func furnish(t *testing.T, e *engine.Engine, fillers int) {
	t.Helper()
	var cs []strata.Candidate
	for i := range fillers {
		cs = append(cs, strata.Candidate{Scope: strata.Global(), Content: fmt.Sprintf("Parcel %d went to shelf %d", i, i*7919%10007)})
		if every := max(1, fillers/len(meanings)); i%every == 0 && i/every < len(meanings) {
			fact, _ := known(i / every)
			cs = append(cs, strata.Candidate{Scope: strata.Global(), Content: fact})
		}
	}
	for batch := range slices.Chunk(cs, 500) {
		if _, err := e.WriteBatch(context.Background(), batch); err != nil {
			t.Fatal(err)
		}
	}
}

// findable fails the test unless every meaning is found by vector.
func findable(t *testing.T, e *engine.Engine, when string) {
	t.Helper()
	for i := range meanings {
		fact, question := known(i)
		hits := found(t, e, strata.Query{Text: question, Limit: 3})
		if len(hits) == 0 || hits[0].Text != fact || hits[0].Why.Vector == 0 {
			t.Fatalf("%s %q finds %+v", when, question, hits)
		}
	}
}

// embedding returns how far the vectors are.
func embeddingOf(t *testing.T, e *engine.Engine) embedding.Report {
	t.Helper()
	r, err := e.Embedding(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func drain(t *testing.T, e *engine.Engine) {
	t.Helper()
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// closeNow closes an engine before its test ends.
func closeNow(t *testing.T, e *engine.Engine) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
}

// soon waits for what happens in the background without a signal, and fails the test if
// it does not.
func soon(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func home(t *testing.T) string { return filepath.Join(t.TempDir(), "strata.db") }

func TestNoQueryFindsLessWhileTheModelChanges(t *testing.T) {
	ctx := context.Background()
	old, next := newScripted("old", 96, 0.5), newScripted("next", 96, -0.5)
	next.gate = make(chan struct{})
	st, err := sqlite.Open(ctx, home(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open(ctx, &marked{st, t, map[string]float32{"old": 0.5, "next": -0.5}},
		&engine.Options{Embedder: old, EmbedTimeout: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	furnish(t, e, 1200)
	appendTurns(t, e, "one", talk("We went to the lake", "How nice"))
	findable(t, e, "before the change")
	if err := e.UseEmbedder(ctx, next); err != nil {
		t.Fatal(err)
	}
	steps := make(map[int64]bool)
	saved := false
	soon(t, "the new model serves", func() bool {
		select {
		case next.gate <- struct{}{}:
		default:
		}
		findable(t, e, "midway")
		r := embeddingOf(t, e)
		steps[r.Done] = true
		if r.Done > 0 && r.Target != "" && !saved {
			saved = true
			next.fail(down) // just now
			save(t, e, "Quibbly owns a fiddle")
			next.fail(nil)
			if hits := found(t, e, strata.Query{Text: "quibbly fiddle"}); len(hits) == 0 || hits[0].Why.Vector == 0 {
				t.Errorf("a fact of midway has no vector of the model that serves: %+v", hits)
			}
		}
		return e.Embedder() == "next"
	})
	findable(t, e, "after the change")
	if hits := found(t, e, strata.Query{Text: "quibbly fiddle"}); len(hits) == 0 || hits[0].Why.Vector == 0 {
		t.Errorf("a fact of midway has no vector of the new model: %+v", hits)
	}
	if len(steps) < 4 {
		t.Errorf("the change was seen at %v only", steps)
	}
	close(next.gate)
	drain(t, e)
	findable(t, e, "in the end")
	if r := embeddingOf(t, e); r.Serving != "next" || r.Target != "" || r.Stale != 0 || !r.ServingReady {
		t.Errorf("in the end: %+v", r)
	}
	stats, err := e.Stats(ctx, strata.Global().View())
	if err != nil || stats[0].Vectors != stats[0].Facts+stats[0].Turns || stats[0].Unembedded != 0 {
		t.Errorf("vectors of one model: %+v, %v", stats, err)
	}
	wantEvent(t, st, strata.EventModelWanted)
	wantEvent(t, st, strata.EventModelSwitched)
	healthy(t, e)
}

// wantEvent fails the test unless the diary holds a kind of event once.
func wantEvent(t *testing.T, st store.Store, kind string) {
	t.Helper()
	n := 0
	err := st.View(context.Background(), func(r store.Reader) error {
		list, err := r.Events(context.Background(), strata.Global(), 0, 10_000)
		for _, ev := range list {
			if ev.Kind == kind {
				n++
			}
		}
		return err
	})
	if err != nil || n != 1 {
		t.Errorf("%d events %s, want 1, %v", n, kind, err)
	}
}

func TestWithoutTheOldEmbedderAQuerySaysHowFarTheNewVectorsAre(t *testing.T) {
	db := home(t)
	first := openAt(t, db, with(newScripted("old", 96, 1)))
	furnish(t, first, 600)
	closeNow(t, first)

	next := newScripted("next", 64, 1)
	next.gate = make(chan struct{})
	e := openAt(t, db, with(next), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	next.oneBatch()
	res, err := e.Recall(context.Background(), strata.Global().View(), "parcel 7 shelf")
	if err != nil || len(res.Hits) == 0 || res.Embedder != builtin.Model {
		t.Fatalf("by what is kept in addition to the models: %+v, %v", res, err)
	}
	note := strings.Join(res.Notes, "\n")
	for _, part := range []string{"words and the built-in embedder", "model old", "model next", "256 of 610"} {
		if !strings.Contains(note, part) {
			t.Errorf("note %q does not say %q", note, part)
		}
	}
	if r := embeddingOf(t, e); r.ServingReady || !r.TargetReady || r.Since == nil {
		t.Errorf("report: %+v", r)
	}
	d := save(t, e, "Quibbly owns a fiddle")
	if len(d.Notes) == 0 {
		t.Error("a fact without a vector does not say so")
	}
	close(next.gate)
	drain(t, e)
	findable(t, e, "after the change")
	healthy(t, e)
}

func TestBackToTheOldModelMidwayFindsEverything(t *testing.T) {
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	next.gate = make(chan struct{})
	e := open(t, with(old), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	furnish(t, e, 600)
	if err := e.UseEmbedder(context.Background(), next); err != nil {
		t.Fatal(err)
	}
	next.oneBatch()
	if err := e.UseEmbedder(context.Background(), old); err != nil {
		t.Fatal(err)
	}
	if r := embeddingOf(t, e); r.Serving != "old" || r.Target != "" {
		t.Errorf("report: %+v", r)
	}
	findable(t, e, "back midway")
	made := old.texts.Load()
	close(next.gate)
	drain(t, e)
	findable(t, e, "after all is done")
	if r := embeddingOf(t, e); r.Serving != "old" || r.Stale != 0 {
		t.Errorf("in the end: %+v", r)
	}
	if n := old.texts.Load() - made; n > int64(len(meanings)) { // the questions
		t.Errorf("%d texts were embedded again for the model that always served", n)
	}
	healthy(t, e)
}

func TestFromOneModelToAnotherToAThird(t *testing.T) {
	ctx, db := context.Background(), home(t)
	a, b, c := newScripted("a", 96, 1), newScripted("b", 64, 1), newScripted("c", 96, 1)
	b.gate = make(chan struct{})
	e := openAt(t, db, with(a), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	furnish(t, e, 600)
	if err := e.UseEmbedder(ctx, b); err != nil {
		t.Fatal(err)
	}
	b.oneBatch()
	if err := e.UseEmbedder(ctx, c); err != nil {
		t.Fatal(err)
	}
	close(b.gate)
	findable(t, e, "on the way to the third")
	drain(t, e)
	findable(t, e, "at the third")
	if r := embeddingOf(t, e); r.Serving != "c" || r.Target != "" || r.Stale != 0 {
		t.Errorf("report: %+v", r)
	}
	healthy(t, e)
}

func TestAnEmbedderThatFailsHalfWayIsTriedAgain(t *testing.T) {
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	e := open(t, with(old))
	furnish(t, e, 600)
	left := 1 // batches until it fails
	next.fail(func([]string) error {
		if left--; left < 0 {
			return errScripted
		}
		return nil
	})
	if err := e.UseEmbedder(context.Background(), next); err != nil {
		t.Fatal(err)
	}
	if err := e.Drain(context.Background()); err == nil {
		t.Error("nothing is said of an embedder that fails")
	}
	if r := embeddingOf(t, e); r.Serving != "old" || r.Done == 0 || r.Done == r.Total {
		t.Errorf("half-way: %+v", r)
	}
	findable(t, e, "half-way")
	healthy(t, e)
	next.fail(nil)
	drain(t, e)
	findable(t, e, "in the end")
	if e.Embedder() != "next" {
		t.Errorf("%s serves", e.Embedder())
	}
	for text, n := range next.seen {
		if n > 1 && !strings.Contains(text, "anybody") && !slices.ContainsFunc(meanings, func(m []string) bool { return m[0] == text }) {
			t.Errorf("%q was embedded %d times", text, n)
		}
	}
	healthy(t, e)
}

func TestAChangeOfModelGoesOnInTheNextProcess(t *testing.T) {
	db := home(t)
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	next.gate = make(chan struct{})
	first := openAt(t, db, with(next, old), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	closeNow(t, first)
	e := openAt(t, db, with(old))
	drain(t, e) // nothing is known yet, so it serves at once
	furnish(t, e, 900)
	closeNow(t, e)

	second := openAt(t, db, with(next, old), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	next.oneBatch()
	closeNow(t, second)
	made := next.texts.Load()
	if made != 256 {
		t.Fatalf("%d texts of the first process", made)
	}
	close(next.gate)
	third := openAt(t, db, with(next, old))
	drain(t, third)
	if n := next.texts.Load(); n != 910 {
		t.Errorf("%d texts were embedded for 910 passages", n)
	}
	findable(t, third, "after the restart")
	healthy(t, third)
}

func TestAPassageThatNoModelTakesKeepsNothingFromServing(t *testing.T) {
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	e := open(t, with(old))
	furnish(t, e, 300)
	long := "Quibbly owns " + strings.Repeat("a very long fiddle and ", 40) + "a bow"
	save(t, e, long)
	save(t, e, "The number thirteen is cursed here")
	next.fail(func(texts []string) error {
		for _, t := range texts {
			if len(t) > 400 {
				return fmt.Errorf("the input length exceeds the context length")
			}
			if strings.Contains(t, "cursed") {
				return fmt.Errorf("internal server error")
			}
		}
		return nil
	})
	if err := e.UseEmbedder(context.Background(), next); err != nil {
		t.Fatal(err)
	}
	drain(t, e)
	if e.Embedder() != "next" {
		t.Errorf("%s serves: %+v", e.Embedder(), embeddingOf(t, e))
	}
	findable(t, e, "with one passage short")
	if hits := found(t, e, strata.Query{Text: "the long fiddle of quibbly"}); len(hits) == 0 || hits[0].Text != long || hits[0].Why.Vector == 0 {
		t.Errorf("the long text has no vector of its beginning: %+v", hits)
	}
	wantFirst(t, e, "number thirteen", "The number thirteen is cursed here")
	healthy(t, e)
}

func TestTwoProcessesWithTwoModels(t *testing.T) {
	ctx, db := context.Background(), home(t)
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	mine := openAt(t, db, with(old))
	furnish(t, mine, 300)

	// The newest target holds, and the process before it follows.
	theirs := openAt(t, db, with(next, old))
	drain(t, theirs)
	findable(t, theirs, "in the process that wished")
	res, err := mine.Recall(ctx, strata.Global().View(), "parcel 7 shelf")
	if err != nil || len(res.Hits) == 0 || res.Embedder != builtin.Model || !strings.Contains(strings.Join(res.Notes, " "), "model next") {
		t.Errorf("the other process mixes models or says nothing: %+v, %v", res, err)
	}
	// What it writes now is embedded by those who can.
	save(t, mine, "Quibbly owns a fiddle")
	if r := embeddingOf(t, mine); r.Serving != "next" || r.Target != "" || r.ServingReady {
		t.Errorf("report: %+v", r)
	}
	drain(t, theirs)
	if hits := found(t, theirs, strata.Query{Text: "quibbly fiddle"}); len(hits) == 0 || hits[0].Why.Vector == 0 {
		t.Errorf("what the other process wrote has no vector: %+v", hits)
	}
	// One that finds the new embedder goes on as before.
	other := openAt(t, db, with(old, next), func(o *engine.Options) { o.KeepModel = true })
	findable(t, other, "in a process that follows")
	if r := embeddingOf(t, other); r.Target != "" {
		t.Errorf("a process that follows has a target of its own: %+v", r)
	}
	healthy(t, theirs)
}

func TestTwoProcessesDoNotMakeTheSameVectorsTwice(t *testing.T) {
	db := home(t)
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	first := openAt(t, db, with(old))
	furnish(t, first, 900)
	closeNow(t, first)
	next.gate = make(chan struct{})
	one := openAt(t, db, with(next, old))
	next.gate <- struct{}{} // it has the walk
	two := openAt(t, db, with(next, old))
	close(next.gate)
	soon(t, "the new model serves", func() bool { return embeddingOf(t, two).Serving == "next" })
	if n := next.texts.Load(); n != 910 {
		t.Errorf("%d texts were embedded for 910 passages", n)
	}
	drain(t, one)
	drain(t, two)
	findable(t, two, "in the second process")
	healthy(t, one)
}

func TestReindexDropsNoVectorThatCannotBeMadeNow(t *testing.T) {
	ctx := context.Background()
	old := newScripted("old", 96, 1)
	e := open(t, with(old))
	furnish(t, e, 300)
	before, err := e.Stats(ctx, strata.Global().View())
	if err != nil {
		t.Fatal(err)
	}
	old.fail(down)
	report, err := e.Reindex(ctx, nil, nil)
	if err != nil || report.Passages != 310 || report.Vectors != 0 || report.Waiting != 310 {
		t.Errorf("report %+v, %v", report, err)
	}
	after, err := e.Stats(ctx, strata.Global().View())
	if err != nil || after[0].Vectors != before[0].Vectors {
		t.Errorf("%d vectors were there and %d are, %v", before[0].Vectors, after[0].Vectors, err)
	}
	healthy(t, e)
	old.fail(func(texts []string) error { // it answers questions, but makes no batches
		if len(texts) > 1 {
			return errScripted
		}
		return nil
	})
	soon(t, "the embedder is asked again", func() bool { return e.Embedder() == "old" && answers(e) })
	findable(t, e, "by the old vectors")
	old.fail(nil)
	drain(t, e)
	findable(t, e, "by the new vectors")
	if report, err := e.Reindex(ctx, nil, nil); err != nil || report.Vectors != 310 || report.Waiting != 0 {
		t.Errorf("report %+v, %v", report, err)
	}
	healthy(t, e)
}

// answers reports whether a question is asked by vector: after some failures
// in a row nobody waits for an embedder for a moment.
func answers(e *engine.Engine) bool {
	res, err := e.Query(context.Background(), strata.Query{View: strata.Global().View(), Text: "parcel", Quiet: true})
	return err == nil && res.Embedder == e.Embedder()
}

func TestForgottenMeanwhileIsForgottenInEveryModel(t *testing.T) {
	ctx := context.Background()
	old, next := newScripted("old", 96, 1), newScripted("next", 64, 1)
	next.gate = make(chan struct{})
	e := open(t, with(old), func(o *engine.Options) { o.EmbedTimeout = 100 * time.Millisecond })
	furnish(t, e, 600)
	d := save(t, e, "Quibbly owns a fiddle")
	if err := e.UseEmbedder(ctx, next); err != nil {
		t.Fatal(err)
	}
	next.oneBatch()
	if _, err := e.Forget(ctx, strata.Global().View(), d.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	close(next.gate)
	drain(t, e)
	if hits := found(t, e, strata.Query{Text: "quibbly"}); slices.ContainsFunc(hits, func(h strata.Hit) bool { return h.ID == d.FactID }) {
		t.Errorf("found again: %+v", hits)
	}
	healthy(t, e)
}

func TestUseEmbedder_RefusesWhatCannotServe(t *testing.T) {
	ctx := context.Background()
	e := open(t)
	wantCode(t, e.UseEmbedder(ctx, nil), strata.CodeInvalid)
	silent := &learning{scripted: newScripted("silent", 64, 1)}
	silent.fail(down)
	wantCode(t, e.UseEmbedder(ctx, silent), strata.CodeUnavailable)
	if r := embeddingOf(t, e); r.Target != "" {
		t.Errorf("wanted all the same: %+v", r)
	}
	silent.fail(nil)
	if err := e.UseEmbedder(ctx, silent); err != nil {
		t.Fatal(err)
	}
	save(t, e, "Tea is served at four")
	drain(t, e)
	if e.Embedder() != "silent" {
		t.Errorf("%s serves", e.Embedder())
	}
}

// learning is an embedder that knows how long its vectors are after the first.
type learning struct {
	*scripted
	asked bool
}

func (l *learning) Dimensions() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.asked {
		return 0
	}
	return l.dim
}

func (l *learning) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := l.scripted.Embed(ctx, texts)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = l.asked || err == nil
	return out, err
}

func TestAnEmbedderThatLearnsItsLengthLater(t *testing.T) {
	db := home(t)
	old := openAt(t, db, with(newScripted("old", 96, 1)))
	furnish(t, old, 300)
	closeNow(t, old)
	// The same name with another length: nobody can tell before it was asked.
	late := &learning{scripted: newScripted("old", 64, 1)}
	late.fail(down)
	e := openAt(t, db, with(late))
	if r := embeddingOf(t, e); r.Target != "" {
		t.Errorf("wanted before it answered: %+v", r)
	}
	wantFirst(t, e, "zorblata", "Zorblata has a cat")
	late.fail(nil)
	drain(t, e)
	findable(t, e, "with its new length")
	healthy(t, e)

	fresh := open(t, with(&learning{scripted: newScripted("late", 64, 1)}))
	furnish(t, fresh, 20)
	findable(t, fresh, "in a new home")
	healthy(t, fresh)
}

func TestAHomeFilledWithoutAnEmbedderIsEmbeddedByTheFirst(t *testing.T) {
	db := home(t)
	bare := openAt(t, db, func(o *engine.Options) { o.Embedder = nil })
	furnish(t, bare, 300)
	closeNow(t, bare)
	e := openAt(t, db, with(newScripted("first", 64, 1)))
	drain(t, e)
	findable(t, e, "after the first embedder came")
	healthy(t, e)
}
