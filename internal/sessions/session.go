package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// OpenSession opens a session unless it exists, and returns it as stored. Call it before
// storing anything but turns for a session, and for a session that has a parent;
// [Ledger.AppendTurns] opens other sessions itself.
func (l *Ledger) OpenSession(ctx context.Context, s strata.Session) (strata.Session, error) {
	if err := s.Scope.Validate(); err != nil {
		return strata.Session{}, err
	}
	if err := s.Validate(); err != nil {
		return strata.Session{}, err
	}
	if err := refuseSecretNames("open session", s.Scope, s.ID, secrets.Name{Field: "parent session", Text: s.Parent}); err != nil {
		return strata.Session{}, err
	}
	s.ClosedAt, s.Turns = nil, 0
	var out strata.Session
	err := l.store.Update(ctx, func(w store.Writer) error {
		if err := w.OpenSession(ctx, s); err != nil {
			return err
		}
		var err error
		out, err = w.Session(ctx, s.Scope, s.ID)
		return err
	})
	return out, err
}

// refuseSecretNames returns an error if a name that would be stored for a session holds a
// secret.
func refuseSecretNames(op string, scope strata.Scope, session string, more ...secrets.Name) error {
	return secrets.Refuse(op, append(more, secrets.Name{Field: "session", Text: session}, secrets.Name{Field: "scope", Text: scope.Key()})...)
}

// Session returns a session of a scope.
func (l *Ledger) Session(ctx context.Context, scope strata.Scope, session string) (strata.Session, error) {
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Session, error) {
		return r.Session(ctx, scope, session)
	})
}

// SubSessions lists the sessions that a session started, newest first.
func (l *Ledger) SubSessions(ctx context.Context, scope strata.Scope, parent string, limit int) ([]strata.Session, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]strata.Session, error) {
		return r.Sessions(ctx, scope, store.SessionFilter{Parent: parent, Limit: limit})
	})
}

// CloseSession ends a session, once. Its turns stay and can be found. If transcripts are
// kept, CloseSession writes that of the session. If it cannot, the error says why; the
// session is closed all the same, and the transcript is written in the background or at
// the next Open. Finally it calls [LedgerOptions].Closed.
func (l *Ledger) CloseSession(ctx context.Context, scope strata.Scope, session string) error {
	if err := l.CloseSessionAt(ctx, scope, session, time.Time{}); err != nil {
		return err
	}
	defer l.closed(ctx, scope, session)
	if !l.transcripts.kept() {
		return nil
	}
	failpoint.Hit(failpoint.SessionClosed)
	if err := l.transcripts.write(ctx, scope, session); err != nil {
		l.transcripts.work.Wake()
		return fmt.Errorf("session %s is closed, its transcript is not written: %w", session, err)
	}
	return nil
}

// CloseSessionAt ends a session as of a time, but only in the store; zero means now. The
// transcript becomes outstanding.
func (l *Ledger) CloseSessionAt(ctx context.Context, scope strata.Scope, session string, at time.Time) error {
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := w.CloseSession(ctx, scope, session, at); err != nil {
			return err
		}
		if err := hasten(ctx, w, scope, session); err != nil {
			return err
		}
		if !l.transcripts.kept() {
			return nil
		}
		_, err := w.PlaceTranscript(ctx, scope, session, l.transcripts.files.Place(scope, session))
		return err
	})
}

// SessionState returns the state that a session saved last; not_found if there is none,
// and corrupt if it is damaged and must be set aside.
func (l *Ledger) SessionState(ctx context.Context, scope strata.Scope, session string) ([]byte, error) {
	out, err := store.Read(ctx, l.store, func(r store.Reader) (store.State, error) {
		return r.SessionState(ctx, scope, session)
	})
	return out.Data, err
}

// PutSessionState saves the state from which a session continues after a restart, in
// place of the one before: either all of data is durable or the former state remains.
// Secrets in JSON are redacted; other data with a secret is refused. Text in data must be
// plain or in JSON, so that Forget finds it. Forgetting a text in a state removes the
// whole state.
func (l *Ledger) PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error {
	return l.putSessionState(ctx, scope, session, data, func(context.Context, store.Reader) error { return nil })
}

// putSessionState saves a state unless check returns an error in the same transaction.
func (l *Ledger) putSessionState(ctx context.Context, scope strata.Scope, session string, data []byte,
	check func(context.Context, store.Reader) error) error {
	clean, n := secrets.RedactJSON(string(data))
	switch {
	case n > 0 && json.Valid(data):
		data = []byte(clean)
	case n > 0:
		found := secrets.Scan(string(data))
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: "save session state", Message: "the state holds a secret: " + found[0].Rule,
			Hint: "save JSON, from which secrets are redacted"}
	}
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := check(ctx, w); err != nil {
			return err
		}
		return w.PutSessionState(ctx, scope, session, data)
	})
}

// SetSessionStateAside sets the state of a session that cannot use it aside, with the
// reason. Only the newest few such states are kept.
func (l *Ledger) SetSessionStateAside(ctx context.Context, scope strata.Scope, session, reason string) error {
	reason, _ = secrets.Redact(text.Clip(reason, 500))
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := w.SetSessionStateAside(ctx, scope, session, reason); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventStateSetAside, Scope: scope, Ref: session, At: w.Now()})
	})
}

// StatesAside lists the states of a session that were set aside, newest first.
func (l *Ledger) StatesAside(ctx context.Context, scope strata.Scope, session string) ([]store.SetAside, error) {
	return store.Read(ctx, l.store, func(r store.Reader) ([]store.SetAside, error) {
		return r.StatesAside(ctx, scope, session)
	})
}

// PutSnapshot stores the snapshot that a session was shown, without secrets, and returns
// it as stored. Generation 0 takes the next; an existing generation cannot be changed.
func (l *Ledger) PutSnapshot(ctx context.Context, s strata.Snapshot) (strata.Snapshot, error) {
	if err := s.Validate(); err != nil {
		return strata.Snapshot{}, err
	}
	s.Text, _ = secrets.Redact(s.Text)
	var out strata.Snapshot
	err := l.store.Update(ctx, func(w store.Writer) error {
		var err error
		out, err = w.PutSnapshot(ctx, s)
		return err
	})
	return out, err
}

// Snapshot returns the latest snapshot of a session; else not_found.
func (l *Ledger) Snapshot(ctx context.Context, scope strata.Scope, session string) (strata.Snapshot, error) {
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Snapshot, error) {
		return r.Snapshot(ctx, scope, session)
	})
}

// NewSession returns a new, unique session id.
func (l *Ledger) NewSession() string { return l.ids.New(id.Session, l.now()) }
