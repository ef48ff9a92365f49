package storetest

import (
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// append tries to append a turn.
func (b *bench) append(u strata.Turn) (out strata.Turn, err error) {
	err = b.tryUpdate(func(w store.Writer) error {
		var err error
		out, _, err = w.AppendTurn(b.ctx, u)
		return err
	})
	return out, err
}

func (b *bench) turn(session string, seq int64) strata.Turn {
	return strata.Turn{ID: b.id("turn"), Scope: global, Session: session, Seq: seq, Role: strata.RoleUser, Text: "hello there"}
}

// index gives turns that were appended without one their passage.
func (b *bench) index(session string) {
	b.Helper()
	b.update(func(w store.Writer) {
		list, err := w.Sources(b.ctx, global, 0, 1000)
		b.ok(err)
		for _, s := range list {
			if s.Turn != nil && s.Turn.Session == session {
				b.ok(w.PutPassage(b.ctx, store.Passage{Number: s.Number, Kind: strata.KindTurn, Ref: s.Turn.ID, Scope: global,
					Parent: session, Seq: s.Turn.Seq, Text: s.Turn.Text, RecordedAt: s.Turn.RecordedAt}))
			}
		}
	})
}

var turnTests = []test{
	{"a turn is read back with every field", func(b *bench) {
		b.update(func(w store.Writer) { b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: agent})) })
		u := strata.Turn{ID: b.id("turn"), Scope: agent, Session: "s1", Seq: 7, Role: strata.RoleTool, Speaker: "Ann",
			Text: "line one\n\tline two 猫", At: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC), Redacted: 2}
		b.update(func(w store.Writer) {
			got, number, err := w.AppendTurn(b.ctx, u)
			b.ok(err)
			u.RecordedAt = w.Now()
			b.equal("turn returned", got, u)
			b.ok(w.PutPassage(b.ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: agent, Parent: "s1",
				Seq: u.Seq, Text: u.Text, RecordedAt: u.RecordedAt}))
		})
		b.view(func(r store.Reader) {
			got, err := r.Turn(b.ctx, []strata.Scope{global, agent}, u.ID)
			b.ok(err)
			b.equal("turn", got, u)
			_, err = r.Turn(b.ctx, []strata.Scope{global}, u.ID)
			b.code(err, strata.CodeNotFound)
		})
	}},
	{"turns are numbered from one unless the caller numbers them", func(b *bench) {
		b.say(global, "other", "x")
		got := b.say(global, "s1", "a", "b")
		b.equal("numbers", []int64{got[0].Seq, got[1].Seq}, []int64{1, 2})
		u, err := b.append(b.turn("s1", 10))
		b.ok(err)
		b.equal("number asked for", u.Seq, 10)
		u, err = b.append(b.turn("s1", 0))
		b.ok(err)
		b.equal("number after it", u.Seq, 11)
		b.index("s1")
	}},
	{"a number that is taken is a conflict", func(b *bench) {
		got := b.say(global, "s1", "a", "b")
		_, err := b.append(b.turn("s1", 2))
		b.code(err, strata.CodeConflict)
		same := b.turn("s1", 0)
		same.ID = got[0].ID
		_, err = b.append(same)
		b.code(err, strata.CodeConflict)
		b.view(func(r store.Reader) {
			x, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("turns counted", x.Turns, 2)
		})
	}},
	{"a turn needs its session", func(b *bench) {
		_, err := b.append(b.turn("none", 0))
		b.code(err, strata.CodeNotFound)
		b.say(global, "s1", "a")
		_, err = b.append(b.turn("none", 0))
		b.code(err, strata.CodeNotFound)
	}},
	{"turns are listed in order and in parts", func(b *bench) {
		b.say(global, "s1", "a", "b", "c", "d", "e")
		b.say(global, "s2", "z")
		for _, c := range []struct {
			after int64
			limit int
			want  string
		}{{0, 0, "abcde"}, {0, 2, "ab"}, {2, 2, "cd"}, {4, 0, "e"}, {5, 0, ""}} {
			b.view(func(r store.Reader) {
				list, err := r.Turns(b.ctx, global, "s1", c.after, c.limit)
				b.ok(err)
				var got strings.Builder
				for _, u := range list {
					got.WriteString(u.Text)
				}
				b.equal("turns", got.String(), c.want)
			})
		}
	}},
	{"a session is opened once and closed once", func(b *bench) {
		start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
		b.update(func(w store.Writer) {
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionGroup, StartedAt: start}))
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionSub}))
		})
		var at time.Time
		b.update(func(w store.Writer) {
			b.ok(w.CloseSession(b.ctx, global, "s1"))
			at = w.Now()
		})
		b.update(func(w store.Writer) { b.ok(w.CloseSession(b.ctx, global, "s1")) })
		b.view(func(r store.Reader) {
			x, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("session", x, strata.Session{ID: "s1", Scope: global, Kind: strata.SessionGroup, StartedAt: start, ClosedAt: &at})
			_, err = r.Session(b.ctx, global, "none")
			b.code(err, strata.CodeNotFound)
		})
		for _, scope := range []strata.Scope{global, workspace} {
			b.code(b.tryUpdate(func(w store.Writer) error { return w.CloseSession(b.ctx, scope, "none") }), strata.CodeNotFound)
		}
	}},
	{"sessions are listed newest first with their turns counted", func(b *bench) {
		for i, id := range []string{"s2", "s3", "s1"} {
			b.update(func(w store.Writer) {
				b.ok(w.OpenSession(b.ctx, strata.Session{ID: id, Scope: global,
					StartedAt: time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)}))
			})
			b.say(global, id, "a", "b", "c")
		}
		b.view(func(r store.Reader) {
			list, err := r.Sessions(b.ctx, global, 2)
			b.ok(err)
			b.equal("ids", []string{list[0].ID, list[1].ID}, []string{"s1", "s3"})
			b.equal("turns", list[0].Turns, 3)
			b.equal("kind", list[0].Kind, strata.SessionMain)
		})
	}},
}
