package sqlite_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// port is a store, by its port alone, and short ways to fill and ask it.
type port struct {
	*testing.T
	st  store.Store
	ctx context.Context
}

func openPort(t *testing.T) *port {
	t.Helper()
	st, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &port{t, st, t.Context()}
	t.Cleanup(func() {
		found, err := st.Check(context.Background(), nil)
		if err != nil || len(found) > 0 {
			t.Errorf("the store is not sound: %+v, %v", found, err)
		}
		b.ok(st.Close())
	})
	return b
}

func (b *port) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *port) equal(what string, got, want any) {
	b.Helper()
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		b.Errorf("%s: %s, want %s", what, g, w)
	}
}

func (b *port) notFound(change func(w store.Writer) error) {
	b.Helper()
	if err := b.st.Update(b.ctx, change); strata.CodeOf(err) != strata.CodeNotFound {
		b.Errorf("%v, want not_found", err)
	}
}

func (b *port) update(fn func(w store.Writer)) {
	b.Helper()
	b.ok(b.st.Update(b.ctx, func(w store.Writer) error { fn(w); return nil }))
}

func (b *port) view(fn func(r store.Reader)) {
	b.Helper()
	b.ok(b.st.View(b.ctx, func(r store.Reader) error { fn(r); return nil }))
}

// say appends turns to a session, one for each text, with ids of the session and a number.
func (b *port) say(scope strata.Scope, session string, texts ...string) (out []strata.Turn) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.OpenSession(b.ctx, strata.Session{ID: session, Scope: scope}))
		for i, s := range texts {
			u, number, err := w.AppendTurn(b.ctx, strata.Turn{ID: fmt.Sprint("turn_", session, i), Scope: scope, Session: session, Role: strata.RoleUser, Text: s})
			b.ok(err)
			b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: scope, Parent: session, Seq: u.Seq,
				Text: s, RecordedAt: u.RecordedAt}))
			out = append(out, u)
		}
	})
	return out
}

var (
	global    = strata.Global()
	workspace = strata.InWorkspace("w1")
)

// putArchive records an archive of a session in a state.
func (b *port) putArchive(scope strata.Scope, session, place string, state store.ArchiveState) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.PutArchive(b.ctx, store.Archive{Scope: scope, Session: session, Place: place, State: state, Turns: 2, Bytes: 40, Sum: "ab"}))
	})
}

// places lists the archives of a scope with their states.
func (b *port) places(scope strata.Scope) (out string) {
	b.Helper()
	b.view(func(r store.Reader) {
		list, err := r.Archives(b.ctx, scope)
		b.ok(err)
		for _, x := range list {
			out += fmt.Sprintf("%s %s %s %d;", x.Session, x.Place, x.State, x.Bytes)
		}
	})
	return out
}

// closeAt closes a session.
func (b *port) closeAt(scope strata.Scope, session string) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.CloseSession(b.ctx, scope, session, time.Time{})) })
}

