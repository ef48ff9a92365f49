package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// DefaultIdle is how long after its last turn an open session counts as abandoned.
const DefaultIdle = 24 * time.Hour

// RepairOptions select the sessions to repair.
type RepairOptions struct {
	Idle   time.Duration // time since the last turn after which an open session is closed; 0 means DefaultIdle
	DryRun bool          // only report what would be done
	// InUse reports whether somebody is using a session, which is then left alone. Nil
	// means that no session is in use.
	InUse func(session string) bool
}

// Repair is a problem that was found in a session.
type Repair struct {
	strata.Session
	Problem RepairProblem
	Detail  string // for people
}

// RepairProblem says what was wrong with a session.
type RepairProblem string

// The problems that are repaired.
const (
	ProblemLeftOpen RepairProblem = "left_open"   // nobody closed it and nothing was said for long: it is closed
	ProblemCount    RepairProblem = "wrong_count" // its count of turns is wrong: its turns are recounted
	ProblemState    RepairProblem = "wrong_state" // its saved state is damaged or refers to turns that do not exist: it is set aside
)

// RepairSessions repairs the sessions of a view. It closes those that a killed process
// left open, as of their last turn, recounts turns, and sets aside saved states from
// which a session cannot continue; the session then continues from its turns.
func (l *Ledger) RepairSessions(ctx context.Context, view strata.View, o RepairOptions) ([]Repair, error) {
	if o.Idle == 0 {
		o.Idle = DefaultIdle
	}
	list, err := store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]store.SessionCount, error) {
		return r.SessionCounts(ctx, s)
	})
	if err != nil {
		return nil, err
	}
	var out []Repair
	for _, c := range list {
		if o.InUse != nil && o.InUse(c.ID) {
			continue
		}
		found, err := l.repair(ctx, c, o)
		out = append(out, found...)
		if err != nil {
			return out, fmt.Errorf("repair session %s: %w", c.ID, err)
		}
	}
	return out, nil
}

// repair repairs a session and returns the problems found.
func (l *Ledger) repair(ctx context.Context, c store.SessionCount, o RepairOptions) ([]Repair, error) {
	var out []Repair
	add := func(p RepairProblem, detail string, args ...any) {
		out = append(out, Repair{Session: c.Session, Problem: p, Detail: fmt.Sprintf(detail, args...)})
	}
	if c.Turns != c.Counted {
		add(ProblemCount, "it counted %d turns but has %d", c.Turns, c.Counted)
		if !o.DryRun {
			if err := l.recount(ctx, c.Session); err != nil {
				return nil, err
			}
		}
	}
	if c.ClosedAt != nil {
		return out, nil
	}
	reason, err := l.wrongState(ctx, c.Session)
	if err != nil {
		return out, err
	}
	if reason != "" {
		add(ProblemState, "%s", reason)
		if !o.DryRun {
			if err := l.SetSessionStateAside(ctx, c.Scope, c.ID, reason); err != nil {
				return out, err
			}
		}
	}
	if l.now().Sub(c.LastAt) < o.Idle {
		return out, nil
	}
	if !o.DryRun {
		closed, err := l.closeIdle(ctx, c)
		if err != nil || !closed {
			return out, err
		}
	}
	add(ProblemLeftOpen, "nothing was said since %s", c.LastAt.Format(time.RFC3339))
	return out, nil
}

// recount corrects the number of turns recorded for a session.
func (l *Ledger) recount(ctx context.Context, s strata.Session) error {
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := w.CountTurns(ctx, s.Scope, s.ID); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionRepaired, Scope: s.Scope, Ref: s.ID, Detail: string(ProblemCount), At: w.Now()})
	})
}

// closeIdle closes a session as of its last turn, unless a turn was appended meanwhile,
// and triggers what follows the end of a session.
func (l *Ledger) closeIdle(ctx context.Context, c store.SessionCount) (closed bool, err error) {
	err = l.store.Update(ctx, func(w store.Writer) error {
		now, err := w.Session(ctx, c.Scope, c.ID)
		if err != nil {
			return err
		}
		more, err := w.Turns(ctx, c.Scope, c.ID, store.TurnFilter{After: c.LastSeq, Limit: 1, NoImages: true})
		if closed = err == nil && len(more) == 0 && now.ClosedAt == nil; !closed {
			return err
		}
		if err := w.CloseSession(ctx, c.Scope, c.ID, c.LastAt); err != nil {
			return err
		}
		if l.transcripts.kept() {
			if _, err := w.PlaceTranscript(ctx, c.Scope, c.ID, l.transcripts.files.Place(c.Scope, c.ID)); err != nil {
				return err
			}
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionRepaired, Scope: c.Scope, Ref: c.ID, Detail: string(ProblemLeftOpen), At: w.Now()})
	})
	if err == nil && closed {
		l.transcripts.work.Wake()
		l.closed(ctx, c.Scope, c.ID)
	}
	return closed, err
}

// wrongState returns why an open session cannot continue from its saved state; empty if
// it can or has none.
func (l *Ledger) wrongState(ctx context.Context, s strata.Session) (string, error) {
	data, err := l.SessionState(ctx, s.Scope, s.ID)
	switch strata.CodeOf(err) {
	case "":
	case strata.CodeNotFound:
		return "", nil
	case strata.CodeCorrupt:
		return "its saved state is damaged", nil
	default:
		return "", err
	}
	// See docs/formats/conversation-state.md. Other programs may save anything.
	var saved struct {
		State struct {
			Last int64 `json:"last"`
		} `json:"state"`
	}
	if json.Unmarshal(data, &saved) != nil || saved.State.Last <= 0 {
		return "", nil
	}
	turns, err := store.Read(ctx, l.store, func(r store.Reader) ([]strata.Turn, error) {
		return r.Turns(ctx, s.Scope, s.ID, store.TurnFilter{After: saved.State.Last - 1, Until: saved.State.Last, NoImages: true})
	})
	if err != nil || len(turns) > 0 {
		return "", err
	}
	return fmt.Sprintf("its saved state ends with turn %d, which does not exist", saved.State.Last), nil
}
