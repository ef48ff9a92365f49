package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/llm/builtin"
)

func TestSaveThenRecall(t *testing.T) {
	e := open(t)
	d := save(t, e, "My cat's name is Whiskerino")
	if d.Op != strata.OpAdd || d.FactID == "" || d.Reason == "" || d.After.Type != strata.TypeUser {
		t.Errorf("decision = %+v", d)
	}
	res, err := e.Recall(context.Background(), strata.Global().View(), "What is my cat called?")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Hits) != 1 || res.Hits[0].ID != d.FactID {
		t.Fatalf("hits = %+v", res.Hits)
	}
	h := res.Hits[0]
	if sum := h.Why.Words + h.Why.Vector + h.Why.Around + h.Why.Parent + h.Why.Recency + h.Why.Salience; sum-h.Score > 1e-6 || h.Score-sum > 1e-6 {
		t.Errorf("the components add up to %v, the score is %v", sum, h.Score)
	}
	healthy(t, e)
}

func TestAddDeleteAddKeepsTheFact(t *testing.T) {
	e := open(t)
	first := save(t, e, "The build needs Go 1.26")
	write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: first.FactID})
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Fatalf("after delete: %q", got)
	}
	again := save(t, e, "The build needs Go 1.26")
	if again.Op != strata.OpAdd {
		t.Errorf("the second add is %s (%s)", again.Op, again.Reason)
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The build needs Go 1.26"}) {
		t.Errorf("facts = %q", got)
	}
	healthy(t, e)
}

func TestRepeatedChangesBackAndForthLeaveTheLast(t *testing.T) {
	e := open(t)
	d := save(t, e, "The deploy target is staging")
	for _, text := range []string{"The deploy target is production", "The deploy target is staging", "The deploy target is production"} {
		write(t, e, strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: text})
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The deploy target is production"}) {
		t.Errorf("facts = %q", got)
	}
	versions, err := e.Fact(context.Background(), strata.Global().View(), d.FactID)
	if err != nil || len(versions) != 4 {
		t.Errorf("%d versions (%v), want 4", len(versions), err)
	}
	healthy(t, e)
}

func TestUnrelatedFactsAreAllKept(t *testing.T) {
	e := open(t)
	texts := []string{
		"The user prefers the dark theme for all editors",
		"The user prefers the metric system for all recipes",
		"The user feeds the cat at seven and at nineteen",
	}
	for _, text := range texts {
		d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: text, Origin: strata.OriginExtractor})
		if d.Op != strata.OpAdd {
			t.Errorf("%q is %s: %s", text, d.Op, d.Reason)
		}
	}
}

func TestSameBeginningIsNotTheSameFact(t *testing.T) {
	e := open(t)
	for _, text := range []string{
		"https://staging.example.org is the staging URL", "https://prod.example.org is the production URL",
		"Note: the build needs Go 1.26", "Note: the CI runner is arm64",
	} {
		save(t, e, text)
	}
	if got := current(t, e, strata.Global()); len(got) != 4 {
		t.Errorf("%d facts are left of 4: %q", len(got), got)
	}
}

func TestSlotIsSuperseded(t *testing.T) {
	e := open(t)
	old := save(t, e, "My name is Ana")
	d := save(t, e, "My name is Anna")
	if d.Op != strata.OpSupersede || d.Before == nil || d.Before.ID != old.FactID {
		t.Fatalf("decision = %+v", d)
	}
	versions, err := e.Fact(context.Background(), strata.Global().View(), old.FactID)
	if err != nil {
		t.Fatal(err)
	}
	if versions[0].SupersededBy != d.FactID || versions[0].RetiredAt == nil {
		t.Errorf("the old fact is %+v", versions[0])
	}
	res, err := e.Recall(context.Background(), strata.Global().View(), "what is my name")
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range res.Hits {
		if h.ID == old.FactID {
			t.Error("the superseded fact is still recalled")
		}
	}
	asOf := versions[0].RecordedAt
	res, err = e.Query(context.Background(), strata.Query{View: strata.Global().View(), Text: "what is my name", AsOf: &asOf})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Hits) != 1 || res.Hits[0].ID != old.FactID {
		t.Errorf("as of then: %+v", res.Hits)
	}
	healthy(t, e)
}

