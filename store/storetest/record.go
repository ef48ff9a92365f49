package storetest

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store"
)

var recordTests = []test{
	{"ids are found by how they begin and end", func(b *bench) {
		for _, d := range []strata.Decision{{ID: "dec_AAXX", Scope: global}, {ID: "dec_ABYX", Scope: global}, {ID: "dec_AAYY", Scope: workspace}} {
			d.Op = strata.OpNoop
			b.decide(d)
		}
		b.update(func(w store.Writer) {
			b.ok(w.OpenSession(b.ctx, strata.Session{ID: "talk", Scope: global, Kind: strata.SessionMain}))
		})
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				kind, begin, end string
				limit            int
				want             []string
			}{
				{id.Decision, "dec_AA", "AA", 9, []string{"dec_AAXX"}},
				{id.Decision, "dec_A", "-", 9, []string{"dec_AAXX", "dec_ABYX"}},
				{id.Decision, "dec_A", "-", 1, []string{"dec_AAXX"}},
				{id.Decision, "dec_YX", "YX", 9, []string{"dec_ABYX"}},
				{id.Decision, "dec_%", "_YX", 9, nil}, // not treated as a pattern
				{id.Decision, "", "", 9, nil},
				{id.Fact, "fact_A", "A", 9, nil},
				{id.Session, "ta", "ta", 9, []string{"talk"}},
				{id.Turn, "turn_A", "A", 9, nil},
				{id.Trace, "trace_A", "A", 9, nil},
				{id.Learning, "lrn_A", "A", 9, nil},
				{id.Document, "doc_A", "A", 9, nil},
				{"other", "A", "A", 9, nil},
			} {
				got, err := r.IDs(b.ctx, global, c.kind, c.begin, c.end, c.limit)
				b.ok(err)
				b.equal(c.kind+" "+c.begin+" "+c.end, got, c.want)
			}
		})
	}},
	{"events are listed in the order they happened", func(b *bench) {
		var at time.Time
		for i := range 5 {
			b.update(func(w store.Writer) {
				b.ok(w.AppendEvent(b.ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: global, Ref: fmt.Sprint("dec_", i),
					Detail: "add", Change: 99, At: time.Unix(1, 0)})) // both are set by the store
				at = w.Now()
			})
		}
		b.view(func(r store.Reader) {
			list, err := r.Events(b.ctx, global, 0, 10)
			b.ok(err)
			b.equal("events", len(list), 5)
			for i, e := range list {
				b.equal("reference", e.Ref, fmt.Sprint("dec_", i))
				if i > 0 && e.Change <= list[i-1].Change {
					b.Errorf("change %d does not follow %d", e.Change, list[i-1].Change)
				}
			}
			last := list[4]
			b.equal("last", last, strata.Event{Change: last.Change, Kind: strata.EventWriteCommitted, Scope: global, Ref: "dec_4",
				Detail: "add", At: at})
			list, err = r.Events(b.ctx, global, list[1].Change, 2)
			b.ok(err)
			b.equal("two after the second", []string{list[0].Ref, list[1].Ref}, []string{"dec_2", "dec_3"})
			st, err := r.Stats(b.ctx, global)
			b.ok(err)
			b.equal("last change", st.Change, last.Change)
			change, err := r.LastChange(b.ctx)
			b.ok(err)
			b.equal("last change", change, last.Change)
		})
	}},
	{"a trace is read back with every field", func(b *bench) {
		x := store.Trace{ID: b.id("trace"), Scope: workspace, Session: "s1", Turn: 3, At: time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC),
			Query: "what's my cat's name?", Took: 1234567, Hits: []store.TraceHit{
				{ID: "fact_1", Score: 0.75, Tier: 2, Why: strata.Why{Words: 0.5, Vector: 0.25, Terms: []string{"cat", "name"}}},
			}}
		b.update(func(w store.Writer) { b.ok(w.PutTrace(b.ctx, x)) })
		b.view(func(r store.Reader) {
			got, err := r.Trace(b.ctx, []strata.Scope{global, workspace}, x.ID)
			b.ok(err)
			b.equal("trace", got, x)
			_, err = r.Trace(b.ctx, []strata.Scope{global}, x.ID)
			b.code(err, strata.CodeNotFound)
		})
		b.code(b.tryUpdate(func(w store.Writer) error { return w.PutTrace(b.ctx, x) }), strata.CodeConflict)
	}},
	{"the newest traces are listed, of all sessions or of one", func(b *bench) {
		var ids []string
		for i := range 6 {
			x := store.Trace{ID: b.id("trace"), Scope: global, Session: []string{"s1", "s2", ""}[i%3], Query: "q"}
			ids = append(ids, x.ID)
			b.update(func(w store.Writer) { b.ok(w.PutTrace(b.ctx, x)) })
		}
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				session string
				want    []string
			}{{"", []string{ids[5], ids[4]}}, {"s1", []string{ids[3], ids[0]}}, {"none", nil}} {
				list, err := r.Traces(b.ctx, global, store.TraceFilter{Session: c.session, Limit: 2})
				b.ok(err)
				var got []string
				for _, x := range list {
					got = append(got, x.ID)
				}
				b.equal("traces of "+c.session, got, c.want)
			}
		})
	}},
	{"traces are listed by session and turn", func(b *bench) {
		var ids []string
		for i := range 6 {
			x := store.Trace{ID: b.id("trace"), Scope: global, Session: []string{"s1", "s2"}[i%2], Turn: int64(i / 4), Query: "q"}
			ids = append(ids, x.ID)
			b.update(func(w store.Writer) { b.ok(w.PutTrace(b.ctx, x)) })
		}
		b.view(func(r store.Reader) {
			list, err := r.Traces(b.ctx, global, store.TraceFilter{Session: "s2", Turn: 1})
			b.ok(err)
			b.equal("traces of a turn", len(list), 1)
			b.equal("trace", list[0].ID, ids[5])
			list, err = r.Traces(b.ctx, global, store.TraceFilter{Session: "s2", Turn: 9})
			b.ok(err)
			b.equal("traces of another turn", len(list), 0)
		})
	}},
	{"recall events are kept up to a number in each scope", func(b *bench) {
		f := b.fact(global, "one")
		b.save(f)
		for range 4 {
			b.update(func(w store.Writer) {
				b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{
					{Scope: global, Memory: f.ID, Query: "one", Score: 0.5, Session: "s1"},
					{Scope: global, Memory: f.ID, Query: "two", Score: 1, Automatic: true},
					{Scope: workspace, Memory: "fact_9", Query: "two", Score: 1},
				}, 5))
			})
		}
		b.equal("kept in the busy scope", b.stats(global).Recalls, 5)
		b.equal("kept in the quiet scope", b.stats(workspace).Recalls, 4)
	}},
	{"a workspace key keeps its id", func(b *bench) {
		b.view(func(r store.Reader) {
			id, err := r.Workspace(b.ctx, "path:/home/u/a")
			b.ok(err)
			b.equal("id before", id, "")
		})
		b.update(func(w store.Writer) {
			b.ok(w.PutWorkspace(b.ctx, "path:/home/u/a", "id1"))
			b.ok(w.PutWorkspace(b.ctx, "path:/home/u/a", "id1"))
			b.ok(w.PutWorkspace(b.ctx, "path:/home/u/b", "id1")) // two keys for one workspace
		})
		b.code(b.tryUpdate(func(w store.Writer) error { return w.PutWorkspace(b.ctx, "path:/home/u/a", "id2") }), strata.CodeConflict)
		b.view(func(r store.Reader) {
			id, err := r.Workspace(b.ctx, "path:/home/u/a")
			b.ok(err)
			b.equal("id", id, "id1")
		})
	}},
	{"stats count what a scope owns", func(b *bench) {
		f, g := b.fact(global, "The build needs Go"), b.fact(global, "The runner is arm64")
		g.Category = "runners"
		b.save(f, g)
		b.save(b.fact(workspace, "not counted"))
		b.change(global, f.ID, "The build needs Go 1.26")
		b.say(global, "s1", "hello", "goodbye")
		d := b.decision(global, strata.OpNoop, f.ID)
		e := b.decision(global, strata.OpReject, "")
		b.decide(d, e)
		b.update(func(w store.Writer) {
			b.ok(w.StampDecisions(b.ctx, global, []string{d.ID}, ""))
			h := b.fact(global, "waits for its vector")
			number, err := w.PutFact(b.ctx, h)
			b.ok(err)
			p := factPassage(w, h, number)
			p.Vector = nil
			b.ok(w.PutPassage(b.ctx, p))
			b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: global, Memory: f.ID, Query: "q"}}, 10))
		})
		st := b.stats(global)
		if st.Bytes <= 0 {
			b.Error("the database takes no bytes")
		}
		st.Bytes, st.Change = 0, 0
		b.equal("stats", st, store.Stats{Scope: global, Facts: 3, Retired: 1, Categories: 2, Turns: 2, Sessions: 1, Decisions: 2,
			Pending: 1, Unembedded: 1, Recalls: 1, Vectors: 5})
		st = b.stats(agent)
		b.equal("stats of a scope that owns nothing", st.Facts+st.Turns+st.Decisions+st.Vectors, 0)
	}},
}

// stats counts a scope.
func (b *bench) stats(scope strata.Scope) store.Stats {
	b.Helper()
	var st store.Stats
	b.view(func(r store.Reader) {
		var err error
		st, err = r.Stats(b.ctx, scope)
		b.ok(err)
	})
	return st
}
