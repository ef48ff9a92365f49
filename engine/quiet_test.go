package engine_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// utter appends what the user says to a session.
func utter(t *testing.T, e *engine.Engine, o sessions.Options, said ...string) *engine.Conversation {
	t.Helper()
	ctx := context.Background()
	talk, err := e.Talk(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range said {
		if _, err := talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: s}}); err != nil {
			t.Fatal(err)
		}
	}
	return talk
}

// drained are the current facts once the background has done what is due.
func drained(t *testing.T, e *engine.Engine) int {
	t.Helper()
	if err := e.Drain(context.Background()); err != nil {
		t.Fatal(err)
	}
	return len(keptFacts(t, e))
}

// keptFacts are the current facts.
func keptFacts(t *testing.T, e *engine.Engine) []strata.Fact {
	t.Helper()
	list, err := e.Facts(context.Background(), strata.Global().View(), strata.FactFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A conversation that was left without being closed is read for its facts once nothing
// was said in it for a while, also by another process.
func TestAConversationThatIsLeftIsReadOnceItIsQuiet(t *testing.T) {
	db, clock := filepath.Join(t.TempDir(), "strata.db"), newTicking(noon)
	e := openAt(t, db, clock.in)
	o := sessions.Options{Session: "left"}
	utter(t, e, o, "My cat is called Tom.")
	clock.pass(9 * time.Minute)
	if n := drained(t, e); n != 0 {
		t.Errorf("%d facts while it goes on", n)
	}
	utter(t, e, o, "I live in Porto.") // which moves the time
	clock.pass(9 * time.Minute)
	if n := drained(t, e); n != 0 {
		t.Errorf("%d facts nine minutes after what was said last", n)
	}
	clock.pass(time.Minute)
	other := openAt(t, db, clock.in)
	if n := drained(t, other); n != 2 {
		t.Errorf("%d facts once it is quiet, want 2", n)
	}
	utter(t, e, o, "My dog is called Rex.")
	clock.pass(10 * time.Minute)
	if n := drained(t, e); n != 3 {
		t.Errorf("%d facts after it went on, want 3", n)
	}
}

// How long that is can be set, within bounds.
func TestHowLongAConversationIsQuietIsASetting(t *testing.T) {
	clock := newTicking(noon)
	e := open(t, clock.in, func(o *engine.Options) { o.ExtractIdle = time.Hour })
	utter(t, e, sessions.Options{Session: "left"}, "My cat is called Tom.")
	clock.pass(59 * time.Minute)
	before := drained(t, e)
	clock.pass(time.Minute)
	if after := drained(t, e); before != 0 || after != 1 {
		t.Errorf("%d facts after 59 minutes and %d after an hour", before, after)
	}
	for _, d := range []time.Duration{-1, store.MaxExtractionPause + 1} {
		_, err := engine.Open(context.Background(), engine.StoreOf(open(t)), &engine.Options{ExtractIdle: d})
		if strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("quiet of %v: %v", d, err)
		}
	}
}

// What is not read when a session is closed is read then.
func TestAClosedConversationIsReadAtOnce(t *testing.T) {
	e := open(t, newTicking(noon).in)
	talk := utter(t, e, sessions.Options{Session: "closed"}, "My cat is called Tom.")
	if err := talk.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got := keptFacts(t, e); len(got) != 1 {
		t.Errorf("after closing: %+v", got)
	}
}

// What an agent says to another is not read, and nothing that a flush has read is read
// again.
func TestAConversationIsNotReadForNothing(t *testing.T) {
	ctx := context.Background()
	e := open(t, newTicking(noon).in, withModel(&reading{}))
	utter(t, e, sessions.Options{Session: "top"})
	utter(t, e, sessions.Options{Session: "below", Kind: strata.SessionSub, Parent: "top"}, "My cat is called Tom.")
	talk := utter(t, e, sessions.Options{Session: "read"}, "I live in Porto.", "I work at Quay.")
	waiting := func() (out string) {
		t.Helper()
		list, err := e.Extractor().Pending(ctx, store.ExtractionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			out += p.Session + " " + string(p.Extractor) + ";"
		}
		return out
	}
	for _, step := range []struct {
		last    int64
		byModel bool
		want    string
	}{
		{1, true, "read model;read rules;"}, {2, false, "read model;"}, {2, true, ""},
	} {
		if err := talk.Extracted(ctx, step.last, step.byModel); err != nil {
			t.Fatal(err)
		}
		if got := waiting(); got != step.want {
			t.Errorf("after %+v waits %q", step, got)
		}
	}
}
