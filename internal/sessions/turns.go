package sessions

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// AppendTurns appends turns to a session, in order, and returns them as stored: with ids
// and sequence numbers, and with secrets redacted. It opens the session if it is new.
// Either all turns become durable or none.
func (l *Ledger) AppendTurns(ctx context.Context, scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn) ([]strata.Turn, error) {
	s := strata.Session{ID: session, Scope: scope, Kind: kind}
	return l.appendTurns(ctx, s, turns, func(context.Context, store.Writer) error { return nil })
}

// appendTurns appends turns to a session, which it opens as s if it is new. It calls
// before first, in the same transaction.
func (l *Ledger) appendTurns(ctx context.Context, s strata.Session, turns []strata.Turn,
	before func(context.Context, store.Writer) error) ([]strata.Turn, error) {
	turns, err := l.prepareTurns(s.Scope, s.ID, s.Kind, turns)
	if err != nil {
		return nil, err
	}
	index := l.prepareIndex(ctx, turns)
	err = l.store.Update(ctx, func(w store.Writer) error {
		if err := openUnlessClosed(ctx, w, s); err != nil {
			return err
		}
		if err := before(ctx, w); err != nil {
			return err
		}
		numbers := make([]int64, len(turns))
		for i := range turns {
			turns[i].RecordedAt = w.Now()
			var err error
			if turns[i], numbers[i], err = w.AppendTurn(ctx, turns[i]); err != nil {
				return fmt.Errorf("append turn %d of %d: %w", i+1, len(turns), err)
			}
		}
		if err := index.put(ctx, w, numbers, turns); err != nil {
			return fmt.Errorf("index turns: %w", err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	index.done()
	return turns, nil
}

// prepareTurns validates turns, gives them ids and redacts their secrets.
func (l *Ledger) prepareTurns(scope strata.Scope, session string, kind strata.SessionKind, turns []strata.Turn) ([]strata.Turn, error) {
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
			Message: fmt.Sprintf("%d turns at once; the limit is %d", len(turns), strata.MaxBatch), Hint: "append them in several calls"}
	}
	if err := refuseSecretNames(op, scope, session); err != nil {
		return nil, err
	}
	now := l.now()
	out := make([]strata.Turn, len(turns))
	for i, t := range turns {
		t.Scope, t.Session = scope, session
		if t.At.IsZero() {
			t.At = now
		}
		if t.ID == "" {
			t.ID = l.ids.New(id.Turn, now)
		}
		if err := t.Validate(); err != nil {
			return nil, numbered("turn", i, len(turns), err)
		}
		if err := secrets.Refuse(op, secrets.Name{Field: "turn id", Text: t.ID}, secrets.Name{Field: "speaker", Text: t.Speaker}); err != nil {
			return nil, numbered("turn", i, len(turns), err)
		}
		out[i] = redactTurn(t)
	}
	return out, nil
}

// redactTurn redacts the secrets of a turn: in its text, in the names that a model chose,
// and in the arguments of its calls, which stay JSON.
func redactTurn(t strata.Turn) strata.Turn {
	plain := func(s *string) {
		clean, found := secrets.Redact(*s)
		*s = clean
		t.Redacted += len(found)
	}
	plain(&t.Text)
	plain(&t.CallID)
	plain(&t.Tool)
	if len(t.Calls) == 0 {
		return t
	}
	t.Calls = slices.Clone(t.Calls) // do not change the caller's calls
	for i := range t.Calls {
		c := &t.Calls[i]
		plain(&c.ID)
		plain(&c.Name)
		clean, n := secrets.RedactJSON(c.Arguments)
		c.Arguments = clean
		t.Redacted += n
	}
	return t
}

// openUnlessClosed opens the session if it is new and refuses one that is closed.
func openUnlessClosed(ctx context.Context, w store.Writer, s strata.Session) error {
	known, err := w.Session(ctx, s.Scope, s.ID)
	switch {
	case strata.CodeOf(err) == strata.CodeNotFound:
		return w.OpenSession(ctx, s)
	case err != nil:
		return err
	case known.ClosedAt != nil:
		return &strata.Error{Code: strata.CodeConflict, Op: "append turns", Message: "session " + s.ID + " is closed",
			Hint: "open a new session; a closed one cannot change"}
	}
	return nil
}

// Sessions lists the sessions of a view, newest first within each scope, up to limit per
// scope. For the view of a group session it lists only group sessions.
func (l *Ledger) Sessions(ctx context.Context, view strata.View, limit int) ([]strata.Session, error) {
	return store.ReadEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) ([]strata.Session, error) {
		return r.Sessions(ctx, s, store.SessionFilter{Kind: view.OnlySessions(), Limit: limit})
	})
}

// Turns returns up to limit turns of a session with a sequence number above
// after, in order, with their images; limit 0 means all.
func (l *Ledger) Turns(ctx context.Context, view strata.View, session string, after int64, limit int) ([]strata.Turn, error) {
	return l.ListTurns(ctx, view, session, store.TurnFilter{After: after, Limit: limit})
}

// ListTurns returns turns of a session in order, from the first scope of a view that has
// any.
func (l *Ledger) ListTurns(ctx context.Context, view strata.View, session string, f store.TurnFilter) ([]strata.Turn, error) {
	var out []strata.Turn
	err := store.ViewEach(ctx, l.store, view, func(r store.Reader, s strata.Scope) error {
		if len(out) > 0 {
			return nil
		}
		ok, err := visible(ctx, r, view, s, session)
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
func (l *Ledger) Turn(ctx context.Context, view strata.View, turn string) (strata.Turn, error) {
	if err := view.Validate(); err != nil {
		return strata.Turn{}, err
	}
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Turn, error) {
		t, err := r.Turn(ctx, view.Scopes, turn)
		if err != nil {
			return t, err
		}
		ok, err := visible(ctx, r, view, t.Scope, t.Session)
		if err == nil && !ok {
			err = strata.NotFound("read turn", "turn", turn)
		}
		if err != nil {
			return strata.Turn{}, err
		}
		return t, nil
	})
}

// numbered adds to an error which of n items it is about.
func numbered(what string, i, n int, err error) error {
	if n == 1 {
		return err
	}
	return fmt.Errorf("%s %d of %d: %w", what, i+1, n, err)
}
