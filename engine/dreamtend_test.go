package engine_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store/files/filestest"
)

// beside saves two facts that a write would not let stand side by side: the second says
// something else first.
func beside(t *testing.T, e *engine.Engine, pass func(), first, second string) (strata.Decision, strata.Decision) {
	t.Helper()
	a := write(t, e, strata.Candidate{Scope: strata.Global(), Content: first, Type: strata.TypeUser})
	b := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "Before this it was about " + first, Type: strata.TypeUser})
	pass()
	return a, write(t, e, strata.Candidate{Scope: strata.Global(), Content: second, Target: b.FactID})
}

// believed are the texts of current facts, joined.
func believed(t *testing.T, e *engine.Engine) string {
	t.Helper()
	return strings.Join(current(t, e, strata.Global()), "; ")
}

func TestWhatADreamDoesToFactsCanBeUndone(t *testing.T) {
	ctx, tree, clock := context.Background(), filestest.NewMemory(), newTicking(noon)
	e := open(t, inTree(tree), clock.in)
	old, _ := beside(t, e, func() { clock.pass(time.Hour) }, "The user eats meat", "The user does not eat meat")
	clock.pass(time.Hour)
	if res := dreamNow(t, e); res.Dream.Settled != 1 || res.Waiting != nil {
		t.Fatalf("%+v", res)
	}
	got := tree.Files(strata.Global())
	if !strings.Contains(got[markdown.DreamsPath], "### Settled\n\n- The user eats meat - gave way to: The user does not eat meat") {
		t.Errorf("DREAMS.md:\n%s", got[markdown.DreamsPath])
	}
	if facts := believed(t, e); strings.Contains(facts, "The user eats meat") {
		t.Errorf("believed: %s", facts)
	}
	log, err := e.Decisions(ctx, strata.Global().View(), strata.DecisionFilter{FactID: old.FactID, Limit: 1})
	if err != nil || len(log) != 1 || log[0].AppliedAt == nil {
		t.Fatalf("files do not follow the decision: %+v, %v", log, err)
	}

	// Undone, it is asked about: the user said it once more by that.
	if _, err := e.Revert(ctx, strata.Global().View(), log[0].ID, engine.RevertOptions{Origin: strata.OriginCLI}); err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Hour)
	if res := dreamNow(t, e); res.Dream.Settled != 0 || res.Dream.Asked != 1 {
		t.Fatalf("after undoing: %+v", res.Dream)
	}
	open, err := e.Questions(ctx, strata.Global().View(), 10)
	if err != nil || len(open) != 1 {
		t.Fatalf("%+v, %v", open, err)
	}
	_, d, err := e.AnswerQuestion(ctx, strata.Global().View(), open[0].ID, old.FactID, strata.OriginCLI)
	if err != nil || strings.Contains(believed(t, e), "does not") {
		t.Errorf("answered: %v, believed: %s", err, believed(t, e))
	}
	if _, err := e.Revert(ctx, strata.Global().View(), d.ID, engine.RevertOptions{}); err != nil || !strings.Contains(believed(t, e), "does not") {
		t.Errorf("undone: %v, believed: %s", err, believed(t, e))
	}
	followed(t, e)
	healthy(t, e)
}

func TestForgettingAFactTakesItsQuestionAndWhatDreamsSayOfIt(t *testing.T) {
	ctx, tree, clock := context.Background(), filestest.NewMemory(), newTicking(noon)
	e := open(t, inTree(tree), clock.in)
	_, other := beside(t, e, func() {}, "The vault opens at noon", "The vault does not open at noon") // at the same time
	if res := dreamNow(t, e); res.Dream.Asked != 1 {
		t.Fatalf("%+v", res.Dream)
	}
	if _, err := e.Forget(ctx, strata.Global().View(), other.FactID, engine.ForgetOptions{}); err != nil {
		t.Fatal(err)
	}
	if open, err := e.Questions(ctx, strata.Global().View(), 10); err != nil || len(open) != 0 {
		t.Errorf("%+v, %v", open, err)
	}
	for path, content := range tree.Files(strata.Global()) {
		if strings.Contains(content, "does not open") {
			t.Errorf("%s still says\n%s", path, content)
		}
	}
	healthy(t, e)
}
