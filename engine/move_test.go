package engine_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// both is the view of the project, which sees the global scope too.
func both() strata.View { return strata.View{Scopes: []strata.Scope{project, strata.Global()}} }

func move(t *testing.T, e *engine.Engine, to strata.Scope, facts ...string) []strata.Decision {
	t.Helper()
	ds, err := e.MoveFacts(t.Context(), both(), to, facts, engine.MoveOptions{Origin: strata.OriginCLI})
	if err != nil || len(ds) != len(facts) {
		t.Fatalf("move %v: %+v, %v", facts, ds, err)
	}
	sound(t, e)
	return ds
}

func revert(t *testing.T, e *engine.Engine, id string) strata.Decision {
	t.Helper()
	d, err := e.Revert(t.Context(), both(), id, engine.RevertOptions{})
	if err != nil {
		t.Fatalf("revert %s: %v", id, err)
	}
	sound(t, e)
	return d
}

// sound fails the test if doctor finds anything.
func sound(t *testing.T, e *engine.Engine) {
	t.Helper()
	if r, err := e.Doctor(t.Context(), nil); err != nil || len(r.Problems) > 0 {
		t.Fatalf("doctor: %+v, %v", r.Problems, err)
	}
}

func TestAFactMovesByOneDecisionAndBack(t *testing.T) {
	e := open(t)
	was := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The build uses make", Type: strata.TypeProject, Category: "build"})
	other := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "I like tea", Type: strata.TypeUser})
	would, err := e.MoveFacts(t.Context(), both(), project, []string{was.FactID}, engine.MoveOptions{DryRun: true})
	if err != nil || len(would) != 1 || would[0].ID != "" || would[0].Op != strata.OpSupersede || len(current(t, e, project)) != 0 {
		t.Fatalf("dry run: %+v, %v", would, err)
	}
	d := move(t, e, project, was.FactID)[0]
	if d.Op != strata.OpSupersede || d.Scope != project || d.Before.ID != was.FactID || d.After.Supersedes != was.FactID ||
		d.After.Type != strata.TypeProject || d.After.Category != "build" || d.Reason != "moved from global" {
		t.Errorf("%+v", d)
	}
	if got := current(t, e, project); !slices.Equal(got, []string{"The build uses make"}) {
		t.Errorf("in the project: %q", got)
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"I like tea"}) {
		t.Errorf("in global: %q", got)
	}
	// The history is kept: the fact there, and why it ended.
	versions, err := e.Fact(t.Context(), both(), was.FactID)
	if err != nil || len(versions) != 1 || versions[0].Current() || versions[0].SupersededBy != d.FactID {
		t.Errorf("versions %+v, %v", versions, err)
	}
	log, err := e.Decisions(t.Context(), strata.Global().View(), strata.DecisionFilter{FactID: was.FactID})
	if err != nil || len(log) != 2 || log[0].Op != strata.OpDelete || !strings.Contains(log[0].Reason, "moved to "+project.Key()+" as "+d.FactID) {
		t.Errorf("log of global %+v, %v", log, err)
	}
	// A revert brings it back, and one of the revert takes it there again.
	for range 2 {
		back := revert(t, e, d.ID)
		if back.Scope != strata.Global() || back.After.ID != was.FactID || len(current(t, e, project)) != 0 || len(current(t, e, strata.Global())) != 2 {
			t.Errorf("reverted: %+v", back)
		}
		again := revert(t, e, back.ID)
		if again.Scope != project || again.After.ID != d.FactID || len(current(t, e, project)) != 1 || len(current(t, e, strata.Global())) != 1 {
			t.Errorf("and again: %+v", again)
		}
		d = again
	}
	for fact, code := range map[string]strata.Code{
		was.FactID: strata.CodeConflict, d.FactID: strata.CodeInvalid, "fact_none": strata.CodeNotFound,
	} {
		// Nothing of a batch is done where one cannot be.
		_, err := e.MoveFacts(t.Context(), both(), project, []string{other.FactID, fact}, engine.MoveOptions{})
		wantCode(t, err, code)
	}
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"I like tea"}) {
		t.Errorf("in global: %q", got)
	}
}