func TestRequestIDReturnsTheStoredDecision(t *testing.T) {
	e := open(t)
	c := strata.Candidate{Scope: strata.Global(), Content: "Tea is served at four", RequestID: "req-1"}
	first := write(t, e, c)
	write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: first.FactID})
	again := write(t, e, c)
	if again.ID != first.ID {
		t.Errorf("the repeated request led to decision %s, not %s", again.ID, first.ID)
	}
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("the repeated request changed memory: %q", got)
	}
}

func TestBaseGenerationGuardsAnUpdate(t *testing.T) {
	e := open(t)
	d := save(t, e, "Standup is at nine")
	c := strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: "Standup is at ten", BaseGeneration: 1}
	write(t, e, c)
	c.Content = "Standup is at eleven"
	_, err := e.Write(context.Background(), c)
	wantCode(t, err, strata.CodeConflict)
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"Standup is at ten"}) {
		t.Errorf("facts = %q", got)
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	e := open(t)
	_, err := e.WriteBatch(context.Background(), []strata.Candidate{
		{Scope: strata.Global(), Content: "A good fact about rivers"},
		{Scope: strata.Global(), Content: "An update of nothing", Target: "fact_missing"},
	})
	wantCode(t, err, strata.CodeNotFound)
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("half a batch was written: %q", got)
	}
	healthy(t, e)
}

func TestBadInputChangesNothing(t *testing.T) {
	e := open(t)
	for name, c := range map[string]struct {
		candidate strata.Candidate
		code      strata.Code
	}{
		"empty":            {strata.Candidate{Content: "  "}, strata.CodeInvalid},
		"NUL":              {strata.Candidate{Content: "a\x00b"}, strata.CodeInvalid},
		"invalid UTF-8":    {strata.Candidate{Content: "a\xffb"}, strata.CodeInvalid},
		"10 MiB":           {strata.Candidate{Content: strings.Repeat("a ", 5<<20)}, strata.CodeTooLarge},
		"path as category": {strata.Candidate{Content: "x y", Category: "../../etc"}, strata.CodeInvalid},
		"path as agent":    {strata.Candidate{Content: "x y", Scope: strata.ForAgent("../root")}, strata.CodeInvalid},
		"unknown type":     {strata.Candidate{Content: "x y", Type: "secret"}, strata.CodeInvalid},
		"half a slot":      {strata.Candidate{Content: "x y", Entity: "cat"}, strata.CodeInvalid},
		"missing target":   {strata.Candidate{Content: "x y", Target: "fact_1"}, strata.CodeNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := e.Write(context.Background(), c.candidate)
			wantCode(t, err, c.code)
		})
	}
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("bad input was kept: %q", got)
	}
}

func TestSecretIsRejectedAndNotKept(t *testing.T) {
	e := open(t)
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	d, err := e.Save(context.Background(), strata.Global(), "The deploy token is "+secret)
	wantCode(t, err, strata.CodeRejectedSecret)
	if d.Op != strata.OpReject || strings.Contains(err.Error(), secret) || strings.Contains(d.Reason, secret) {
		t.Errorf("decision = %+v, error = %v", d, err)
	}
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("facts = %d", len(got))
	}
}

func TestHarmlessSentencesAreKept(t *testing.T) {
	e := open(t)
	for _, text := range []string{
		"We deploy with cron jobs nightly.", "Docs live in docs/guide.md", "The password policy requires 14 characters.",
		"Root cause analyses go to the wiki.", "You are now on the platform team.",
	} {
		if d := save(t, e, text); d.Op != strata.OpAdd || len(d.Notes) > 1 {
			t.Errorf("%q is %s: %s %q", text, d.Op, d.Reason, d.Notes)
		}
	}
}

