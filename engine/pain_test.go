package engine_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/llm/builtin"
)

// The tests of this file are of what users of other memory systems
// complain about most.

func TestWhatIsKnownIsNotLearnedAgain(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	appendTurns(t, e, "one", talk("My cat's name is Whiskerino", "Noted: your cat's name is Whiskerino."))
	if _, err := e.Extract(ctx, strata.Global(), "one"); err != nil {
		t.Fatal(err)
	}
	before := current(t, e, strata.Global())
	if len(before) != 1 {
		t.Fatalf("facts = %q", before)
	}
	for i, said := range []string{
		"My cat's name is Whiskerino",
		"<recalled-memory>\n" + before[0] + "\nThe user's dog is named John Doe.\n</recalled-memory>\nThanks!",
		"Relevant memories:\n- " + before[0] + "\n- The user works at Acme\n\nGo on.",
	} {
		session := fmt.Sprintf("again-%d", i)
		appendTurns(t, e, session, talk(said, "As I recall, you work at Acme and "+before[0]))
		if _, err := e.Extract(ctx, strata.Global(), session); err != nil {
			t.Fatal(err)
		}
		if got := current(t, e, strata.Global()); !slices.Equal(got, before) {
			t.Fatalf("after %q: %q", said, got)
		}
	}
}

// What was recalled is shown to neither extractor of a transcript, by whatever program it
// was put there: another memory filled itself with its own recalls.
func TestWhatWasRecalledFeedsNoLoop(t *testing.T) {
	var material string
	e := open(t, withModel(&reading{script: func(asked string) (string, error) {
		material += asked
		return `{"operations": []}`, nil
	}}))
	take(t, e, `{"role": "user", "content": "<recalled-memory>\nThe user's dog is named Rex.\n</recalled-memory>\nI live in Porto."}
{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "memory_recall", "arguments": {"query": "cat"}}]}
{"role": "tool", "tool_call_id": "c1", "name": "memory_recall", "content": "The user's cat is named Tom."}
{"role": "user", "content": "<supermemory-context>My sister's name is Nora.</supermemory-context> Go on. <system-reminder>I work at Acme."}
`)
	if _, err := e.ExtractByModel(context.Background(), nil); err != nil || material == "" {
		t.Fatalf("the model read %q: %v", material, err)
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The user lives in Porto."}) {
		t.Errorf("kept %q", got)
	}
	for _, shown := range []string{"Rex", "Tom", "Nora", "Acme"} {
		if strings.Contains(material, shown) {
			t.Errorf("the model was shown %s", shown)
		}
	}
}

// What an agent saved by itself is extracted from the same turns by neither extractor,
// under whatever name it has the tool; what else was said is.
func TestModel_WhatTheAgentSavedIsNotExtractedAgain(t *testing.T) {
	for _, tool := range []string{"memory_save", "remember", "mcp__strata__memory_save", "strata.remember"} {
		e := open(t, withModel(&reading{script: func(string) (string, error) {
			return `{"operations": [
				{"op": "add", "fact": 0, "text": "The user plays the cello on Thursdays.", "type": "user", "turn": 1, "quote": "cello every Thursday"},
				{"op": "add", "fact": 0, "text": "The user keeps bees.", "type": "user", "turn": 1, "quote": "the bees are all mine"}]}`, nil
		}}))
		talk := `{"role": "user", "content": "My sister's name is Nora. Well, cello every Thursday, as ever, and the bees are all mine."}
{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "` + tool + `", "arguments": {"content": "The user's sister is named Nora."}}, {"id": "c2", "name": "` + tool + `", "arguments": {"content": "The user plays the cello on Thursdays."}}]}
`
		take(t, e, talk)
		if _, err := e.ExtractByModel(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The user keeps bees."}) {
			t.Errorf("%s: kept %q", tool, got)
		}
	}
}

func TestAContradictionIsAnsweredByTheNewFactAlone(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		for _, change := range []struct{ was, is, question string }{
			{"I live in Berlin", "I live in Lisbon", "where do I live"},
			{"The deploy day is Monday", "The deploy day is Friday", "which day is the deploy day"},
		} {
			old, d := save(t, e, change.was), save(t, e, change.is)
			if d.Op != strata.OpSupersede || d.Before == nil || d.Before.ID != old.FactID || !strings.Contains(d.Reason, change.was) {
				t.Errorf("%q is %s: %s", change.is, d.Op, d.Reason)
			}
			wantFirst(t, e, change.question, change.is)
			for _, h := range found(t, e, strata.Query{Text: change.question}) {
				if h.Text == change.was {
					t.Errorf("%q is still answered with %q", change.question, h.Text)
				}
			}
			versions, err := e.Fact(context.Background(), strata.Global().View(), old.FactID)
			if err != nil || versions[0].SupersededBy != d.FactID {
				t.Errorf("the old fact is %+v, %v", versions, err)
			}
		}
	})
}

