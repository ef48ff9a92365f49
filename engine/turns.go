package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/embedding"
	"github.com/strata-memory/strata/extract"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/recall"
	"github.com/strata-memory/strata/secretscan"
	"github.com/strata-memory/strata/store"
)

// AppendTurns adds turns to a session, in order, and returns them as they were
// kept: with ids and sequence numbers, and with secrets redacted. The session
// is opened if it is new. Either all turns are durable or none is.
func (e *Engine) AppendTurns(ctx context.Context, scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn) ([]strata.Turn, error) {
	return e.appendTurns(ctx, scope, session, kind, turns, func(context.Context, store.Writer) error { return nil })
}

// appendTurns adds turns to a session, and does in the same transaction what
// must be done before them.
func (e *Engine) appendTurns(ctx context.Context, scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn,
	before func(context.Context, store.Writer) error) ([]strata.Turn, error) {
	turns, err := e.prepareTurns(scope, session, kind, turns)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(turns))
	for i, t := range turns {
		texts[i] = recall.TurnText(t)
	}
	vectors, whole := e.models.ForWrite(ctx, texts)
	err = e.store.Update(ctx, func(w store.Writer) error {
		if err := e.openSession(ctx, w, scope, session, kind); err != nil {
			return err
		}
		if err := before(ctx, w); err != nil {
			return err
		}
		st, err := e.models.Look(ctx, w)
		if err != nil {
			return err
		}
		for i := range turns {
			turns[i].RecordedAt = w.Now()
			t, number, err := w.AppendTurn(ctx, turns[i])
			if err != nil {
				return fmt.Errorf("append turn %d of %d: %w", i+1, len(turns), err)
			}
			turns[i] = t
			if err := embedding.Put(ctx, w, st, turnPassage(number, t, texts[i]), vectors[i]); err != nil {
				return fmt.Errorf("index turn %d of %d: %w", i+1, len(turns), err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !whole {
		e.embeds.wake()
	}
	return turns, nil
}

// prepareTurns validates turns, gives them ids and redacts their secrets.
func (e *Engine) prepareTurns(scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn) ([]strata.Turn, error) {
	const op = "append turns"
	if err := scope.Validate(); err != nil {
		return nil, err
	}
	if err := kind.Validate(); err != nil {
		return nil, err
	}
	switch {
	case len(turns) == 0:
		return nil, strata.Invalid(op, "there is no turn", "pass at least one turn")
	case len(turns) > strata.MaxBatch:
		return nil, &strata.Error{Code: strata.CodeTooLarge, Op: op,
			Message: fmt.Sprintf("%d turns at once, the limit is %d", len(turns), strata.MaxBatch), Hint: "append them in several calls"}
	}
	now := e.opts.Now()
	out := make([]strata.Turn, len(turns))
	for i, t := range turns {
		t.Scope, t.Session = scope, session
		if t.At.IsZero() {
			t.At = now
		}
		if t.ID == "" {
			t.ID = e.ids.New(id.Turn, now)
		}
		if err := t.Validate(); err != nil {
			return nil, inBatch(err, i, len(turns))
		}
		out[i] = redactTurn(t)
	}
	return out, nil
}

// redactTurn removes the secrets of a turn: from its text, from the names a
// model chose, and from the arguments of its calls, which stay JSON.
func redactTurn(t strata.Turn) strata.Turn {
	plain := func(s *string) {
		clean, found := secretscan.Redact(*s)
		*s = clean
		t.Redacted += len(found)
	}
	plain(&t.Text)
	plain(&t.CallID)
	plain(&t.Tool)
	if len(t.Calls) == 0 {
		return t
	}
	t.Calls = slices.Clone(t.Calls) // the caller's own stay as they are
	for i := range t.Calls {
		c := &t.Calls[i]
		plain(&c.ID)
		plain(&c.Name)
		clean, n := secretscan.RedactJSON(c.Arguments)
		c.Arguments = clean
		t.Redacted += n
	}
	return t
}

// openSession opens the session if it is new and refuses one that is closed.
func (e *Engine) openSession(ctx context.Context, w store.Writer, scope strata.Scope, session string, kind strata.SessionKind) error {
	if kind == "" {
		kind = strata.SessionMain
	}
	s, err := w.Session(ctx, scope, session)
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound:
		return w.OpenSession(ctx, strata.Session{ID: session, Scope: scope, Kind: kind, StartedAt: w.Now()})
	case err != nil:
		return err
	case s.ClosedAt != nil:
		return &strata.Error{Code: strata.CodeConflict, Op: "append turns", Message: "session " + session + " is closed",
			Hint: "open a new session; a closed one is not changed"}
	}
	return nil
}

// Sessions lists the sessions of a view, newest first within each scope: up to
// limit of each. The view of a group session has group sessions alone.
func (e *Engine) Sessions(ctx context.Context, view strata.View, limit int) ([]strata.Session, error) {
	var out []strata.Session
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		sessions, err := r.Sessions(ctx, s, store.SessionFilter{Kind: view.OnlySessions(), Limit: limit})
		out = append(out, sessions...)
		return err
	})
	return out, err
}

// Turns returns up to limit turns of a session with a sequence number above
// after, in order, with their images; limit 0 means all.
func (e *Engine) Turns(ctx context.Context, view strata.View, session string, after int64, limit int) ([]strata.Turn, error) {
	return e.ListTurns(ctx, view, session, store.TurnFilter{After: after, Limit: limit})
}

// ListTurns returns turns of a session in order, those of the first scope of a
// view that has some.
func (e *Engine) ListTurns(ctx context.Context, view strata.View, session string, f store.TurnFilter) ([]strata.Turn, error) {
	var out []strata.Turn
	err := e.eachScope(ctx, view, func(r store.Reader, s strata.Scope) error {
		if len(out) > 0 {
			return nil
		}
		ok, err := opens(ctx, r, view, s, session)
		if err != nil || !ok {
			return err
		}
		out, err = r.Turns(ctx, s, session, f)
		return err
	})
	if err == nil && len(out) == 0 && f.After == 0 {
		err = strata.NotFound("list turns", "session", session)
	}
	return out, err
}

// Turn returns a turn in a view, with its images.
func (e *Engine) Turn(ctx context.Context, view strata.View, turn string) (strata.Turn, error) {
	var out strata.Turn
	if err := view.Validate(); err != nil {
		return out, err
	}
	err := e.store.View(ctx, func(r store.Reader) error {
		t, err := r.Turn(ctx, view.Scopes, turn)
		if err != nil {
			return err
		}
		ok, err := opens(ctx, r, view, t.Scope, t.Session)
		if err != nil {
			return err
		}
		if !ok {
			return strata.NotFound("read turn", "turn", turn)
		}
		out = t
		return nil
	})
	return out, err
}

// Extract finds what is worth remembering in the turns of a session, by rules,
// and writes it. Turns that were extracted before yield nothing again. It
// returns the new decisions.
func (e *Engine) Extract(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error) {
	var fresh []strata.Candidate
	err := e.store.View(ctx, func(r store.Reader) error {
		turns, err := r.Turns(ctx, scope, session, store.TurnFilter{NoImages: true})
		if err != nil {
			return err
		}
		if len(turns) == 0 {
			return strata.NotFound("extract", "session", session)
		}
		fresh, err = unseen(ctx, r, extract.Turns(turns), scope)
		return err
	})
	if err != nil || len(fresh) == 0 {
		return nil, err
	}
	var decisions []strata.Decision
	for len(fresh) > 0 {
		n := min(len(fresh), extractBatch)
		some, err := e.WriteBatch(ctx, fresh[:n])
		if err != nil {
			return decisions, err
		}
		decisions = append(decisions, some...)
		fresh = fresh[n:]
	}
	return decisions, nil
}

// extractBatch is how many extracted candidates are written in one transaction.
const extractBatch = 500

// unseen gives extracted candidates their request ids, which follow from the
// turn they came from, and leaves out those that were decided before.
func unseen(ctx context.Context, r store.Reader, cs []strata.Candidate, session strata.Scope) ([]strata.Candidate, error) {
	perTurn := make(map[string]int)
	var out []strata.Candidate
	for _, c := range cs {
		source := ""
		if len(c.Sources) > 0 {
			source = c.Sources[0]
		}
		perTurn[source]++
		c.RequestID = fmt.Sprintf("extract:%s:%d", source, perTurn[source])
		c.Origin = strata.OriginExtractor
		// A fact learnt in a workspace or from an agent goes where its type
		// belongs within that scope.
		c.Workspace, c.Agent = session.Workspace, session.Agent
		p, err := propose(c)
		if err != nil {
			return nil, fmt.Errorf("extracted from %s: %w", source, err)
		}
		_, err = r.DecisionByRequest(ctx, p.candidate.Scope, c.RequestID)
		if strata.CodeOf(err) == strata.CodeNotFound {
			out = append(out, c)
		} else if err != nil {
			return nil, err
		}
	}
	return out, nil
}
