package dream

import (
	"context"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/topics"
	"github.com/strata-memory/strata/store"
)

// Gate is a closed gate.
type Gate struct {
	Name   GateName
	Reason string // how far the scope is from passing it
	Hint   string // what opens it
}

// GateName names a gate of a scope. The gate of signals applies to each memory instead.
type GateName string

// The gates, in the order in which they are checked. Enough new facts also open the gate
// of sessions.
const (
	GateEnabled  GateName = "enabled"
	GateTime     GateName = "time"
	GateSessions GateName = "sessions"
	GateLease    GateName = "lease"
)

// gates returns the last dream, or nil if there was none, and the first closed gate, or
// nil if all gates before the lease are open. A failed dream closes the gate of time like
// any other, so that a failure does not repeat every half hour, but the sessions before
// it still count.
func (d *Dreamer) gates(ctx context.Context, r store.Reader, scope strata.Scope, trigger strata.DreamTrigger, now time.Time) (last *strata.Dream, closed *Gate, err error) {
	list, err := r.Dreams(ctx, scope, store.DreamFilter{Limit: 1})
	if err != nil {
		return nil, nil, err
	}
	since := now.Add(-d.s.Retention)
	if len(list) > 0 {
		last = &list[0]
	}
	switch {
	case d.s.Disabled && trigger == strata.DreamScheduled:
		return last, &Gate{Name: GateEnabled, Reason: "dreams do not begin by themselves", Hint: "strata dream trigger begins one"}, nil
	case trigger == strata.DreamForced || trigger == strata.DreamRetried:
		return last, nil, nil
	}
	// A dream in the future dates from before the clock was set back.
	if last != nil {
		if ago := now.Sub(last.StartedAt); ago >= 0 && ago < d.s.Every {
			return last, &Gate{Name: GateTime, Hint: hintForce, Reason: fmt.Sprintf("the last dream was %s ago, of %s", short(ago), short(d.s.Every))}, nil
		}
	}
	fresh, err := r.Untagged(ctx, scope, topics.Version, d.s.Facts)
	if err != nil || len(fresh) >= d.s.Facts {
		return last, nil, err
	}
	done, err := lastDone(ctx, r, scope)
	if err != nil {
		return last, nil, err
	}
	if done != nil {
		since = done.StartedAt
	}
	n, err := touched(ctx, r, scope, since)
	if err == nil && n < d.s.Sessions {
		closed = &Gate{Name: GateSessions, Hint: hintForce, Reason: fmt.Sprintf("%d of %d sessions since, %d of %d new facts", n, d.s.Sessions, len(fresh), d.s.Facts)}
	}
	return last, closed, err
}

const hintForce = "strata dream trigger --force does not wait for it"

// short writes a duration to the minute.
func short(t time.Duration) string {
	if t < time.Hour {
		return fmt.Sprintf("%d min", int(t.Minutes()))
	}
	return fmt.Sprintf("%d h", int(t.Hours()))
}

// touched counts the sessions that used a scope since a time: its own, and those of other
// scopes that recalled from it. Recalls outside of any session count as one session per
// day.
func touched(ctx context.Context, r store.Reader, scope strata.Scope, since time.Time) (int, error) {
	const enough = 1000
	seen := make(map[string]bool)
	own, err := r.Sessions(ctx, scope, store.SessionFilter{Limit: enough})
	if err != nil {
		return 0, err
	}
	for _, s := range own {
		if s.StartedAt.After(since) || s.ClosedAt != nil && s.ClosedAt.After(since) {
			seen[s.ID] = true
		}
	}
	asked, err := r.Recalls(ctx, scope, since)
	if err != nil {
		return 0, err
	}
	for _, e := range asked {
		key := e.Session
		if key == "" {
			key = "on " + e.At.UTC().Format(time.DateOnly)
		}
		seen[key] = true
	}
	return len(seen), nil
}
