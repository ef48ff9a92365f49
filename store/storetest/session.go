package storetest

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// saveState saves a state of a session.
func (b *bench) saveState(scope strata.Scope, session, data string) {
	b.Helper()
	b.update(func(w store.Writer) { b.ok(w.PutSessionState(b.ctx, scope, session, []byte(data))) })
}

// state returns the saved state of a session, or "none".
func (b *bench) state(scope strata.Scope, session string) (out string) {
	b.Helper()
	b.view(func(r store.Reader) {
		st, err := r.SessionState(b.ctx, scope, session)
		if strata.CodeOf(err) == strata.CodeNotFound {
			out = "none"
			return
		}
		b.ok(err)
		out = string(st.Data)
	})
	return out
}

// snapshot stores a snapshot.
func (b *bench) snapshot(scope strata.Scope, session string, generation int64, s string) (out strata.Snapshot, err error) {
	err = b.tryUpdate(func(w store.Writer) error {
		var err error
		out, err = w.PutSnapshot(b.ctx, strata.Snapshot{Scope: scope, Session: session, Generation: generation, Text: s})
		return err
	})
	return out, err
}

// outstanding returns the ids of the sessions whose transcript is outstanding.
func (b *bench) outstanding() (out []string) {
	b.Helper()
	b.view(func(r store.Reader) {
		for after := (strata.Session{}); ; {
			list, err := r.Unexported(b.ctx, after, 1)
			b.ok(err)
			if len(list) == 0 {
				return
			}
			u := list[0]
			b.equal("outstanding", u.Outstanding(), true)
			out = append(out, fmt.Sprintf("%s/%s@%d", u.Session.Scope, u.Session.ID, u.Revision))
			after = u.Session
		}
	})
	return out
}