func TestAMovedFactRespectsTheSlot(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	var minutes atomic.Int64 // what is done in the background looks at the clock, too
	e := open(t, func(o *engine.Options) {
		o.Now = func() time.Time { return noon.Add(time.Duration(minutes.Add(1)) * time.Minute) }
	})
	slot := func(scope strata.Scope, value string) string {
		return write(t, e, strata.Candidate{Scope: scope, Content: "The staging host is " + value, Type: strata.TypeProject, Entity: "staging", Attribute: "host"}).FactID
	}
	early := slot(strata.Global(), "stage-1")
	slot(project, "stage-2")
	// There is a later value there: this one ends, and comes back by a revert.
	d := move(t, e, project, early)[0]
	if d.Op != strata.OpDelete || d.Scope != strata.Global() || d.FactID != early {
		t.Errorf("%+v", d)
	}
	if got := current(t, e, project); !slices.Equal(got, []string{"The staging host is stage-2"}) {
		t.Errorf("in the project: %q", got)
	}
	revert(t, e, d.ID)
	if got := current(t, e, strata.Global()); !slices.Equal(got, []string{"The staging host is stage-1"}) {
		t.Errorf("in global: %q", got)
	}
	// A later one takes the place, and the earlier has a decision of its own.
	late := slot(strata.Global(), "stage-3")
	d = move(t, e, project, late)[0]
	if got := current(t, e, project); !slices.Equal(got, []string{"The staging host is stage-3"}) || len(current(t, e, strata.Global())) != 0 {
		t.Errorf("in the project: %q", got)
	}
	log, err := e.Decisions(t.Context(), project.View(), strata.DecisionFilter{Op: strata.OpDelete})
	if err != nil || len(log) != 1 || log[0].Before.Text != "The staging host is stage-2" || !strings.Contains(log[0].Reason, d.FactID) {
		t.Errorf("log %+v, %v", log, err)
	}
	revert(t, e, d.ID)
	revert(t, e, log[0].ID)
	if got := current(t, e, project); !slices.Equal(got, []string{"The staging host is stage-2"}) {
		t.Errorf("reverted: %q", got)
	}
	// What is said there already needs no second copy.
	same := write(t, e, strata.Candidate{Scope: project, Content: "The release is on Thursday", Type: strata.TypeProject})
	mine := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The release is on Thursday", Type: strata.TypeProject})
	if d = move(t, e, project, mine.FactID)[0]; d.Op != strata.OpDelete || !strings.Contains(d.Reason, same.FactID) {
		t.Errorf("%+v", d)
	}
}

// Whatever is moved and reverted, every statement is believed in exactly one
// scope.
func TestMovesLoseNothing(t *testing.T) {
	e := open(t)
	rng := rand.New(rand.NewPCG(1, 22))
	texts := []string{"Tea is served at four", "The gate is painted green", "Badgers dig at night", "Copper wires carry the signal"}
	for _, text := range texts {
		write(t, e, strata.Candidate{Scope: strata.Global(), Content: text, Type: strata.TypeProject})
	}
	var moves []string
	for range 40 {
		if len(moves) > 0 && rng.IntN(3) == 0 {
			i := rng.IntN(len(moves))
			d, err := e.Revert(t.Context(), both(), moves[i], engine.RevertOptions{})
			if code := strata.CodeOf(err); err != nil && code != strata.CodeConflict {
				t.Fatal(err)
			} else if err == nil {
				moves[i] = d.ID
			}
		} else {
			facts, err := e.Facts(t.Context(), both(), strata.FactFilter{})
			if err != nil {
				t.Fatal(err)
			}
			f := facts[rng.IntN(len(facts))]
			to := project
			if f.Scope == project {
				to = strata.Global()
			}
			moves = append(moves, move(t, e, to, f.ID)[0].ID)
		}
		got := append(current(t, e, project), current(t, e, strata.Global())...)
		slices.Sort(got)
		if !slices.Equal(got, slices.Sorted(slices.Values(texts))) {
			t.Fatalf("believed are %q", got)
		}
	}
	sound(t, e)
}

func TestTheFilesOfBothScopesFollowAMove(t *testing.T) {
	e, tree := withTree(t)
	d := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The lighthouse has a red lamp", Type: strata.TypeProject, Origin: strata.OriginExtractor})
	index := func(scope strata.Scope) string {
		t.Helper()
		if err := e.Drain(t.Context()); err != nil {
			t.Fatal(err)
		}
		return tree.Files(scope)[strata.IndexPath]
	}
	if got := index(strata.Global()); !strings.Contains(got, "red lamp") {
		t.Fatalf("index of global: %q", got)
	}
	in := func(where string) {
		t.Helper()
		for scope, want := range map[strata.Scope]bool{strata.Global(): where == "global", project: where == "project"} {
			if got := index(scope); strings.Contains(got, "red lamp") != want {
				t.Errorf("in %s, the index of %s: %q", where, scope, got)
			}
		}
	}
	moved := move(t, e, project, d.FactID)[0]
	in("project")
	revert(t, e, moved.ID)
	in("global")
}

// Forgetting takes the text out of the decision of the other scope as well.
func TestForgettingReachesTheDecisionOfAMove(t *testing.T) {
	for _, first := range []string{"there", "here"} {
		e := open(t)
		was := write(t, e, strata.Candidate{Scope: strata.Global(), Content: "The vault code is quetzal", Type: strata.TypeProject})
		d := move(t, e, project, was.FactID)[0]
		facts := []string{was.FactID, d.FactID}
		if first == "there" {
			slices.Reverse(facts)
		}
		for i, f := range facts {
			res, err := e.Forget(t.Context(), both(), f, engine.ForgetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 && !slices.ContainsFunc(res.Remaining, func(r string) bool { return strings.HasSuffix(r, facts[1]) }) {
				t.Errorf("%s first: what remains is %v, without %s", first, res.Remaining, facts[1])
			}
			sound(t, e)
		}
		log, err := e.Decisions(t.Context(), both(), strata.DecisionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range log {
			for _, v := range []*strata.Fact{d.Before, d.After} {
				if v != nil && strings.Contains(v.Text, "quetzal") || strings.Contains(d.Reason, "quetzal") {
					t.Errorf("%s first: %+v holds the text", first, d)
				}
			}
		}
		_, err = e.Revert(t.Context(), both(), d.ID, engine.RevertOptions{})
		wantCode(t, err, strata.CodeForgotten)
	}
}