func TestWriteDoesNotWaitForABrokenEmbedder(t *testing.T) {
	f := &flaky{Embedder: builtin.New(), down: make(chan struct{})}
	e := open(t, func(o *engine.Options) { o.Embedder = f })
	save(t, e, "The heron nests by the mill")
	res, err := e.Recall(context.Background(), strata.Global().View(), "where does the heron nest")
	if err != nil || len(res.Hits) != 1 || res.Embedder != "" || len(res.Notes) == 0 {
		t.Fatalf("by words: %+v, %v", res, err)
	}
	close(f.down)
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	res, err = e.Recall(context.Background(), strata.Global().View(), "where does the heron nest")
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Why.Vector == 0 {
		t.Fatalf("after draining: %+v, %v", res, err)
	}
	healthy(t, e)
}

// adviser gives the answer it holds and counts the questions.
type adviser struct {
	mu     sync.Mutex // guards asked
	asked  int
	advice func(decide.Ambiguity) (decide.Advice, error)
}

func (a *adviser) Advise(_ context.Context, _ strata.Candidate, amb decide.Ambiguity) (decide.Advice, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked++
	return a.advice(amb)
}

func TestConcurrentWritesToOneFactLoseNoVersion(t *testing.T) {
	e := open(t)
	d := save(t, e, "The counter stands at zero")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			_, err := e.Write(context.Background(), strata.Candidate{
				Scope: strata.Global(), Target: d.FactID, Content: fmt.Sprintf("The counter stands at value %c", 'a'+i),
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	versions, err := e.Fact(context.Background(), strata.Global().View(), d.FactID)
	if err != nil || len(versions) != 9 {
		t.Errorf("%d versions are kept of 9 (%v)", len(versions), err)
	}
	healthy(t, e)
}

func TestDefaultScopeFollowsTheType(t *testing.T) {
	e := open(t)
	const ws = "01JABCDEFGHJKMNPQRSTVWXYZ0"
	user := write(t, e, strata.Candidate{Content: "I am allergic to peanuts", Workspace: ws})
	project := write(t, e, strata.Candidate{Content: "The API listens on port 8080", Workspace: ws})
	nowhere := write(t, e, strata.Candidate{Content: "The API listens on port 9090"})
	if user.Scope != strata.Global() || project.Scope != strata.InWorkspace(ws) {
		t.Errorf("scopes are %s and %s", user.Scope, project.Scope)
	}
	// Where there is no project, nothing is of one by a guess; by the caller's
	// word it is, and then it has no place.
	if nowhere.Scope != strata.Global() || nowhere.After.Type != strata.TypeUser {
		t.Errorf("without a workspace: %s, type %s", nowhere.Scope, nowhere.After.Type)
	}
	for _, kind := range []strata.Type{strata.TypeProject, strata.TypeReference} {
		_, err := e.Write(t.Context(), strata.Candidate{Content: "The API listens on port 7070", Type: kind})
		wantCode(t, err, strata.CodeScopeRequired)
	}
}

func TestPreviewChangesNothing(t *testing.T) {
	e := open(t)
	d, err := e.Preview(context.Background(), strata.Candidate{Scope: strata.Global(), Content: "The moon is far"})
	if err != nil || d.Op != strata.OpAdd || d.ID != "" {
		t.Errorf("preview = %+v, %v", d, err)
	}
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("facts = %q", got)
	}
}

func TestOtherScopesAreOutOfReach(t *testing.T) {
	e := open(t)
	mine := write(t, e, strata.Candidate{Scope: strata.ForAgent("mine"), Content: "The vault opens at noon"})
	theirs := strata.ForAgent("theirs").View()
	ctx := context.Background()
	res, err := e.Search(ctx, theirs, "when does the vault open")
	if err != nil || len(res.Hits) != 0 {
		t.Errorf("search: %+v, %v", res, err)
	}
	_, err = e.Fact(ctx, theirs, mine.FactID)
	wantCode(t, err, strata.CodeNotFound)
	_, err = e.Forget(ctx, theirs, mine.FactID, engine.ForgetOptions{})
	wantCode(t, err, strata.CodeNotFound)
	_, err = e.Revert(ctx, theirs, mine.ID, engine.RevertOptions{})
	wantCode(t, err, strata.CodeNotFound)
	_, err = e.Write(ctx, strata.Candidate{Scope: strata.ForAgent("theirs"), Target: mine.FactID, Content: "The vault is open"})
	wantCode(t, err, strata.CodeNotFound)
	d := write(t, e, strata.Candidate{Scope: strata.ForAgent("theirs"), Action: strata.ActionDelete, Target: mine.FactID})
	if d.Op != strata.OpNoop {
		t.Errorf("delete across scopes is %s", d.Op)
	}
	if got := current(t, e, strata.ForAgent("mine")); len(got) != 1 {
		t.Errorf("facts = %q", got)
	}
}

func TestRevert(t *testing.T) {
	ctx, view := context.Background(), strata.Global().View()
	revert := func(t *testing.T, e *engine.Engine, id string) strata.Decision {
		t.Helper()
		d, err := e.Revert(ctx, view, id, engine.RevertOptions{})
		if err != nil {
			t.Fatal(err)
		}
		healthy(t, e)
		return d
	}
	t.Run("add", func(t *testing.T) {
		e := open(t)
		d := save(t, e, "The lamp is green")
		r := revert(t, e, d.ID)
		if got := current(t, e, strata.Global()); len(got) != 0 || r.Op != strata.OpDelete {
			t.Errorf("facts = %q, decision %s", got, r.Op)
		}
		revert(t, e, r.ID) // and back
		if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The lamp is green"}) {
			t.Errorf("facts = %q", got)
		}
	})
	t.Run("update", func(t *testing.T) {
		e := open(t)
		d := save(t, e, "The lamp is green")
		u := write(t, e, strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: "The lamp hangs low"})
		revert(t, e, u.ID)
		if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The lamp is green"}) {
			t.Errorf("facts = %q", got)
		}
	})
	t.Run("supersede", func(t *testing.T) {
		e := open(t)
		save(t, e, "My name is Ana")
		d := save(t, e, "My name is Anna")
		revert(t, e, d.ID)
		if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"My name is Ana"}) {
			t.Errorf("facts = %q", got)
		}
	})
	t.Run("delete", func(t *testing.T) {
		e := open(t)
		save(t, e, "The lamp is green")
		del := write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Content: "the lamp is GREEN"})
		revert(t, e, del.ID)
		if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The lamp is green"}) {
			t.Errorf("facts = %q", got)
		}
		_, err := e.Revert(ctx, view, del.ID, engine.RevertOptions{})
		wantCode(t, err, strata.CodeConflict)
	})
	t.Run("changed since", func(t *testing.T) {
		e := open(t)
		d := save(t, e, "The lamp is green")
		write(t, e, strata.Candidate{Scope: strata.Global(), Target: d.FactID, Content: "The lamp hangs low"})
		_, err := e.Revert(ctx, view, d.ID, engine.RevertOptions{})
		wantCode(t, err, strata.CodeConflict)
	})
	t.Run("deleted and saved again", func(t *testing.T) {
		e := open(t)
		d := save(t, e, "The lamp is green")
		del := write(t, e, strata.Candidate{Scope: strata.Global(), Action: strata.ActionDelete, Target: d.FactID})
		save(t, e, "The lamp is green")
		_, err := e.Revert(ctx, view, del.ID, engine.RevertOptions{})
		wantCode(t, err, strata.CodeConflict)
	})
	t.Run("dry run", func(t *testing.T) {
		e := open(t)
		d := save(t, e, "The lamp is green")
		r, err := e.Revert(ctx, view, d.ID, engine.RevertOptions{DryRun: true})
		if err != nil || r.Op != strata.OpDelete {
			t.Errorf("dry run = %+v, %v", r, err)
		}
		if got := current(t, e, strata.Global()); len(got) != 1 {
			t.Errorf("facts = %q", got)
		}
	})
}

func TestClosedContextWritesNothing(t *testing.T) {
	e := open(t)
	ctx, cancel := context.WithTimeout(context.Background(), time.Nanosecond)
	defer cancel()
	<-ctx.Done()
	_, err := e.Save(ctx, strata.Global(), "Never to be seen")
	wantCode(t, err, strata.CodeCanceled)
	if got := current(t, e, strata.Global()); len(got) != 0 {
		t.Errorf("facts = %q", got)
	}
}
