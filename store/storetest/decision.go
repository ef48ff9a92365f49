package storetest

import (
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// decision returns a plain decision that is not stored yet.
func (b *bench) decision(scope strata.Scope, op strata.Op, fact string) strata.Decision {
	return strata.Decision{ID: b.id("dec"), Scope: scope, Op: op, Reason: "nothing like it known",
		Rules: []string{"same_text", "add"}, Confidence: 0.9, Origin: strata.OriginCLI, FactID: fact}
}

// decide stores decisions, each in its own transaction.
func (b *bench) decide(list ...strata.Decision) {
	b.Helper()
	for _, d := range list {
		b.update(func(w store.Writer) { b.ok(w.AppendDecision(b.ctx, d)) })
	}
}

// listed returns the ids of the decisions that a filter selects.
func (b *bench) listed(scope strata.Scope, f strata.DecisionFilter) []string {
	b.Helper()
	var out []string
	b.view(func(r store.Reader) {
		list, err := r.Decisions(b.ctx, scope, f)
		b.ok(err)
		for _, d := range list {
			out = append(out, d.ID)
		}
	})
	return out
}

var decisionTests = []test{
	{"a decision is read back with every field", func(b *bench) {
		at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		before, after := b.fact(workspace, "The staging URL is a.example"), b.fact(workspace, "The staging URL is b.example")
		before.RecordedAt, before.RetiredAt, after.RecordedAt = at, &at, at
		d := strata.Decision{ID: b.id("dec"), RequestID: "request-1", Scope: workspace, Op: strata.OpDelete,
			Reason: "asked for", Rules: []string{"target", "delete"}, Confidence: 1, Origin: strata.OriginTool, Agent: "coder",
			Session: "s1", FactID: before.ID, Before: &before, After: &after, Notes: []string{"note \"quoted\""},
			Reverts: "dec_x", RevertedBy: "dec_y", DecidedAt: at, AppliedAt: &at, SetAside: "gone"}
		b.decide(d)
		b.view(func(r store.Reader) {
			got, err := r.Decision(b.ctx, []strata.Scope{global, workspace}, d.ID)
			b.ok(err)
			b.equal("decision", got, d)
			got, err = r.DecisionByRequest(b.ctx, workspace, "request-1")
			b.ok(err)
			b.equal("decision by request", got, d)
		})
	}},
	{"a decision that is missing is not found", func(b *bench) {
		b.decide(b.decision(global, strata.OpNoop, ""))
		b.view(func(r store.Reader) {
			_, err := r.Decision(b.ctx, []strata.Scope{global}, "dec_none")
			b.code(err, strata.CodeNotFound)
			for _, request := range []string{"", "request-none"} {
				_, err = r.DecisionByRequest(b.ctx, global, request)
				b.code(err, strata.CodeNotFound)
			}
		})
		for _, try := range []func(w store.Writer) error{
			func(w store.Writer) error { return w.StampDecisions(b.ctx, global, []string{"dec_none"}, "") },
			func(w store.Writer) error { return w.StampDecisions(b.ctx, workspace, []string{"dec_none"}, "gone") },
			func(w store.Writer) error { return w.LinkRevert(b.ctx, global, "dec_none", "dec_x") },
		} {
			b.code(b.tryUpdate(try), strata.CodeNotFound)
		}
	}},
	{"a request leads to one decision in a scope", func(b *bench) {
		d := b.decision(global, strata.OpNoop, "")
		d.RequestID = "same"
		b.decide(d)
		e := d
		e.ID = b.id("dec")
		b.code(b.tryUpdate(func(w store.Writer) error { return w.AppendDecision(b.ctx, e) }), strata.CodeConflict)
		e.Scope = workspace
		b.decide(e)
		e.ID, e.RequestID = d.ID, ""
		e.Scope = global
		b.code(b.tryUpdate(func(w store.Writer) error { return w.AppendDecision(b.ctx, e) }), strata.CodeConflict)
		b.decide(b.decision(global, strata.OpNoop, ""), b.decision(global, strata.OpNoop, "")) // no request, twice
	}},
	{"decisions are listed newest first and can be narrowed", func(b *bench) {
		var all []string
		for i := range 9 {
			d := b.decision(global, []strata.Op{strata.OpAdd, strata.OpNoop, strata.OpReject}[i%3], []string{"fact_1", "fact_2"}[i%2])
			d.DecidedAt = time.Date(2026, 1, 1+i, 0, 0, 0, 0, time.UTC)
			all = append(all, d.ID)
			b.decide(d)
		}
		slices.Reverse(all)
		b.equal("all", b.listed(global, strata.DecisionFilter{}), all)
		b.equal("one operation", b.listed(global, strata.DecisionFilter{Op: strata.OpNoop}), []string{all[1], all[4], all[7]})
		b.equal("one fact", b.listed(global, strata.DecisionFilter{FactID: "fact_2"}), []string{all[1], all[3], all[5], all[7]})
		b.equal("since", b.listed(global, strata.DecisionFilter{Since: time.Date(2026, 1, 8, 0, 0, 0, 0, time.UTC)}), all[:2])
		b.equal("limit", b.listed(global, strata.DecisionFilter{Limit: 3}), all[:3])
		b.equal("next page", b.listed(global, strata.DecisionFilter{Limit: 3, After: all[2]}), all[3:6])
		b.equal("all at once", b.listed(global, strata.DecisionFilter{Op: strata.OpAdd, FactID: "fact_1",
			Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), After: all[0], Limit: 5}), []string{all[2]})
	}},
	{"pending decisions are listed oldest first until they are stamped", func(b *bench) {
		var all []string
		for range 5 {
			d := b.decision(global, strata.OpNoop, "")
			all = append(all, d.ID)
			b.decide(d)
		}
		b.equal("pending", b.listed(global, strata.DecisionFilter{Pending: true}), all)
		b.equal("first page", b.listed(global, strata.DecisionFilter{Pending: true, Limit: 2}), all[:2])
		b.equal("next page", b.listed(global, strata.DecisionFilter{Pending: true, Limit: 2, After: all[1]}), all[2:4])
		var at time.Time
		b.update(func(w store.Writer) {
			b.ok(w.StampDecisions(b.ctx, global, []string{all[0]}, ""))
			b.ok(w.StampDecisions(b.ctx, global, []string{all[2]}, "the file is gone"))
			at = w.Now()
		})
		b.update(func(w store.Writer) { b.ok(w.StampDecisions(b.ctx, global, []string{all[0]}, "")) }) // keeps the first time
		b.equal("still pending", b.listed(global, strata.DecisionFilter{Pending: true}), []string{all[1], all[3], all[4]})
		waiting := func() (out []strata.Scope) {
			b.view(func(r store.Reader) {
				var err error
				out, err = r.PendingScopes(b.ctx)
				b.ok(err)
			})
			return out
		}
		other := b.decision(workspace, strata.OpNoop, "")
		b.decide(other)
		b.equal("scopes with pending ones", waiting(), []strata.Scope{global, workspace})
		b.update(func(w store.Writer) { b.ok(w.StampDecisions(b.ctx, workspace, []string{other.ID}, "")) })
		b.equal("scopes with pending ones after a stamp", waiting(), []strata.Scope{global})
		b.view(func(r store.Reader) {
			d, err := r.Decision(b.ctx, []strata.Scope{global}, all[0])
			b.ok(err)
			b.equal("applied at", d.AppliedAt, at)
			d, err = r.Decision(b.ctx, []strata.Scope{global}, all[2])
			b.ok(err)
			b.equal("set aside", d.SetAside, "the file is gone")
		})
	}},
	{"a decision that was undone names the one that did it", func(b *bench) {
		d, e := b.decision(global, strata.OpNoop, ""), b.decision(global, strata.OpDelete, "fact_1")
		e.Reverts = d.ID
		b.decide(d, e)
		b.update(func(w store.Writer) { b.ok(w.LinkRevert(b.ctx, global, d.ID, e.ID)) })
		b.view(func(r store.Reader) {
			got, err := r.Decision(b.ctx, []strata.Scope{global}, d.ID)
			b.ok(err)
			b.equal("reverted by", got.RevertedBy, e.ID)
		})
	}},
}
