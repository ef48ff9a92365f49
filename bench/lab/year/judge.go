package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench/lab/life"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// asked is how many hits each question asks for.
const asked = 5

// judge compares memory with the life when the year is over.
func (p *player) judge(ctx context.Context) (Result, error) {
	p.spent.averages()
	a := &audit{player: p, out: Result{Seed: p.Seed, Sessions: p.Sessions, Times: p.spent}}
	a.out.Figures = Figures{Turns: p.spent.Turns, Kinds: make(map[life.Kind]*Kept), Noise: make(map[life.Kind]int)}
	a.judgePrompt()
	if err := a.readFacts(ctx); err != nil {
		return a.out, err
	}
	for _, t := range p.life.Truths {
		if err := a.judgeTruth(ctx, t); err != nil {
			return a.out, err
		}
	}
	a.judgeNoise()
	if err := a.judgeFiles(); err != nil {
		return a.out, err
	}
	if err := a.archive(ctx); err != nil {
		return a.out, err
	}
	if err := a.judgeSecrets(ctx); err != nil {
		return a.out, err
	}
	return a.out, a.judgeArchives(ctx)
}

// judgePrompt averages the prompts with which sessions began, by month.
func (a *audit) judgePrompt() {
	out := &a.out.Figures
	out.Prompt = make(map[snapshot.PartKind]*[12]int)
	for i, m := range a.months {
		if m.sessions == 0 {
			continue
		}
		out.Tokens[i] = m.tokens / m.sessions
		for kind, tokens := range m.parts {
			if out.Prompt[kind] == nil {
				out.Prompt[kind] = new([12]int)
			}
			out.Prompt[kind][i] = tokens / m.sessions
		}
	}
}

// judgeTruth looks what became of one truth.
func (a *audit) judgeTruth(ctx context.Context, t life.Truth) error {
	k := a.out.Figures.Kinds[t.Kind]
	if k == nil {
		k = new(Kept)
		a.out.Figures.Kinds[t.Kind] = k
	}
	if t.Slip && !a.kept(t) {
		return nil // a slip that memory did not keep
	}
	if !t.Slip {
		k.Told++
		if !a.kept(t) {
			a.fail(Failure{FailMissed, t.Kind, a.told(t.ID, life.Tell, life.Change, life.Correct), t.Slot + ": " + t.Value, ""})
			return nil
		}
		k.Kept++
	}
	a.judgeBorder(t)
	switch {
	case t.Holds():
		k.Holding++
		return a.judgeHolding(ctx, t, k)
	case t.Kind == life.Plan:
		a.judgePlan(t)
		return nil
	}
	return a.judgePast(ctx, t)
}

// judgeHolding asks for a truth that still holds, in the project that it belongs to.
func (a *audit) judgeHolding(ctx context.Context, t life.Truth, k *Kept) error {
	res, err := a.ask(ctx, t, t.Project, nil)
	if err != nil {
		return err
	}
	a.out.Figures.Holding.Asked++
	if a.answers(res, t) >= 0 {
		a.out.Figures.Holding.Found++
		k.Found++
	} else {
		a.fail(Failure{FailUnfound, t.Kind, t.Question, t.Slot + ": " + t.Value, a.list(t) + " Hits: " + texts(res.Hits)})
	}
	if !slices.ContainsFunc(a.of[t.ID], func(f strata.Fact) bool { return f.Scope == a.scope(t.Project) }) {
		a.out.Figures.Misfiled++
		a.fail(Failure{FailMisfiled, t.Kind, a.told(t.ID, life.Tell, life.Change, life.Correct), "in " + a.scope(t.Project).String(), a.list(t)})
	}
	return nil
}

// judgeBorder checks whether the other project sees a truth that belongs to one.
func (a *audit) judgeBorder(t life.Truth) {
	if t.Project == life.Home {
		return
	}
	a.out.Figures.OfProjects++
	other := a.view(1 + t.Project%life.Projects)
	for _, f := range a.of[t.ID] {
		if f.Current() && slices.Contains(other.Scopes, f.Scope) {
			a.out.Figures.Crossed++
			a.fail(Failure{FailCrossed, t.Kind, a.told(t.ID, life.Tell, life.Change, life.Correct), "in " + a.scope(t.Project).String(), a.list(t)})
			return
		}
	}
}

// judgePlan checks whether memory knows that the day of a plan has passed: the fact must
// have ended or say the date.
func (a *audit) judgePlan(t life.Truth) {
	a.out.Figures.Plans++
	f := a.current(t)
	if f == nil || says(f.Text, t.To.Format("2006")) {
		return
	}
	a.out.Figures.PlansStale++
	a.fail(Failure{FailPlan, t.Kind, a.told(t.ID, life.Tell), "over since " + t.To.Format(time.DateOnly), f.Text})
}

