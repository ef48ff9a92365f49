package engine_test

import (
	"context"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// A fact is confirmed once it is said again in another session, or if the user agreed
// to it, until it says something else.
func TestWhatIsSaidAgainIsConfirmed(t *testing.T) {
	clock := newTicking(noon)
	e := open(t, clock.in)
	say := func(in string, turns ...strata.Turn) {
		t.Helper()
		talk := utter(t, e, sessions.Options{Session: in})
		if _, err := talk.Append(context.Background(), turns); err != nil {
			t.Fatal(err)
		}
		if err := talk.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		clock.pass(time.Hour)
	}
	user := func(s string) strata.Turn { return strata.Turn{Role: strata.RoleUser, Text: s} }
	standing := func(text string, want strata.Standing) {
		t.Helper()
		for _, f := range keptFacts(t, e) {
			if f.Text == text {
				if f.Standing() != want {
					t.Errorf("%q stands as %q, want %q", text, f.Standing(), want)
				}
				return
			}
		}
		t.Errorf("%q is not known: %+v", text, keptFacts(t, e))
	}
	const city, sons = "The user lives in Porto.", "The user has two sons."
	say("one", user("I live in Porto."), user("What is the weather like?"), user("I live in Porto."))
	standing(city, strata.StandingOnce) // twice in one session is once
	say("two", user("I live in Porto."))
	standing(city, strata.StandingConfirmed)
	say("three", strata.Turn{Role: strata.RoleAssistant, Text: "You told me that you have two sons."}, user("correct"))
	standing(sons, strata.StandingConfirmed)
	say("four", user("I live in Lisbon now."))
	standing("The user lives in Lisbon now.", strata.StandingOnce)
}

// Outside of a session, what is saved on another day is said again.
func TestWhatIsSavedOnAnotherDayIsConfirmed(t *testing.T) {
	clock := newTicking(noon)
	e := open(t, clock.in)
	const text = "The ferry leaves at six"
	for _, step := range []struct {
		pass time.Duration
		want strata.Standing
	}{{0, strata.StandingOnce}, {time.Hour, strata.StandingOnce}, {24 * time.Hour, strata.StandingConfirmed}} {
		clock.pass(step.pass)
		save(t, e, text)
		if got := keptFacts(t, e)[0].Standing(); got != step.want {
			t.Errorf("after %v: %q, want %q", step.pass, got, step.want)
		}
	}
}

// Of two facts that are alike otherwise the confirmed one goes first into the snapshot,
// and one that is used goes before both.
func TestAConfirmedFactRanksHigher(t *testing.T) {
	at := noon.Add(time.Hour)
	once := strata.Fact{Type: strata.TypeProject, RecordedAt: noon}
	sure := once
	sure.ConfirmedAt = &at
	used := once
	used.Accesses, used.LastAccess = 1, at
	changed := sure
	changed.RecordedAt = at.Add(time.Hour) // another text since
	now := at.Add(2 * time.Hour)
	rank := func(f strata.Fact) float64 { return snapshot.Rank(f, now) }
	if !(rank(once) < rank(sure) && rank(sure) < rank(used)) {
		t.Errorf("ranks: once %v, confirmed %v, used %v", rank(once), rank(sure), rank(used))
	}
	plain := changed
	plain.ConfirmedAt = nil
	if rank(changed) != rank(plain) {
		t.Errorf("a fact that changed since ranks %v, without it %v", rank(changed), rank(plain))
	}
}