func TestAContradictionIsSeenThoughVectorsAreMissing(t *testing.T) {
	f := &flaky{Embedder: builtin.New(), down: make(chan struct{})}
	db := filepath.Join(t.TempDir(), "strata.db")
	broken := openAt(t, db, func(o *engine.Options) { o.Embedder = f })
	save(t, broken, "The car park is open on holidays")
	if err := broken.Close(); err != nil {
		t.Fatal(err)
	}
	// The next process has another model, and nothing was embedded with it.
	e := openAt(t, db, func(o *engine.Options) { o.Embedder = short{builtin.New()} })
	if d := save(t, e, "The car park is not open on holidays"); d.Op != strata.OpSupersede {
		t.Errorf("%s: %s", d.Op, d.Reason)
	}
	if d := save(t, e, "the car park isn't open on holidays!"); d.Op != strata.OpNoop {
		t.Errorf("in other words it is %s: %s", d.Op, d.Reason)
	}
}

func TestTrueFactsAreNotInvalidated(t *testing.T) {
	withAndWithoutVectors(t, func(t *testing.T, e *engine.Engine) {
		texts := []string{
			"Anna is tall", "Anna is smart", "I like tea", "I like coffee", "Anna manages Bob", "Bob manages Anna",
			"Open tickets are reviewed daily", "Closed tickets are reviewed daily", "Deploys are allowed on Fridays",
			"The build needs Go 1.25", "The tests need Go 1.26", "The deadline was Monday", "The deadline is Friday",
			"Users with access can read", "Users with no access can read", "The staging cluster has three nodes",
			"The production cluster has nine nodes", "My sister's name is Petra", "My brother's name is Paul",
			"I am allergic to peanuts", "I am allergic to shellfish",
		}
		for _, text := range texts {
			if d := save(t, e, text); d.Op != strata.OpAdd {
				t.Errorf("%q is %s: %s", text, d.Op, d.Reason)
			}
		}
		if got := current(t, e, strata.Global()); len(got) != len(texts) {
			t.Errorf("%d facts are left of %d: %q", len(got), len(texts), got)
		}
	})
}

// hanging is a model that never answers.
type hanging struct{ llm.Embedder }

func (hanging) Embed(ctx context.Context, _ []string) ([][]float32, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (hanging) Advise(ctx context.Context, _ strata.Candidate, _ decide.Ambiguity) (decide.Advice, error) {
	<-ctx.Done()
	return decide.Advice{}, ctx.Err()
}

func TestAWriteDoesNotWaitForAModelThatHangs(t *testing.T) {
	e := open(t, func(o *engine.Options) {
		o.Embedder, o.EmbedTimeout = hanging{builtin.New()}, time.Millisecond
		o.Adviser, o.AdviseTimeout = hanging{}, time.Millisecond
	})
	saveAll(t, e, "The car park is open on holidays")
	d := save(t, e, "The car park is not open on holidays")
	if d.Op != strata.OpSupersede || !slices.ContainsFunc(d.Notes, func(n string) bool { return strings.Contains(n, "no advice") }) {
		t.Errorf("%s: %s, notes %q", d.Op, d.Reason, d.Notes)
	}
	appendTurns(t, e, "one", talk("What a pity"))
	wantFirst(t, e, "is the car park open on holidays", "The car park is not open on holidays")
}

// metered counts the calls of an embedder and the texts it was given.
type metered struct {
	llm.Embedder
	calls, texts atomic.Int64
}

func (m *metered) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if !isProbe(texts) {
		m.calls.Add(1)
		m.texts.Add(int64(len(texts)))
	}
	return m.Embedder.Embed(ctx, texts)
}

func TestModelsAreAskedNoMoreThanTheyMust(t *testing.T) {
	m := &metered{Embedder: builtin.New()}
	a := &adviser{advice: func(decide.Ambiguity) (decide.Advice, error) {
		return decide.Advice{Op: strata.OpAdd}, nil
	}}
	e := open(t, func(o *engine.Options) { o.Embedder, o.Adviser = m, a })
	ctx := context.Background()
	var cs []strata.Candidate
	for _, text := range append([]string{"The car park is open on holidays"}, office...) {
		cs = append(cs, strata.Candidate{Scope: strata.Global(), Content: text})
	}
	if _, err := e.WriteBatch(ctx, cs); err != nil {
		t.Fatal(err)
	}
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if m.calls.Load() != 1 || m.texts.Load() != int64(len(cs)) || a.asked != 0 {
		t.Errorf("a batch of %d plain facts: %d embedding calls, %d texts, %d questions", len(cs), m.calls.Load(), m.texts.Load(), a.asked)
	}
	if d := save(t, e, "The car park is not open on holidays"); d.Op != strata.OpAdd {
		t.Errorf("against advice it is %s: %s", d.Op, d.Reason)
	}
	if m.calls.Load() != 2 || a.asked != 1 {
		t.Errorf("a doubtful fact: %d embedding calls, %d questions", m.calls.Load()-1, a.asked)
	}
	found(t, e, strata.Query{Text: "is the car park open on holidays"})
	if m.calls.Load() != 3 || a.asked != 1 {
		t.Errorf("a recall: %d embedding calls, %d questions", m.calls.Load()-2, a.asked-1)
	}
	if _, err := e.Reindex(ctx, nil, nil); err != nil {
		t.Fatal(err)
	}
	if texts := m.texts.Load() - int64(len(cs)) - 2; texts != int64(len(cs))+1 || a.asked != 1 {
		t.Errorf("reindexing %d facts embeds %d texts and asks %d questions", len(cs)+1, texts, a.asked-1)
	}
}