var sessionTests = []test{
	{"sessions of one kind are listed before any cut-off", func(b *bench) {
		b.inGroup(global, "party", "a")
		for i := range 5 {
			b.say(global, fmt.Sprintf("private %d", i), "b")
		}
		b.view(func(r store.Reader) {
			list, err := r.Sessions(b.ctx, global, store.SessionFilter{Kind: strata.SessionGroup, Limit: 2})
			b.ok(err)
			b.equal("sessions", len(list), 1)
			b.equal("session", list[0].ID, "party")
		})
	}},
	{"traces and corrections of one kind of session are listed before any cut-off", func(b *bench) {
		b.inGroup(global, "party", "a")
		b.say(global, "private", "b")
		b.update(func(w store.Writer) {
			for i, session := range []string{"party", "", "private", "private", "gone"} {
				at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Minute)
				b.ok(w.PutTrace(b.ctx, store.Trace{ID: fmt.Sprintf("trace_%d", i), Scope: global, Session: session, Query: "q", At: at}))
				for _, kind := range strata.LearningKinds() {
					l := strata.Learning{ID: fmt.Sprintf("lrn_%s_%d", kind, i), Scope: global, Kind: kind, Key: fmt.Sprint(i),
						Text: "t", Session: session, LastAt: at}
					if kind == strata.LearningError {
						l.Tool = "grep"
					}
					_, err := w.PutLearning(b.ctx, l)
					b.ok(err)
				}
			}
		})
		b.view(func(r store.Reader) {
			traces, err := r.Traces(b.ctx, global, store.TraceFilter{SessionKind: strata.SessionGroup, Limit: 1})
			b.ok(err)
			b.equal("traces", len(traces), 1)
			b.equal("trace", traces[0].ID, "trace_0")
			list, err := r.Learnings(b.ctx, global, store.LearningFilter{
				Kind: strata.LearningCorrection, SessionKind: strata.SessionGroup, Limit: 3})
			b.ok(err)
			b.equal("corrections", len(list), 2)
			b.equal("of no session", list[0].ID, "lrn_correction_1")
			b.equal("of the group", list[1].ID, "lrn_correction_0")
			list, err = r.Learnings(b.ctx, global, store.LearningFilter{Kind: strata.LearningError, SessionKind: strata.SessionGroup})
			b.ok(err)
			b.equal("errors", len(list), 5)
		})
	}},
	{"a session keeps its parent, and lists its own", func(b *bench) {
		for i, s := range []strata.Session{{ID: "top"}, {ID: "s1", Kind: strata.SessionSub, Parent: "top"}, {ID: "s2", Kind: strata.SessionSub, Parent: "top"},
			{ID: "s3", Parent: "s1"}} {
			s.Scope, s.StartedAt = global, time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
			b.update(func(w store.Writer) { b.ok(w.OpenSession(b.ctx, s)) })
		}
		b.code(b.tryUpdate(func(w store.Writer) error {
			return w.OpenSession(b.ctx, strata.Session{ID: "loop", Parent: "loop", Scope: global})
		}), strata.CodeInvalid)
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				filter store.SessionFilter
				want   string
			}{
				{store.SessionFilter{}, "s3 s2 s1 top"}, {store.SessionFilter{Parent: "top"}, "s2 s1"}, {store.SessionFilter{Parent: "s3"}, ""},
				{store.SessionFilter{After: "s2"}, "s1 top"}, {store.SessionFilter{After: "s3", Limit: 1}, "s2"},
				{store.SessionFilter{Parent: "top", After: "s2"}, "s1"},
			} {
				list, err := r.Sessions(b.ctx, global, c.filter)
				b.ok(err)
				var got []string
				for _, s := range list {
					got = append(got, s.ID)
				}
				b.equal(fmt.Sprintf("%+v", c.filter), strings.Join(got, " "), c.want)
			}
			_, err := r.Sessions(b.ctx, global, store.SessionFilter{After: "none"})
			b.code(err, strata.CodeNotFound)
			s, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("parent", s.Parent, "top")
		})
	}},
	{"a session waits for its facts until they are extracted up to its last turn", func(b *bench) {
		by := store.ByRules
		waiting := func() (out string) {
			b.view(func(r store.Reader) {
				list, err := r.Extractions(b.ctx, store.ExtractionFilter{Extractor: by})
				b.ok(err)
				for _, x := range list {
					one, err := r.Extraction(b.ctx, x.Scope, x.Session, by)
					b.ok(err)
					b.equal("extraction", one, x)
					out += fmt.Sprintf("%s %s after %d;", x.Scope.Key(), x.Session, x.After)
				}
			})
			return out
		}
		queue := func(scope strata.Scope, session string) {
			b.update(func(w store.Writer) { b.ok(w.QueueExtraction(b.ctx, scope, session, by, time.Time{})) })
		}
		move := func(to int64) {
			b.update(func(w store.Writer) {
				b.ok(w.MoveExtraction(b.ctx, store.Extraction{Scope: global, Session: "s1", Extractor: by, After: to}))
			})
		}
		b.say(global, "s1", "a")
		b.equal("before", waiting(), "")
		queue(global, "s1")
		b.say(global, "s1", "b")
		b.say(global, "s1", "c")
		queue(global, "s1") // continues where it is
		b.equal("queued", waiting(), "global s1 after 1;")
		by = store.ByModel // has a queue of its own
		b.equal("by model", waiting(), "")
		queue(global, "s1")
		b.equal("by model, queued", waiting(), "global s1 after 3;")
		by = store.ByRules
		move(2)
		move(1) // a late worker does not move it back
		b.equal("moved", waiting(), "global s1 after 2;")
		move(3)
		b.equal("done", waiting(), "")
		by = store.ByModel
		b.equal("by model, as before", waiting(), "global s1 after 3;")
		by = store.ByRules
		move(3)
		b.view(func(r store.Reader) {
			_, err := r.Extraction(b.ctx, global, "s1", by)
			b.code(err, strata.CodeNotFound)
		})
		b.code(b.tryUpdate(func(w store.Writer) error { return w.QueueExtraction(b.ctx, global, "none", by, time.Time{}) }), strata.CodeNotFound)
	}},
	{"a worker that claimed a session has it alone until its lease runs out", func(b *bench) {
		b.say(global, "s1", "a")
		b.queueFacts("s1")
		b.say(global, "s1", "b")
		lost := b.claim("one", 0) // a lease that expires at once
		x := b.claim("two", time.Minute)
		b.equal("claimed", x.Session+x.Owner, "s1two")
		b.equal("it is not free", b.claim("three", time.Minute).Owner, "")
		lost.After = 2
		for what, change := range map[string]func(w store.Writer) error{
			"hold":    func(w store.Writer) error { return w.HoldExtraction(b.ctx, lost, time.Minute) },
			"move":    func(w store.Writer) error { return w.MoveExtraction(b.ctx, lost) },
			"release": func(w store.Writer) error { return w.ReleaseExtraction(b.ctx, lost) },
		} {
			if err := b.tryUpdate(change); strata.CodeOf(err) != strata.CodeConflict {
				b.Errorf("%s by a worker that lost its lease: %v", what, err)
			}
		}
		b.view(func(r store.Reader) {
			now, err := r.Extraction(b.ctx, global, "s1", store.ByModel)
			b.ok(err)
			b.equal("what it wrote", now, x)
		})
		b.update(func(w store.Writer) { b.ok(w.HoldExtraction(b.ctx, x, 0)) })
		b.equal("it was held for no time", b.claim("three", time.Minute).Owner, "three")
	}},
	{"one that failed waits for its time, unless the clock went back since", func(b *bench) {
		b.say(global, "s1", "a")
		b.queueFacts("s1")
		b.say(global, "s1", "b")
		due := func() (n int) {
			b.view(func(r store.Reader) {
				list, err := r.Extractions(b.ctx, store.ExtractionFilter{Due: true})
				b.ok(err)
				n = len(list)
			})
			return n
		}
		for pause, want := range map[time.Duration]int{time.Hour: 0, -time.Hour: 1, 2 * store.MaxExtractionPause: 1} {
			b.update(func(w store.Writer) { b.ok(w.RestartExtraction(b.ctx, global, "s1", store.ByModel)) })
			x := b.claim("one", time.Minute)
			b.equal("claimed", due(), 0)
			b.update(func(w store.Writer) {
				x.Attempts, x.RetryAt = 1, w.Now().Add(pause)
				b.ok(w.ReleaseExtraction(b.ctx, x))
			})
			b.equal(fmt.Sprint("due after ", pause), due(), want)
		}
	}},
	{"one that waits for a session to be quiet is moved by what is said, until it is wanted at once", func(b *bench) {
		b.say(global, "s1", "a")
		wait := func(from time.Time) {
			b.update(func(w store.Writer) { b.ok(w.QueueExtraction(b.ctx, global, "s1", store.ByModel, from)) })
		}
		wait(time.Now().Add(time.Hour))
		b.say(global, "s1", "b")
		b.equal("later", b.claim("one", time.Minute).Owner, "")
		wait(time.Time{})
		wait(time.Now().Add(time.Hour))
		x := b.claim("two", time.Minute)
		b.equal("at once, from where it stood", fmt.Sprint(x.Owner, x.After), "two1")
		b.update(func(w store.Writer) {
			x.Attempts, x.RetryAt = 1, w.Now().Add(time.Hour)
			b.ok(w.ReleaseExtraction(b.ctx, x))
			b.ok(w.QueueExtraction(b.ctx, global, "s1", store.ByModel, time.Time{}))
		})
		b.equal("one that failed waits for its own time", b.claim("three", time.Minute).Owner, "")
	}},
	{"what was given up waits no longer, and is tried anew when it is wanted", func(b *bench) {
		dead := func() (out []store.Extraction) {
			b.view(func(r store.Reader) {
				var err error
				out, err = r.Extractions(b.ctx, store.ExtractionFilter{Dead: true, Scopes: []strata.Scope{global}})
				b.ok(err)
			})
			return out
		}
		b.say(global, "s1", "a")
		b.queueFacts("s1")
		b.say(global, "s1", "b")
		giveUp := func() {
			x := b.claim("one", time.Minute)
			at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			x.Attempts, x.LastError, x.DeadAt = 5, "it answers nothing", &at
			b.update(func(w store.Writer) { b.ok(w.ReleaseExtraction(b.ctx, x)) })
			b.equal("claimed", b.claim("two", time.Minute).Owner, "")
			list := dead()
			b.equal("dead", len(list), 1)
			x.Owner, x.LeaseUntil = "", time.Time{}
			b.equal("it says why", list[0], x)
		}
		giveUp()
		b.update(func(w store.Writer) { b.ok(w.ReviveExtraction(b.ctx, dead()[0])) })
		b.equal("revived", len(dead()), 0)
		giveUp()
		b.queueFacts("s1") // more was said
		b.equal("queued", len(dead()), 0)
		giveUp()
		gone := dead()[0]
		b.update(func(w store.Writer) { b.ok(w.DropExtraction(b.ctx, gone)) })
		for _, change := range []func(w store.Writer) error{
			func(w store.Writer) error { return w.DropExtraction(b.ctx, gone) },
			func(w store.Writer) error { return w.ReviveExtraction(b.ctx, gone) },
		} {
			b.code(b.tryUpdate(change), strata.CodeNotFound)
		}
		b.update(func(w store.Writer) { b.ok(w.RestartExtraction(b.ctx, global, "s1", store.ByModel)) })
		b.equal("from its first turn", b.claim("three", time.Minute).After, int64(0))
		b.update(func(w store.Writer) { b.ok(w.RestartExtraction(b.ctx, global, "s1", store.ByModel)) })
		b.equal("also from whoever reads it", b.claim("four", time.Minute).Owner, "four")
	}},
	{"a saved state is read back as it was, and replaced whole", func(b *bench) {
		b.say(global, "s1", "a")
		b.equal("before", b.state(global, "s1"), "none")
		b.saveState(global, "s1", "one")
		two := "two\x00\xff" + strings.Repeat("x", 100_000)
		b.saveState(global, "s1", two)
		if b.state(global, "s1") != two {
			b.Error("the state is not what was saved")
		}
		b.saveState(global, "s1", "")
		b.equal("an empty state", b.state(global, "s1"), "")
		err := b.tryUpdate(func(w store.Writer) error {
			b.ok(w.PutSessionState(b.ctx, global, "s1", []byte("undone")))
			return errUndo
		})
		if err != errUndo {
			b.Fatal(err)
		}
		b.equal("after an undone change", b.state(global, "s1"), "")
	}},
	{"a state needs its session and has a limit", func(b *bench) {
		b.say(global, "s1", "a")
		put := func(scope strata.Scope, session string, data []byte) error {
			return b.tryUpdate(func(w store.Writer) error { return w.PutSessionState(b.ctx, scope, session, data) })
		}
		b.code(put(global, "none", []byte("x")), strata.CodeNotFound)
		b.code(put(workspace, "s1", []byte("x")), strata.CodeNotFound)
		b.code(put(global, "s1", make([]byte, strata.MaxStateBytes+1)), strata.CodeTooLarge)
		b.ok(put(global, "s1", bytes.Repeat([]byte("y"), strata.MaxStateBytes)))
	}},
	{"a state is set aside with its reason, and few are kept", func(b *bench) {
		b.say(global, "s1", "a")
		b.say(global, "s2", "a")
		aside := func(session, reason string) error {
			return b.tryUpdate(func(w store.Writer) error { return w.SetSessionStateAside(b.ctx, global, session, reason) })
		}
		b.code(aside("s1", "no state"), strata.CodeNotFound)
		b.code(aside("none", "no session"), strata.CodeNotFound)
		b.saveState(global, "s2", "other")
		b.ok(aside("s2", "other"))
		for i := range store.KeptAside + 2 {
			b.saveState(global, "s1", fmt.Sprint("state ", i))
			b.ok(aside("s1", fmt.Sprint("reason ", i)))
		}
		b.equal("state", b.state(global, "s1"), "none")
		b.view(func(r store.Reader) {
			list, err := r.StatesAside(b.ctx, global, "s1")
			b.ok(err)
			b.equal("kept", len(list), store.KeptAside)
			b.equal("newest", string(list[0].Data)+", "+list[0].Reason, fmt.Sprintf("state %d, reason %[1]d", store.KeptAside+1))
			list, err = r.StatesAside(b.ctx, global, "s2")
			b.ok(err)
			b.equal("of the other session", len(list), 1)
		})
	}},
	{"a snapshot stays as it is until the next generation", func(b *bench) {
		b.say(global, "s1", "a")
		_, err := b.snapshot(global, "none", 0, "x")
		b.code(err, strata.CodeNotFound)
		b.view(func(r store.Reader) {
			_, err := r.Snapshot(b.ctx, global, "s1")
			b.code(err, strata.CodeNotFound)
		})
		first, err := b.snapshot(global, "s1", 0, "one")
		b.ok(err)
		b.equal("generation", first.Generation, 1)
		again, err := b.snapshot(global, "s1", 1, "one")
		b.ok(err)
		b.equal("the same again", again, first)
		_, err = b.snapshot(global, "s1", 1, "another")
		b.code(err, strata.CodeConflict)
		for range store.KeptSnapshots {
			_, err = b.snapshot(global, "s1", 0, "later")
			b.ok(err)
		}
		_, err = b.snapshot(global, "s1", 1, "one")
		b.code(err, strata.CodeConflict)
		b.view(func(r store.Reader) {
			last, err := r.Snapshot(b.ctx, global, "s1")
			b.ok(err)
			b.equal("latest", fmt.Sprint(last.Generation, last.Text), fmt.Sprint(store.KeptSnapshots+1, "later"))
			_, err = r.Snapshot(b.ctx, workspace, "s1")
			b.code(err, strata.CodeNotFound)
		})
		b.equal("counted", b.stats(global).Snapshots, store.KeptSnapshots)
	}},
	{"the transcript of a closed session is outstanding until it is stamped", func(b *bench) {
		b.say(global, "s1", "a")
		b.say(workspace, "s1", "a")
		b.say(global, "open", "a")
		b.equal("open sessions", b.outstanding(), []string(nil))
		at := time.Date(2026, 2, 3, 4, 5, 6, 0, time.UTC)
		for _, s := range []strata.Scope{global, workspace} {
			b.update(func(w store.Writer) { b.ok(w.CloseSession(b.ctx, s, "s1", at)) })
		}
		b.equal("closed ones", b.outstanding(), []string{"global/s1@0", "workspace/w1/s1@0"})
		b.equal("counted", b.stats(global).Unexported, 1)
		stamp := func(scope strata.Scope, session string, revision int64, reason string) (ok bool) {
			b.update(func(w store.Writer) {
				var err error
				ok, err = w.StampTranscript(b.ctx, scope, session, revision, reason)
				b.ok(err)
			})
			return ok
		}
		b.update(func(w store.Writer) {
			for _, shelf := range []string{"shelf 1", "shelf 2"} {
				place, err := w.PlaceTranscript(b.ctx, global, "s1", shelf)
				b.ok(err)
				b.equal("place", place, "shelf 1")
			}
		})
		b.equal("stamped as of another revision", stamp(global, "s1", 1, ""), false)
		b.equal("stamped though open", stamp(global, "open", 0, ""), false)
		b.equal("stamped", stamp(global, "s1", 0, ""), true)
		b.equal("given up", stamp(workspace, "s1", 0, "somebody changed it"), true)
		b.equal("left", b.outstanding(), []string(nil))
		b.view(func(r store.Reader) {
			list, err := r.TranscriptsAside(b.ctx, workspace)
			b.ok(err)
			b.equal("given up", []string{list[0].Session.ID, list[0].SetAside}, []string{"s1", "somebody changed it"})
			x, err := r.Transcript(b.ctx, global, "s1")
			b.ok(err)
			if x.Outstanding() || x.WrittenAt == nil || x.Place != "shelf 1" {
				b.Errorf("transcript %+v", x)
			}
			_, err = r.Transcript(b.ctx, agent, "s1")
			b.code(err, strata.CodeNotFound)
			s, err := r.Session(b.ctx, global, "s1")
			b.ok(err)
			b.equal("closed at", s.ClosedAt, &at)
		})
	}},
}

// queueFacts queues a session for a model from its current end.
func (b *bench) queueFacts(session string) {
	b.Helper()
	b.update(func(w store.Writer) {
		b.ok(w.QueueExtraction(b.ctx, strata.Global(), session, store.ByModel, time.Time{}))
	})
}

// claim returns the extraction that a worker gets; the zero Extraction for none.
func (b *bench) claim(owner string, lease time.Duration) (x store.Extraction) {
	b.Helper()
	err := b.tryUpdate(func(w store.Writer) (err error) {
		x, err = w.ClaimExtraction(b.ctx, store.ExtractionClaim{Extractor: store.ByModel, Owner: owner, Lease: lease})
		return err
	})
	if strata.CodeOf(err) != strata.CodeNotFound {
		b.ok(err)
	}
	return x
}