func TestPrunedAndArchivedTurns(t *testing.T) {
	b := openPort(t)
	before := b.say(global, "s", "the cat sleeps", "the dog barks")
	b.closeAt(global, "s")
	prune := func() (n int) {
		b.update(func(w store.Writer) {
			var err error
			n, err = w.PruneSession(b.ctx, global, "s")
			b.ok(err)
		})
		return n
	}
	texts := func() (out []string) {
		b.view(func(r store.Reader) {
			list, err := r.Turns(b.ctx, global, "s", store.TurnFilter{})
			b.ok(err)
			for _, t := range list {
				out = append(out, fmt.Sprintf("%s %v", t.Text, t.Forgotten))
			}
		})
		return out
	}
	b.putArchive(global, "s", "one", store.ArchiveKept)
	b.equal("turns archived", prune(), 2)
	b.equal("texts", texts(), []string{"[archived] true", "[archived] true"})
	b.equal("again", prune(), 0)
	back := before[0]
	back.Calls, back.Images = []strata.ToolCall{{ID: "c", Name: "look"}}, []strata.Image{{MediaType: "image/png", Data: []byte{1}}}
	b.update(func(w store.Writer) {
		for i, want := range []bool{true, false} { // a second time there is nothing to restore
			n, err := w.RestoreTurn(b.ctx, back)
			b.ok(err)
			b.equal(fmt.Sprint("restored ", i), n > 0, want)
		}
	})
	b.view(func(r store.Reader) {
		got, err := r.Turn(b.ctx, []strata.Scope{global}, back.ID)
		b.ok(err)
		b.equal("the turn", fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", back))
	})
	// An archive that goes for good takes what it holds along.
	b.putArchive(global, "s", "one", store.ArchiveGone)
	b.equal("turns pruned", prune(), 2)
	b.equal("texts", texts(), []string{"[pruned] true", "[pruned] true"})
	b.notFound(func(w store.Writer) error {
		_, err := w.PruneSession(b.ctx, global, "nobody")
		return err
	})
}

func TestArchivesAreKnownByTheirPlaces(t *testing.T) {
	b := openPort(t)
	b.say(global, "s", "hello")
	b.say(workspace, "s", "hello")
	b.putArchive(global, "s", "one", store.ArchiveBegun)
	b.putArchive(global, "s", "two", store.ArchiveBegun)
	b.putArchive(workspace, "s", "one", store.ArchiveKept)
	b.putArchive(global, "s", "two", store.ArchiveDropped)
	b.equal("archives", b.places(global), "s one begun 40;s two dropped 40;")
	b.putArchive(global, "s", "one", store.ArchiveGone)
	b.putArchive(global, "s", "one", store.ArchiveGone)
	b.equal("archives", b.places(global), "s two dropped 40;")
	b.equal("archives of another scope", b.places(workspace), "s one kept 40;")
	b.equal("archives of nobody", b.places(strata.InWorkspace("none")), "")
	b.notFound(func(w store.Writer) error {
		return w.PutArchive(b.ctx, store.Archive{Scope: global, Session: "nobody", Place: "x", State: store.ArchiveBegun})
	})
}

func TestSessionsThatAreOpenOrCountWrongly(t *testing.T) {
	b := openPort(t)
	b.say(global, "open", "one", "two")
	b.say(global, "closed", "three")
	b.update(func(w store.Writer) { b.ok(w.OpenSession(b.ctx, strata.Session{ID: "silent", Scope: global})) })
	b.closeAt(global, "closed")
	b.update(func(w store.Writer) { b.ok(w.CountTurns(b.ctx, global, "open")) })
	b.view(func(r store.Reader) {
		list, err := r.SessionCounts(b.ctx, global)
		b.ok(err)
		got := make(map[string][3]int64)
		for _, c := range list {
			got[c.ID] = [3]int64{c.Turns, c.Counted, c.LastSeq}
			b.equal("when the last was recorded is known", c.LastAt.IsZero(), false)
		}
		b.equal("sessions", fmt.Sprint(got), "map[open:[2 2 2] silent:[0 0 0]]")
	})
	b.notFound(func(w store.Writer) error { return w.CountTurns(b.ctx, global, "nobody") })
}

func TestWhatModelsAreAskedOfIsCountedByDay(t *testing.T) {
	b := openPort(t)
	add := func(day string, calls, tokens, refused int64) {
		b.update(func(w store.Writer) {
			b.ok(w.AddModelUse(b.ctx, day, store.ModelUse{Calls: calls, Tokens: tokens, Refused: refused}))
		})
	}
	use := func(day string) (out store.ModelUse) {
		b.view(func(r store.Reader) {
			var err error
			out, err = r.ModelUse(b.ctx, day)
			b.ok(err)
		})
		return out
	}
	b.equal("on a day without any", use("2026-03-02"), store.ModelUse{})
	add("2026-03-02", 2, 100, 0)
	add("2026-03-02", -1, -30, 1)
	add("2026-03-03", 1, 5, 0)
	b.equal("on a day", use("2026-03-02"), store.ModelUse{Calls: 1, Tokens: 70, Refused: 1})
	add("2026-03-02", -9, -900, 0)
	b.equal("never below nothing", use("2026-03-02"), store.ModelUse{Refused: 1})
	b.equal("on the next", use("2026-03-03"), store.ModelUse{Calls: 1, Tokens: 5})
}
