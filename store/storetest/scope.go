package storetest

import (
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

var scopeTests = []test{
	{"scopes are listed by key once they own anything", func(b *bench) {
		b.view(func(r store.Reader) {
			list, err := r.Scopes(b.ctx)
			b.ok(err)
			b.equal("of an empty store", len(list), 0)
		})
		for _, s := range []strata.Scope{workspace, agentIn, global, agent} {
			b.save(b.fact(s, "something"))
		}
		b.view(func(r store.Reader) {
			list, err := r.Scopes(b.ctx)
			b.ok(err)
			b.equal("scopes", list, []strata.Scope{agent, global, workspace, agentIn})
		})
	}},
	{"no read sees the rows of a scope it does not name", func(b *bench) {
		f := b.fact(neighbor, "the secret plan is 42")
		f.Entity, f.Attribute = "plan", "number"
		b.save(f)
		u := b.say(neighbor, "s1", "the secret plan again")[0]
		d := b.decision(neighbor, strata.OpNoop, f.ID)
		d.RequestID = "request"
		b.decide(d)
		x := store.Trace{ID: b.id("trace"), Scope: neighbor, Session: "s1", Query: "plan"}
		b.update(func(w store.Writer) {
			b.ok(w.PutTrace(b.ctx, x))
			b.ok(w.AppendEvent(b.ctx, strata.Event{Kind: strata.EventWriteNoop, Scope: neighbor, Ref: d.ID}))
			b.ok(w.PutSessionState(b.ctx, neighbor, "s1", []byte("the plan")))
			b.ok(r1(w.PutSnapshot(b.ctx, strata.Snapshot{Scope: neighbor, Session: "s1", Text: "the plan"})))
			b.ok(r1(w.PutLearning(b.ctx, b.learning(neighbor, "k", "the plan"))))
			b.ok(w.PutOutcome(b.ctx, strata.ToolOutcome{Scope: neighbor, Tool: "t", Params: paramsHash}))
		})
		for _, s := range []strata.Scope{global, workspace, agent, agentIn} {
			b.save(b.fact(s, "a plan of "+s.Key()))
		}
		note := b.write(neighbor, "notes/project_plan.md", "the secret plan as a note")
		filed := b.fileDecision(neighbor, note.Path, nil, &note)
		b.decide(filed)
		others := []strata.Scope{global, workspace, agent, agentIn}
		b.view(func(r store.Reader) {
			_, err := r.DocumentByID(b.ctx, others, note.ID)
			b.code(err, strata.CodeNotFound)
			_, err = r.Decision(b.ctx, others, filed.ID)
			b.code(err, strata.CodeNotFound)
			for _, s := range others {
				b.seesNoFile(r, s, note)
			}
			_, err = r.Fact(b.ctx, others, f.ID)
			b.code(err, strata.CodeNotFound)
			_, err = r.Decision(b.ctx, others, d.ID)
			b.code(err, strata.CodeNotFound)
			_, err = r.Turn(b.ctx, others, u.ID)
			b.code(err, strata.CodeNotFound)
			_, err = r.Trace(b.ctx, others, x.ID)
			b.code(err, strata.CodeNotFound)
			for _, s := range others {
				b.seesOnly(r, s, f, d)
			}
		})
	}},
	{"a scope with many better matches does not starve another", func(b *bench) {
		query := vectorOf("the query")
		b.update(func(w store.Writer) {
			for i := range 60 {
				f := b.fact(neighbor, fmt.Sprintf("invoice invoice invoice %d", i))
				number, err := w.PutFact(b.ctx, f)
				b.ok(err)
				p := factPassage(w, f, number)
				p.Vector = mix(query, vectorOf(f.Text), 0.1)
				b.ok(w.PutPassage(b.ctx, p))
			}
		})
		f := b.fact(workspace, "one lonely invoice")
		b.save(f)
		b.view(func(r store.Reader) {
			near, err := r.Nearest(b.ctx, workspace, model, query, nil, store.Filter{}, 5)
			b.ok(err)
			b.equal("nearest", len(near), 1)
			list, err := r.MatchPhrase(b.ctx, workspace, text.Terms("invoice"), false, store.Filter{}, 5)
			b.ok(err)
			b.equal("by words", b.refs(r, workspace, list), []string{f.ID})
			list, err = r.MatchSubstring(b.ctx, workspace, "voic", store.Filter{}, 5)
			b.ok(err)
			b.equal("by a part of a word", b.refs(r, workspace, list), []string{f.ID})
			parents, err := r.NearestParents(b.ctx, workspace, model, query, strata.KindFact, store.Filter{}, 5)
			b.ok(err)
			b.equal("categories", len(parents), 1)
		})
	}},
	{"a scope cannot be reached by the numbers of another's passages", func(b *bench) {
		numbers := b.save(b.fact(neighbor, "the secret plan"))
		b.say(neighbor, "s1", "where the secret plan lies")
		b.save(b.fact(workspace, "nothing"))
		b.view(func(r store.Reader) {
			items, err := r.Items(b.ctx, workspace, numbers)
			b.ok(err)
			b.equal("items", len(items), 0)
			same, err := r.Similarities(b.ctx, workspace, model, vectorOf("the secret plan"), numbers)
			b.ok(err)
			b.equal("similarities", same, []float32{0})
			theirs, err := r.Parents(b.ctx, neighbor, strata.KindFact, nil)
			b.ok(err)
			mine, err := r.Parents(b.ctx, workspace, strata.KindFact, []int64{theirs[0].Number})
			b.ok(err)
			b.equal("parents", len(mine), 0)
			talks, err := r.Parents(b.ctx, neighbor, strata.KindTurn, nil)
			b.ok(err)
			for scope, want := range map[strata.Scope]int{neighbor: 1, workspace: 0} {
				metas, err := r.PassagesAt(b.ctx, scope, []store.Place{{Parent: talks[0].Number, Seq: 1}}, store.Filter{})
				b.ok(err)
				b.equal("passages for "+scope.Key(), len(metas), want)
			}
			near, err := r.Nearest(b.ctx, workspace, model, vectorOf("the secret plan"), []int64{theirs[0].Number}, store.Filter{}, 5)
			b.ok(err)
			b.equal("nearest inside a parent", len(near), 0)
		})
	}},
	{"a writer cannot change what another scope owns", func(b *bench) {
		f := b.fact(neighbor, "mine")
		b.save(f)
		b.save(b.fact(workspace, "yours"))
		d := b.decision(neighbor, strata.OpNoop, f.ID)
		b.decide(d)
		b.say(neighbor, "s1", "a")
		for _, try := range []func(w store.Writer) error{
			func(w store.Writer) error { return w.RetireFact(b.ctx, workspace, f.ID, 1, "") },
			func(w store.Writer) error { _, err := w.Forget(b.ctx, workspace, f.ID, nil); return err },
			func(w store.Writer) error { return w.StampDecisions(b.ctx, workspace, []string{d.ID}, "") },
			func(w store.Writer) error { return w.LinkRevert(b.ctx, workspace, d.ID, "dec_x") },
			func(w store.Writer) error { return w.CloseSession(b.ctx, workspace, "s1", time.Time{}) },
		} {
			b.code(b.tryUpdate(try), strata.CodeNotFound)
		}
	}},
	{"a scope that is none is refused", func(b *bench) {
		for _, s := range []strata.Scope{{}, {Kind: "elsewhere"}, {Kind: strata.ScopeWorkspace}, {Kind: strata.ScopeGlobal, Agent: "x"},
			strata.InWorkspace("a/b"), strata.InWorkspace("../x")} {
			b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.PutFact(b.ctx, b.fact(s, "x")); return err }), strata.CodeInvalid)
			err := b.st.View(b.ctx, func(r store.Reader) error {
				_, err := r.Facts(b.ctx, s, strata.FactFilter{})
				return err
			})
			b.code(err, strata.CodeInvalid)
			err = b.st.View(b.ctx, func(r store.Reader) error {
				_, err := r.Match(b.ctx, s, []string{"x"}, store.Filter{}, store.MatchOptions{})
				return err
			})
			b.code(err, strata.CodeInvalid)
		}
	}},
}