// judgePast checks whether memory still gives a truth that ended as current, and whether
// it finds the truth as of the time when it held.
func (a *audit) judgePast(ctx context.Context, t life.Truth) error {
	past := &a.out.Figures.Changes
	past.Ended++
	end, by := a.told(t.ID, life.End), a.ends[t.ID]
	if t.Next >= 0 {
		end, by = a.told(t.Next, life.Change, life.Correct), a.of[t.Next]
	}
	f := a.current(t)
	want := "no longer " + t.Value + ": " + t.Slot
	switch {
	case f == nil:
		past.Understood++
	case len(by) == 0:
		past.Missed++
		a.fail(Failure{FailUnseen, t.Kind, end, want, f.Text})
		return nil
	case !slices.ContainsFunc(by, func(f strata.Fact) bool { return f.Attribute != "" }):
		past.Beside++
		a.fail(Failure{FailBeside, t.Kind, end, want, a.list(t) + " Beside: " + by[0].Text})
	default:
		past.Understood++
		past.Current++
		a.fail(Failure{FailCurrent, t.Kind, end, want, fmt.Sprintf("%s Beside: %q (%s/%s)", a.list(t), by[0].Text, by[0].Entity, by[0].Attribute)})
	}
	if t.Next >= 0 && a.life.Truths[t.Next].Holds() && a.kept(a.life.Truths[t.Next]) {
		if err := a.judgeOrder(ctx, t); err != nil {
			return err
		}
	}
	if t.Slip || t.To.Sub(t.From) < time.Hour {
		return nil
	}
	then := t.From.Add(t.To.Sub(t.From) / 2)
	res, err := a.ask(ctx, t, t.Project, &then)
	if err != nil {
		return err
	}
	past.AsOf.Asked++
	if a.answers(res, t) >= 0 {
		past.AsOf.Found++
	} else {
		a.fail(Failure{FailThen, t.Kind, t.Question + " (as of " + then.Format(time.DateOnly) + ")", t.Slot + ": " + t.Value, a.list(t) + " Hits: " + texts(res.Hits)})
	}
	return nil
}

// judgeOrder checks whether a replaced value is among the hits of a query for its
// successor, whether it is marked as older, and whether it ranks first.
func (a *audit) judgeOrder(ctx context.Context, t life.Truth) error {
	res, err := a.ask(ctx, t, t.Project, nil)
	if err != nil {
		return err
	}
	old, now := a.answers(res, t), a.answers(res, a.life.Truths[t.Next])
	if old >= 0 {
		a.out.Figures.Changes.Shown++
		if res.Hits[old].OlderThan == "" {
			a.out.Figures.Changes.Unmarked++
		}
	}
	if old >= 0 && now >= 0 && old < now {
		a.out.Figures.Changes.First++
		a.fail(Failure{FailFirst, t.Kind, t.Question, a.life.Truths[t.Next].Value, texts(res.Hits)})
	}
	return nil
}

// about returns the truths that a turn refers to; nil if the turn is not of the life.
func (s said) about() []life.Mention {
	if s.turn == nil {
		return nil
	}
	return s.turn.About
}

// ask queries the value of a slot in a project, now or as of a time.
func (a *audit) ask(ctx context.Context, t life.Truth, project int, then *time.Time) (*strata.Result, error) {
	return a.mem.Query(ctx, strata.Query{View: a.view(project), Text: t.Question, Limit: asked, AsOf: then, Quiet: true})
}

// answers returns the index of the first hit that says a truth, or -1: a fact that says
// it, a turn that told it, or a file that quotes such a fact.
func (a *audit) answers(res *strata.Result, t life.Truth) int {
	for i, h := range res.Hits {
		if !says(h.Text, t.Value) {
			continue
		}
		for _, m := range a.turns[h.ID].about() {
			if m.Truth == t.ID && m.Act != life.End {
				return i
			}
		}
		for _, f := range a.of[t.ID] {
			if h.ID == f.ID || h.Kind == strata.KindSection && strings.Contains(h.Text, f.Text) {
				return i
			}
		}
	}
	return -1
}

// judgeNoise counts the current facts and those of them that are noise.
func (a *audit) judgeNoise() {
	for _, f := range a.facts {
		if f.Current() {
			a.out.Figures.Stored++
		}
	}
	for _, n := range a.noise {
		a.out.Figures.Noise[n.kind]++
		said := ""
		for _, id := range n.fact.Sources {
			if t := a.turns[id].turn; t != nil {
				said = string(t.Role) + ": " + t.Text
			}
		}
		a.fail(Failure{FailNoise, n.kind, said, "", n.fact.Text})
	}
}

// list shows the facts that say a truth.
func (a *audit) list(t life.Truth) string {
	var out []string
	for _, f := range a.of[t.ID] {
		state := "current"
		if f.RetiredAt != nil {
			state = "retired " + f.RetiredAt.Format(time.DateOnly)
		}
		out = append(out, fmt.Sprintf("%q (%s, %s, %s/%s)", f.Text, f.Scope, state, f.Entity, f.Attribute))
	}
	return "Facts: " + strings.Join(out, "; ") + "."
}

// texts formats hits.
func texts(hits []strata.Hit) string {
	var out []string
	for _, h := range hits {
		out = append(out, fmt.Sprintf("%s %q", h.Kind, h.Text))
	}
	if out == nil {
		return "none"
	}
	return strings.Join(out, "; ")
}
