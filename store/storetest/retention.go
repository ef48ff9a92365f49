package storetest

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

var retentionTests = []test{
	{"a session is pruned, and archived turns come back", testArchivedTurns},
	{"archives are known by their places", testArchives},
	{"sessions that are open or count wrongly are listed", testSessionCounts},
	{"what models are asked of is counted by day", testModelUse},
}

// putArchive records an archive of a session in a state.
func (b *bench) putArchive(scope strata.Scope, session, place string, state store.ArchiveState) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.PutArchive(b.ctx, store.Archive{Scope: scope, Session: session, Place: place, State: state, Turns: 2, Bytes: 40, Sum: "ab"}))
	})
}

// places lists the archives of a scope with their states.
func (b *bench) places(scope strata.Scope) (out string) {
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
func (b *bench) closeAt(scope strata.Scope, session string) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.CloseSession(b.ctx, scope, session, time.Time{})) })
}

func testArchivedTurns(b *bench) {
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
	b.equal("found", len(b.found(global, "cat", store.Filter{})), 0)
	back := before[0]
	back.Calls, back.Images = []strata.ToolCall{{ID: "c", Name: "look"}}, []strata.Image{{MediaType: "image/png", Data: []byte{1}}}
	b.update(func(w store.Writer) {
		for i, want := range []bool{true, false} { // a second time there is nothing to restore
			n, err := w.RestoreTurn(b.ctx, back)
			b.ok(err)
			b.equal(fmt.Sprint("restored ", i), n > 0, want)
			if n > 0 {
				b.ok(w.PutPassage(b.ctx, store.Passage{Number: n, Kind: strata.KindTurn, Ref: back.ID, Scope: global, Parent: "s", Seq: back.Seq,
					Text: back.Text, RecordedAt: back.RecordedAt, Model: model, Vector: vectorOf(back.Text)}))
			}
		}
	})
	b.view(func(r store.Reader) {
		got, err := r.Turn(b.ctx, []strata.Scope{global}, back.ID)
		b.ok(err)
		b.equal("the turn", fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", back))
	})
	b.equal("found again", len(b.found(global, "cat", store.Filter{})), 1)
	// An archive that goes for good takes what it holds along.
	b.putArchive(global, "s", "one", store.ArchiveGone)
	b.equal("turns pruned", prune(), 2)
	b.equal("texts", texts(), []string{"[pruned] true", "[pruned] true"})
	b.code(b.tryUpdate(func(w store.Writer) error {
		_, err := w.PruneSession(b.ctx, global, "nobody")
		return err
	}), strata.CodeNotFound)
}

func testArchives(b *bench) {
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
	b.code(b.tryUpdate(func(w store.Writer) error {
		return w.PutArchive(b.ctx, store.Archive{Scope: global, Session: "nobody", Place: "x", State: store.ArchiveBegun})
	}), strata.CodeNotFound)
}

func testSessionCounts(b *bench) {
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
	b.code(b.tryUpdate(func(w store.Writer) error { return w.CountTurns(b.ctx, global, "nobody") }), strata.CodeNotFound)
}

func testModelUse(b *bench) {
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