// seesNoFile fails the test if reading scope s returns anything of a document of another
// scope.
func (b *bench) seesNoFile(r store.Reader, s strata.Scope, d strata.Document) {
	b.Helper()
	_, err := r.Document(b.ctx, s, d.Path)
	b.code(err, strata.CodeNotFound)
	sections, err := r.Sections(b.ctx, s, d.ID)
	b.ok(err)
	b.equal("sections", len(sections), 0)
	list, err := r.Documents(b.ctx, s, strata.DocumentFilter{System: true})
	b.ok(err)
	b.equal("documents", len(list), 0)
	same, err := r.SameIdentity(b.ctx, s, d.Identity())
	b.ok(err)
	b.equal("of the same identity", len(same), 0)
	stats, err := r.DocumentStats(b.ctx, s)
	b.ok(err)
	b.equal("stats", len(stats), 0)
	parents, err := r.Parents(b.ctx, s, strata.KindSection, nil)
	b.ok(err)
	b.equal("parents", len(parents), 0)
	near, err := r.NearestParents(b.ctx, s, model, vectorOf("the secret plan as a note"), strata.KindSection, store.Filter{}, 5)
	b.ok(err)
	b.equal("nearest documents", len(near), 0)
	decisions, err := r.Decisions(b.ctx, s, strata.DecisionFilter{Path: d.Path})
	b.ok(err)
	b.equal("decisions about the file", len(decisions), 0)
}

