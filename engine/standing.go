package engine

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/store"
)

// confirm records that a candidate repeats a fact, or that it was put to the user, who
// agreed.
func (e *Engine) confirm(ctx context.Context, w store.Writer, c strata.Candidate, d strata.Decision) error {
	if d.FactID == "" {
		return nil
	}
	again := c.Agreed
	if !again && decide.SaysAgain(d) && (c.Origin.Explicit() || c.Origin == strata.OriginExtractor) {
		before, err := w.Decisions(ctx, d.Scope, strata.DecisionFilter{FactID: d.FactID})
		if err != nil {
			return err
		}
		occasion := occasionOf(c.Session, d.DecidedAt)
		again = !slices.ContainsFunc(before, func(b strata.Decision) bool {
			return b.Op.Changed() && occasionOf(b.Session, b.DecidedAt) == occasion
		})
	}
	if !again {
		return nil
	}
	return w.RecordMark(ctx, d.Scope, d.FactID, store.MarkConfirmed)
}

// occasionOf returns the occasion of a statement: its session, or the day if it has none.
func occasionOf(session string, at time.Time) string {
	if session != "" {
		return session
	}
	return "on " + at.UTC().Format(time.DateOnly)
}