func TestConcurrentWritersLoseNothing(t *testing.T) {
	db := filepath.Join(t.TempDir(), "strata.db")
	engines := []*engine.Engine{openAt(t, db), openAt(t, db)}
	const writers, each = 4, 10
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			for n := range each {
				text := writerText(string(rune('A'+i)), n)
				if _, err := engines[i%2].Save(context.Background(), strata.Global(), text); err != nil {
					t.Errorf("save %q: %v", text, err)
				}
			}
		})
	}
	wg.Wait()
	for i, e := range engines {
		got := current(t, e, strata.Global())
		slices.Sort(got)
		if n := len(slices.Compact(got)); n != writers*each {
			t.Errorf("engine %d sees %d facts of %d", i, n, writers*each)
		}
	}
	healthy(t, engines[0])
}

// theBuiltin finds the built-in embedder by its name.
func theBuiltin(model string) llm.Embedder {
	if own := builtin.New(); own.Model() == model {
		return own
	}
	return nil
}

// short is another model: its vectors have 96 dimensions.
type short struct{ llm.Embedder }

func (short) Model() string   { return "test/short-96" }
func (short) Dimensions() int { return 96 }

func (s short) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := s.Embedder.Embed(ctx, texts)
	for i, v := range vectors {
		folded := make([]float32, s.Dimensions())
		for j, x := range v {
			folded[j%len(folded)] += x
		}
		vectors[i] = folded
	}
	return vectors, err
}

func TestAnotherEmbeddingModelDropsNothing(t *testing.T) {
	ctx, view, db := context.Background(), strata.Global().View(), filepath.Join(t.TempDir(), "strata.db")
	const fact = "My kitten sleeps on the sofa"
	first := openAt(t, db)
	kitten := save(t, first, fact)
	saveAll(t, first, office...)
	before, err := first.Stats(ctx, view)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	other := openAt(t, db, func(o *engine.Options) {
		o.Embedder, o.Embedders = short{builtin.New()}, theBuiltin
	})
	wantFirst(t, other, "where does the kitten sleep", fact)
	const later = "My puppy sleeps in the kitchen"
	if d := save(t, other, later); d.After.Category != kitten.After.Category {
		t.Errorf("of the same subject, but filed under %q and %q", d.After.Category, kitten.After.Category)
	}
	wantFirst(t, other, "where does the puppy sleep", later)
	if err := other.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	after, err := other.Stats(ctx, view)
	if err != nil || after[0].Vectors != before[0].Vectors+1 || after[0].Facts != before[0].Facts+1 {
		t.Errorf("stats were %+v and are %+v, %v", before, after, err)
	}
	if other.Embedder() != (short{}).Model() {
		t.Errorf("%s serves after everything was embedded", other.Embedder())
	}
	wantFirst(t, other, "where does the kitten sleep", fact)
	healthy(t, other)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}

	again := openAt(t, db)
	if err := again.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	hits := found(t, again, strata.Query{Text: "cats"})
	if len(hits) == 0 || hits[0].Text != fact || hits[0].Why.Vector == 0 {
		t.Errorf("back at the first model its vectors do not serve: %+v", hits)
	}
	healthy(t, again)
}

// mislabeled is a model whose vectors changed while its name stayed.
type mislabeled struct{ short }

func (mislabeled) Model() string { return builtin.New().Model() }

func TestAModelThatChangesItsDimensionUnderItsNameIsAnotherModel(t *testing.T) {
	ctx, db := context.Background(), filepath.Join(t.TempDir(), "strata.db")
	first := openAt(t, db)
	saveAll(t, first, office...)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	changed := mislabeled{short{builtin.New()}}
	e := openAt(t, db, func(o *engine.Options) { o.Embedder = changed })
	save(t, e, "Tea is served at four")
	wantFirst(t, e, "when is tea served", "Tea is served at four")
	wantFirst(t, e, "when is lunch", office[1])
	if err := e.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if hits := found(t, e, strata.Query{Text: "lunches"}); len(hits) == 0 || hits[0].Why.Vector == 0 {
		t.Errorf("its new vectors do not serve: %+v", hits)
	}
	healthy(t, e)
}