// seesOnly fails the test if reading scope s returns anything of another scope.
func (b *bench) seesOnly(r store.Reader, s strata.Scope, f strata.Fact, d strata.Decision) {
	b.Helper()
	versions, err := r.FactVersions(b.ctx, s, f.ID)
	b.ok(err)
	b.equal("versions", len(versions), 0)
	for _, filter := range []strata.FactFilter{{}, {Retired: true}, {Category: "general"}, {Type: strata.TypeProject}} {
		list, err := r.Facts(b.ctx, s, filter)
		b.ok(err)
		b.equal("facts", textsOf(list), []string{"a plan of " + s.Key()})
	}
	same, err := r.FactsByText(b.ctx, s, text.Analyze(f.Text))
	b.ok(err)
	b.equal("by text", len(same), 0)
	same, err = r.FactsBySlot(b.ctx, s, f.Entity, f.Attribute)
	b.ok(err)
	b.equal("by slot", len(same), 0)
	_, err = r.DecisionByRequest(b.ctx, s, d.RequestID)
	b.code(err, strata.CodeNotFound)
	for _, filter := range []strata.DecisionFilter{{}, {Pending: true}, {FactID: f.ID}, {Op: strata.OpNoop}} {
		list, err := r.Decisions(b.ctx, s, filter)
		b.ok(err)
		b.equal("decisions", len(list), 0)
	}
	_, err = r.Session(b.ctx, s, "s1")
	b.code(err, strata.CodeNotFound)
	sessions, err := r.Sessions(b.ctx, s, store.SessionFilter{})
	b.ok(err)
	b.equal("sessions", len(sessions), 0)
	turns, err := r.Turns(b.ctx, s, "s1", store.TurnFilter{})
	b.ok(err)
	b.equal("turns", len(turns), 0)
	learnings, err := r.Learnings(b.ctx, s, store.LearningFilter{Forgotten: true})
	b.ok(err)
	b.equal("learnings", len(learnings), 0)
	outcomes, err := r.Outcomes(b.ctx, s, store.OutcomeFilter{})
	b.ok(err)
	b.equal("outcomes", len(outcomes), 0)
	_, err = r.SessionState(b.ctx, s, "s1")
	b.code(err, strata.CodeNotFound)
	_, err = r.Snapshot(b.ctx, s, "s1")
	b.code(err, strata.CodeNotFound)
	for _, session := range []string{"", "s1"} {
		traces, err := r.Traces(b.ctx, s, store.TraceFilter{Session: session})
		b.ok(err)
		b.equal("traces", len(traces), 0)
	}
	events, err := r.Events(b.ctx, s, 0, 0)
	b.ok(err)
	b.equal("events", len(events), 0)
	st, err := r.Stats(b.ctx, s)
	b.ok(err)
	b.equal("counts", []int64{st.Facts, st.Turns, st.Sessions, st.Decisions, st.Pending, st.Vectors}, []int64{1, 0, 0, 0, 0, 1})
	m, err := r.Match(b.ctx, s, text.Terms("secret plan"), store.Filter{}, store.MatchOptions{})
	b.ok(err)
	b.equal("matches", len(m.Passages), 1)
	b.equal("passages in all", m.Total, 1)
	near, err := r.Nearest(b.ctx, s, model, vectorOf(f.Text), nil, store.Filter{}, 10)
	b.ok(err)
	b.equal("nearest", len(near), 1)
	sources, err := r.Sources(b.ctx, s, 0, 100)
	b.ok(err)
	b.equal("sources", len(sources), 1)
	categories, err := r.Categories(b.ctx, s, theModel)
	b.ok(err)
	b.equal("categories", len(categories), 1)
}
