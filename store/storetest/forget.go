package storetest

import (
	"encoding/json"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const secret = "My cat's name is Whiskerino"

// forget forgets a fact.
func (b *bench) forget(scope strata.Scope, id string) store.Forgotten {
	b.Helper()
	var out store.Forgotten
	b.update(func(w store.Writer) {
		var err error
		out, err = w.Forget(b.ctx, scope, id, nil)
		b.ok(err)
	})
	return out
}

// holds reports whether anything that can be read of the scope holds s.
func (b *bench) holds(scope strata.Scope, s string) bool {
	b.Helper()
	var all []any
	b.view(func(r store.Reader) {
		facts, err := r.Facts(b.ctx, scope, strata.FactFilter{Retired: true, Limit: 10_000})
		b.ok(err)
		decisions, err := r.Decisions(b.ctx, scope, strata.DecisionFilter{Limit: 10_000})
		b.ok(err)
		sources, err := r.Sources(b.ctx, scope, 0, 10_000)
		b.ok(err)
		traces, err := r.Traces(b.ctx, scope, store.TraceFilter{Limit: 10_000})
		b.ok(err)
		events, err := r.Events(b.ctx, scope, 0, 10_000)
		b.ok(err)
		waiting, err := r.Unembedded(b.ctx, theModel, 10_000)
		b.ok(err)
		categories, err := r.Categories(b.ctx, scope, theModel)
		b.ok(err)
		learnings, err := r.Learnings(b.ctx, scope, store.LearningFilter{Forgotten: true, Limit: 10_000})
		b.ok(err)
		outcomes, err := r.Outcomes(b.ctx, scope, store.OutcomeFilter{Limit: 10_000})
		b.ok(err)
		all = append(all, learnings, outcomes)
		documents, err := r.Documents(b.ctx, scope, strata.DocumentFilter{System: true, Content: true})
		b.ok(err)
		for _, d := range documents {
			sections, err := r.Sections(b.ctx, scope, d.ID)
			b.ok(err)
			all = append(all, d, sections)
		}
		all = append(all, facts, decisions, sources, traces, events, waiting, categories)
		m, err := r.Match(b.ctx, scope, text.Terms(s), store.Filter{}, store.MatchOptions{})
		b.ok(err)
		for i, hits := range m.Terms {
			if len(hits) > 0 && !strings.Contains("my name is", text.Terms(s)[i]) {
				all = append(all, s)
			}
		}
		list, err := r.MatchSubstring(b.ctx, scope, s, store.Filter{}, 10)
		b.ok(err)
		if len(list) > 0 {
			all = append(all, s)
		}
	})
	body, err := json.Marshal(all)
	b.ok(err)
	return strings.Contains(strings.ToLower(string(body)), strings.ToLower(s))
}

var forgetTests = []test{
	{"a forgotten fact is nowhere", func(b *bench) {
		turns := b.say(global, "s1", "hello", "you should know: my  CAT'S name is whiskerino!", "bye", "We got a cat, it is Whiskerino")
		f := b.fact(global, secret)
		f.Sources, f.Entity, f.Attribute, f.Category = []string{turns[3].ID}, "cat whiskerino", "name", "whiskerino"
		f.Tags = []string{"whiskerino"}
		b.save(f)
		d := b.decision(global, strata.OpAdd, f.ID)
		d.After, d.Reason, d.Notes = &f, "like “my cat's na…”", []string{"note"}
		b.decide(d)
		second := b.change(global, f.ID, "My cat's name is Whiskerino II")
		e := b.decision(global, strata.OpUpdate, f.ID)
		e.Before, e.After = &f, &second
		b.decide(e)
		b.update(func(w store.Writer) {
			b.ok(w.PutTrace(b.ctx, store.Trace{ID: b.id("trace"), Scope: global, Query: "is it true that my cat's name is Whiskerino?",
				Hits: []store.TraceHit{{ID: f.ID, Score: 1, Tier: 2, Why: strata.Why{Words: 1, Terms: []string{"whiskerino"}}}}}))
			b.ok(w.PutTrace(b.ctx, store.Trace{ID: b.id("trace"), Scope: global, Query: "what is my cat called?"}))
			b.ok(w.RecordRecall(b.ctx, []store.RecallEvent{{Scope: global, Memory: f.ID, Query: secret}}, 10))
			b.ok(w.RecordAccess(b.ctx, global, []string{f.ID}))
		})
		got := b.forget(global, f.ID)
		b.equal("what went", got, store.Forgotten{Versions: 2, Decisions: 2, Turns: []string{turns[1].ID, turns[3].ID}, Traces: 2})
		for _, s := range []string{"whiskerino", secret, "cat's na"} {
			if b.holds(global, s) {
				b.Errorf("%q is still there", s)
			}
		}
		b.ok(b.st.Compact(b.ctx))
		b.view(func(r store.Reader) {
			_, err := r.Fact(b.ctx, []strata.Scope{global}, f.ID)
			b.code(err, strata.CodeNotFound)
			u, err := r.Turn(b.ctx, []strata.Scope{global}, turns[1].ID)
			b.ok(err)
			b.equal("the turn keeps its place", []any{u.Seq, u.Forgotten, u.Role}, []any{2, true, strata.RoleUser})
			u, err = r.Turn(b.ctx, []strata.Scope{global}, turns[0].ID)
			b.ok(err)
			b.equal("another turn", u.Text, "hello")
			traces, err := r.Traces(b.ctx, global, store.TraceFilter{Limit: 10})
			b.ok(err)
			b.equal("another trace", traces[0].Query, "what is my cat called?")
			list, err := r.Decisions(b.ctx, global, strata.DecisionFilter{FactID: f.ID})
			b.ok(err)
			b.equal("decisions keep their place", len(list), 2)
			b.equal("generation", list[0].After.Generation, 2)
		})
		b.equal("recall events", b.stats(global).Recalls, 0)
	}},
	{"a tombstone stands for every version, in its scope only", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		b.change(global, f.ID, "My cat is called Bob")
		g := b.fact(workspace, "something else")
		b.save(g)
		b.forget(global, f.ID)
		b.view(func(r store.Reader) {
			for _, c := range []struct {
				scope strata.Scope
				s     string
				want  bool
			}{
				{global, secret, true}, {global, "  my cat's NAME is whiskerino ", true}, {global, "my cat is called bob", true},
				{global, "my cat", false}, {workspace, secret, false}, {agent, secret, false},
			} {
				at, ok, err := r.Forgotten(b.ctx, c.scope, text.Analyze(c.s))
				b.ok(err)
				if ok != c.want || ok == at.IsZero() {
					b.Errorf("forgotten %q in %s: %v at %v, want %v", c.s, c.scope, ok, at, c.want)
				}
			}
		})
		b.equal("tombstones", b.stats(global).Tombstones, 1)
	}},
	{"what was forgotten can be said again by somebody", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		b.forget(global, f.ID)
		g := b.fact(global, secret) // as a person may say it again
		b.save(g)
		b.equal("found", b.found(global, "whiskerino", store.Filter{}), []string{g.ID})
		b.forget(global, g.ID)
		if b.holds(global, "whiskerino") {
			b.Error("the text is still there after the second time")
		}
	}},
	{"what else holds the text is named", func(b *bench) {
		f := b.fact(global, secret)
		f.Sources = []string{"turn_none"}
		g := b.fact(global, "Note: my cat's name is Whiskerino, like my aunt's")
		h := b.fact(workspace, strings.ToUpper(secret))
		b.save(f, g, h)
		u := b.say(agent, "s1", "my cat's name is whiskerino")[0]
		inside := b.say(global, "s1", "xmy cat's name is whiskerinoing")[0] // not as separate words
		d := b.decision(global, strata.OpSupersede, g.ID)
		d.Before, d.After = &f, &g
		b.decide(d)
		got := b.forget(global, f.ID)
		b.equal("remaining", got.Remaining, []string{"agent/coder/" + u.ID, g.ID, inside.ID, "workspace/w1/" + h.ID})
		b.equal("turns blanked", got.Turns, []string(nil))
		b.view(func(r store.Reader) {
			kept, err := r.Decision(b.ctx, []strata.Scope{global}, d.ID)
			b.ok(err)
			b.equal("the other side of the decision", kept.After.Text, g.Text)
			if kept.Before.Text == secret {
				b.Error("the decision holds the forgotten side")
			}
		})
	}},
	{"sources in another scope are named, not changed", func(b *bench) {
		u := b.say(workspace, "s1", "we have a cat by the name of W.")[0]
		f := b.fact(global, secret)
		f.Sources = []string{u.ID}
		b.save(f)
		got := b.forget(global, f.ID)
		b.equal("remaining", got.Remaining, []string{"workspace/w1/" + u.ID})
		b.view(func(r store.Reader) {
			now, err := r.Turn(b.ctx, []strata.Scope{workspace}, u.ID)
			b.ok(err)
			b.equal("turn", now, u)
		})
	}},
	{"a short text takes only turns that hold it as a word", func(b *bench) {
		f := b.fact(global, "cat")
		b.save(f)
		turns := b.say(global, "s1", "concatenate the files", "the CAT sat", "cat", "the category")
		got := b.forget(global, f.ID)
		b.equal("turns", got.Turns, []string{turns[1].ID, turns[2].ID})
	}},
	{"text that is not ASCII is found in all its forms", func(b *bench) {
		f := b.fact(global, "私の猫はタマ")
		g := b.fact(global, "The café is called Zoë's")
		b.save(f, g)
		turns := b.say(global, "s1", "ところで私の猫はﾀﾏです", "the CAFE\u0301 is called zoe\u0308's, really", "plain words")
		b.equal("turns of the first", b.forget(global, f.ID).Turns, []string{turns[0].ID})
		b.equal("turns of the second", b.forget(global, g.ID).Turns, []string{turns[1].ID})
		h := b.fact(global, "the ninth is full")
		b.save(h)
		wide := b.say(global, "s1", "Ｔｈｅ ｎｉｎｔｈ is full!")[0]
		b.equal("turns of the third", b.forget(global, h.ID).Turns, []string{wide.ID})
	}},
	{"forgetting can be tried without being done", func(b *bench) {
		f := b.fact(global, secret)
		b.save(f)
		b.say(global, "s1", secret)
		err := b.tryUpdate(func(w store.Writer) error {
			got, err := w.Forget(b.ctx, global, f.ID, nil)
			b.ok(err)
			b.equal("turns", len(got.Turns), 1)
			return errUndo
		})
		if err != errUndo {
			b.Fatal(err)
		}
		b.equal("found", len(b.found(global, "whiskerino", store.Filter{})), 2)
		b.equal("tombstones", b.stats(global).Tombstones, 0)
	}},
	{"a fact that is missing cannot be forgotten", func(b *bench) {
		for range 2 {
			b.code(b.tryUpdate(func(w store.Writer) error { _, err := w.Forget(b.ctx, global, "fact_none", nil); return err }), strata.CodeNotFound)
			b.save(b.fact(global, "x"))
		}
	}},
}
