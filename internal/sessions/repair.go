package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// DefaultIdle is how long nothing was heard of an open session that counts as left behind.
const DefaultIdle = 24 * time.Hour

// RepairOptions say which sessions are repaired.
type RepairOptions struct {
	Idle   time.Duration // since the last turn of an open session that is closed; 0 means DefaultIdle
	DryRun bool          // say what would be done and change nothing
	// InUse reports whether somebody talks in a session now: that one is left alone. Nil
	// means that nobody does.
	InUse func(session string) bool
}

// Repair is a session that was not as it should be.
type Repair struct {
	strata.Session
	Problem RepairProblem
	Detail  string // for people
}

// RepairProblem says what was wrong with a session.
type RepairProblem string

// The problems that are mended.
const (
	ProblemLeftOpen RepairProblem = "left_open"   // nothing is heard of it, and nobody closed it: it is closed
	ProblemCount    RepairProblem = "wrong_count" // it counted its turns wrongly: they are counted
	ProblemState    RepairProblem = "wrong_state" // its saved state is damaged or tells of turns that are not there: it is set aside
)

// RepairSessions mends the sessions of a view: it closes those that a killed process left
// open, as of their last turn, has them count their turns, and sets saved states aside that
// they cannot go on from; the turns are what they go on from then.
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

// repair mends a session and returns what was wrong with it.
func (l *Ledger) repair(ctx context.Context, c store.SessionCount, o RepairOptions) ([]Repair, error) {
	var out []Repair
	add := func(p RepairProblem, detail string, args ...any) {
		out = append(out, Repair{Session: c.Session, Problem: p, Detail: fmt.Sprintf(detail, args...)})
	}
	if c.Turns != c.Counted {
		add(ProblemCount, "it counted %d turns and has %d", c.Turns, c.Counted)
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

// recount corrects the number of turns that a session says it has.
func (l *Ledger) recount(ctx context.Context, s strata.Session) error {
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := w.CountTurns(ctx, s.Scope, s.ID); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventSessionRepaired, Scope: s.Scope, Ref: s.ID, Detail: string(ProblemCount), At: w.Now()})
	})
}

// closeIdle closes a session as of its last turn, unless one was appended meanwhile. What
// the end of a session brings about follows.
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

// wrongState says why an open session cannot go on from what it saved; empty if it can, or
// saved nothing.
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
	// docs/formats/conversation-state.md; other programs may save what they like.
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
	return fmt.Sprintf("its saved state ends with turn %d, which is not there", saved.State.Last), nil
}
