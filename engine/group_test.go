package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// groupView is the view of a group session of the global scope.
func groupView() strata.View {
	return strata.View{Scopes: []strata.Scope{strata.Global()}, Session: strata.SessionGroup}
}

// meet appends turns to a group session.
func meet(t *testing.T, e *engine.Engine, session string, turns []strata.Turn) []strata.Turn {
	t.Helper()
	out, err := e.AppendTurns(context.Background(), strata.Global(), session, strata.SessionGroup, turns)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What was said in private must neither be found by a group nor take the place
// of what the group may find.
func TestAGroupFindsItsOwnTurnsAlone(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	meet(t, e, "party", talk("The lighthouse tour starts at nine"))
	for i := range 40 {
		appendTurns(t, e, fmt.Sprintf("private-%d", i), talk("When does the lighthouse tour start?", "My lighthouse tour is a secret"))
	}
	for _, q := range []strata.Query{
		{Text: "when does the lighthouse tour start", Limit: 3},
		{Text: "when does the lighthouse tour start", Limit: 3, Flat: true},
		{Text: "lighthouse", Limit: 3, Kinds: []strata.Kind{strata.KindTurn}},
		{Text: "ighthous", Limit: 3},
		{Text: `"lighthouse tour"`, Limit: 3},
	} {
		q.View = groupView()
		res, err := e.Query(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Hits) != 1 || res.Hits[0].Session != "party" {
			t.Errorf("%q finds %+v", q.Text, res.Hits)
		}
		q.View.Session = ""
		res, err = e.Query(ctx, q)
		if err != nil || !slices.ContainsFunc(res.Hits, func(h strata.Hit) bool { return h.Session != "party" }) {
			t.Errorf("%q finds %+v for the user, %v", q.Text, res.Hits, err)
		}
	}
}

func TestAGroupListsItsOwnSessionsAlone(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	theirs := meet(t, e, "party", talk("Hello everybody"))[0]
	mine := appendTurns(t, e, "private", talk("I am allergic to peanuts"))[0]
	list, err := e.Sessions(ctx, groupView(), 1)
	if err != nil || len(list) != 1 || list[0].ID != "party" {
		t.Errorf("sessions = %+v, %v", list, err)
	}
	if turns, err := e.Turns(ctx, groupView(), "party", 0, 0); err != nil || len(turns) != 1 {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	if turn, err := e.Turn(ctx, groupView(), theirs.ID); err != nil || turn.Text != "Hello everybody" {
		t.Errorf("turn = %+v, %v", turn, err)
	}
	_, err = e.Turns(ctx, groupView(), "private", 0, 0)
	wantCode(t, err, strata.CodeNotFound)
	if turns, _ := e.Turns(ctx, groupView(), "private", 0, 1); len(turns) != 0 {
		t.Errorf("turns = %+v", turns)
	}
	turn, err := e.Turn(ctx, groupView(), mine.ID)
	wantCode(t, err, strata.CodeNotFound)
	if turn.Text != "" {
		t.Errorf("the error comes with %+v", turn)
	}
	_, err = e.FindSession(ctx, groupView(), "private")
	wantCode(t, err, strata.CodeNotFound)
	var out bytes.Buffer
	_, err = e.WriteLedger(ctx, groupView(), "private", &out)
	wantCode(t, err, strata.CodeNotFound)
	if out.Len() > 0 {
		t.Errorf("the error comes with %s", &out)
	}
	if list, err = e.Sessions(ctx, strata.Global().View(), 0); err != nil || len(list) != 2 {
		t.Errorf("the user sees %+v, %v", list, err)
	}
}

// A session of one name may be private in one scope and a group's in another.
func TestAGroupReadsTheSessionOfTheScopeThatIsAGroup(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	mine := strata.ForAgent("mine")
	if _, err := e.AppendTurns(ctx, mine, "monday", strata.SessionMain, talk("Only for my diary")); err != nil {
		t.Fatal(err)
	}
	meet(t, e, "monday", talk("Hello everybody"))
	view := strata.View{Scopes: []strata.Scope{mine, strata.Global()}, Session: strata.SessionGroup}
	turns, err := e.Turns(ctx, view, "monday", 0, 0)
	if err != nil || len(turns) != 1 || turns[0].Text != "Hello everybody" {
		t.Errorf("turns = %+v, %v", turns, err)
	}
	res, err := e.Search(ctx, view, "diary everybody")
	if err != nil || len(res.Hits) != 1 || res.Hits[0].Scope != strata.Global() {
		t.Errorf("hits = %+v, %v", res.Hits, err)
	}
}

func TestAGroupSeesNoQuestionsAskedInPrivate(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	meet(t, e, "party", talk("Hello everybody"))
	appendTurns(t, e, "private", talk("I am allergic to peanuts"))
	ask := func(session string) string {
		res, err := e.Query(ctx, strata.Query{View: strata.Global().View(), Text: "asked in " + session, Session: session})
		if err != nil {
			t.Fatal(err)
		}
		return res.Trace
	}
	theirs, private, nowhere := ask("party"), ask("private"), ask("")
	list, err := e.Traces(ctx, groupView(), store.TraceFilter{Limit: 1})
	if err != nil || len(list) != 1 || list[0].ID != theirs {
		t.Errorf("traces = %+v, %v", list, err)
	}
	if _, err := e.Trace(ctx, groupView(), theirs); err != nil {
		t.Error(err)
	}
	for _, id := range []string{private, nowhere} {
		trace, err := e.Trace(ctx, groupView(), id)
		wantCode(t, err, strata.CodeNotFound)
		if trace.Query != "" {
			t.Errorf("the error comes with %+v", trace)
		}
	}
	if list, err = e.Traces(ctx, strata.Global().View(), store.TraceFilter{}); err != nil || len(list) != 3 {
		t.Errorf("the user sees %d traces, %v", len(list), err)
	}
}

func TestAGroupSeesNoCorrectionsMadeInPrivate(t *testing.T) {
	e := open(t)
	ctx := context.Background()
	meet(t, e, "party", talk("Hello everybody"))
	appendTurns(t, e, "private", talk("I am allergic to peanuts"))
	learn := func(session, tool, text string) {
		l := strata.Learning{Kind: strata.LearningCorrection, Key: text, Text: text, Session: session}
		if tool != "" {
			l.Kind, l.Tool = strata.LearningError, tool
		}
		if _, err := e.Learn(ctx, strata.Global(), l); err != nil {
			t.Fatal(err)
		}
	}
	learn("party", "", "The tour is on Monday")
	learn("private", "", "I never said that I like peanuts")
	learn("private", "grep", "no such option")
	shown := func(view strata.View) string {
		list, err := e.Learnings(ctx, view, "", 2)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, l := range list {
			out = append(out, l.Text+" @"+l.Session)
		}
		return strings.Join(out, "\n")
	}
	if got, want := shown(groupView()), "no such option @\nThe tour is on Monday @party"; got != want {
		t.Errorf("a group sees\n%s\nwant\n%s", got, want)
	}
	if got, want := shown(strata.Global().View()), "no such option @private\nI never said that I like peanuts @private"; got != want {
		t.Errorf("the user sees\n%s\nwant\n%s", got, want)
	}
	for kind, private := range map[strata.SessionKind]bool{strata.SessionGroup: false, strata.SessionMain: true} {
		c, err := e.Talk(ctx, sessions.Options{Session: "later " + string(kind), Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		text := c.Snapshot().Text
		if strings.Contains(text, "peanuts") != private || !strings.Contains(text, "on Monday") || !strings.Contains(text, "no such option") {
			t.Errorf("the snapshot of a %s session is\n%s", kind, text)
		}
	}
}
