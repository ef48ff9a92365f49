package chat

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// TakenBack is the result of [Agent.Undo].
type TakenBack struct {
	strata.TurnRange // that the model no longer sees
	// Reverted are the decisions that undid what was saved from these turns. Kept says
	// what could not be undone and why.
	Reverted []strata.Decision
	Kept     []string
}

// Undo takes the last exchange out of the window, and what was saved from it out of
// memory, with one decision each. The turns stay in the session's record and can be found
// there; use [engine.Engine.Forget] to remove them for good.
func (a *Agent) Undo(ctx context.Context) (TakenBack, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	gone, err := c.mgr.Withdraw(ctx, false)
	if err != nil {
		return TakenBack{}, err
	}
	out := TakenBack{TurnRange: gone.TurnRange}
	a.said = ""
	turns, err := c.talk.Turns(ctx, gone.From-1, int(gone.To-gone.From+1))
	if err != nil || len(turns) == 0 {
		return out, err
	}
	decisions, err := a.opt.Memory.Decisions(ctx, c.talk.View(), strata.DecisionFilter{Since: turns[0].RecordedAt, Limit: 1000})
	if err != nil {
		return out, err
	}
	slices.SortFunc(decisions, func(x, y strata.Decision) int { return y.DecidedAt.Compare(x.DecidedAt) }) // the newest first
	for _, d := range decisions {
		if d.Session != c.talk.ID() || !d.Op.Changed() || d.RevertedBy != "" || d.Reverts != "" || !madeOf(d, turns) {
			continue
		}
		r, err := a.opt.Memory.Revert(ctx, c.talk.View(), d.ID, engine.RevertOptions{Reason: "the exchange was taken back", Origin: strata.OriginCLI})
		if err != nil {
			out.Kept = append(out.Kept, d.ID+": "+explain(err))
			continue
		}
		out.Reverted = append(out.Reverted, r)
	}
	return out, nil
}

// madeOf reports whether a decision came from the text of turns or from a tool called in
// them.
func madeOf(d strata.Decision, turns []strata.Turn) bool {
	if d.Origin == strata.OriginTool {
		return true
	}
	return d.After != nil && slices.ContainsFunc(turns, func(t strata.Turn) bool { return slices.Contains(d.After.Sources, t.ID) })
}

// Retry takes the last answer out of the window and asks the model again. Effects of its
// tools are not undone.
func (a *Agent) Retry(ctx context.Context) (Answer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.now.Load()
	gone, err := c.mgr.Withdraw(ctx, true)
	if err != nil {
		return Answer{}, err
	}
	reply, err := c.mgr.Continue(ctx)
	return a.loop(ctx, c, gone.Asked, reply, err)
}
