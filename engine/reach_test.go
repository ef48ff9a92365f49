package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// A rule on work on code that is said in a project is one of that project; others, and
// what is said outside of any, hold everywhere. What is saved by hand goes where it did.
func TestWhereARuleIsKeptThatNamesNoProject(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	said := func(scope strata.Scope, session string, rules ...string) {
		t.Helper()
		var turns []strata.Turn
		for _, r := range rules {
			turns = append(turns, strata.Turn{Role: strata.RoleUser, Text: r})
		}
		if _, err := e.AppendTurns(ctx, scope, session, strata.SessionMain, turns); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Extract(ctx, scope, session); err != nil {
			t.Fatal(err)
		}
	}
	said(project, "work", "Always run the linter before each commit.", "Never push to the main branch.", "Call me Sam.", "From now on, answer briefly.")
	said(strata.Global(), "home", "Always write tests before the code.")
	if _, err := e.Write(ctx, strata.Candidate{Workspace: project.Workspace, Type: strata.TypeFeedback, Content: "Squash commits before merging."}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]strata.Scope{
		"linter": project, "main branch": project, "Sam": strata.Global(), "briefly": strata.Global(), "tests before": strata.Global(), "Squash": strata.Global(),
	} {
		if got := scopesOf(t, e, text); len(got) != 1 || got[0] != want {
			t.Errorf("the rule on %q is in %v, want %v", text, got, want)
		}
	}
	// The one of the project is taken back where it was said.
	said(project, "later", "You don't need to run the linter before each commit any more.")
	if got := scopesOf(t, e, "Always run the linter"); len(got) != 0 {
		t.Errorf("a rule that was taken back is in %v", got)
	}
}

// What is said in a project of whose a part of it is, and what is corrected of it, is of
// that project; what is said there of people is not.
func TestWhereAFactIsKeptThatNamesNoProject(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	turns := []strata.Turn{
		{Role: strata.RoleUser, Text: "Lou took over the scheduler from Kim."},
		{Role: strata.RoleUser, Text: "Port 8000 is the job runner."},
		{Role: strata.RoleUser, Text: "Wait, that's wrong. It's 8001."},
		{Role: strata.RoleUser, Text: "Kim adopted a cat from the shelter."},
	}
	if _, err := e.AppendTurns(ctx, project, "work", strata.SessionMain, turns); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Extract(ctx, project, "work"); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]strata.Scope{"Lou took over": project, "8001": project, "cat": strata.Global()} {
		if got := scopesOf(t, e, text); len(got) != 1 || got[0] != want {
			t.Errorf("the fact on %q is in %v, want %v", text, got, want)
		}
	}
	if got := scopesOf(t, e, "8000"); len(got) != 0 {
		t.Errorf("what was corrected is in %v", got)
	}
}

// scopesOf returns the scopes that have a current fact which holds a text.
func scopesOf(t *testing.T, e *engine.Engine, text string) (out []strata.Scope) {
	t.Helper()
	for _, s := range []strata.Scope{project, strata.Global()} {
		list, err := e.Facts(context.Background(), s.View(), strata.FactFilter{Limit: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			if f.Current() && strings.Contains(f.Text, text) {
				out = append(out, f.Scope)
			}
		}
	}
	return out
}
