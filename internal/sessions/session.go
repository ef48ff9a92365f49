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

// OpenSession opens a session unless it exists, and returns it as it is. It is
// needed before anything but turns is kept of a session, and for one that has
// a parent; [Ledger.AppendTurns] opens others by itself.
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

// refuseSecretNames reports a name that would be kept of a session and holds a
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

// CloseSession ends a session, once. Its turns stay and are found. Where the
// engine keeps transcripts, it writes that of the session; if it cannot, the
// error says why, the session is closed all the same, and the transcript
// follows in the background or at the next Open. Files that changed since they
// were recorded last are recorded in their history.
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

// CloseSessionAt ends a session as of a time, in the store alone; zero means
// now. Its transcript is outstanding then.
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

// SessionState returns what a session saved last; not_found if it saved
// nothing, corrupt if that was damaged. Then it is to be set aside.
func (l *Ledger) SessionState(ctx context.Context, scope strata.Scope, session string) ([]byte, error) {
	out, err := store.Read(ctx, l.store, func(r store.Reader) (store.State, error) {
		return r.SessionState(ctx, scope, session)
	})
	return out.Data, err
}

// PutSessionState saves what a session continues from after a restart, in place
// of what it saved before: either all of data is durable or the former state
// remains. Secrets in JSON are redacted; other data with a secret is refused.
// Text in data must be plain or in JSON, so that forget finds it: a
// forgotten text takes the whole state with it.
func (l *Ledger) PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error {
	return l.putSessionState(ctx, scope, session, data, func(context.Context, store.Reader) error { return nil })
}

// putSessionState saves a state unless check, in the same transaction, refuses.
func (l *Ledger) putSessionState(ctx context.Context, scope strata.Scope, session string, data []byte,
	check func(context.Context, store.Reader) error) error {
	clean, n := secrets.RedactJSON(string(data))
	switch {
	case n > 0 && json.Valid(data):
		data = []byte(clean)
	case n > 0:
		found := secrets.Scan(string(data))
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: "save session state", Message: "the state holds a secret: " + found[0].Rule,
			Hint: "save JSON, of which secrets are redacted"}
	}
	return l.store.Update(ctx, func(w store.Writer) error {
		if err := check(ctx, w); err != nil {
			return err
		}
		return w.PutSessionState(ctx, scope, session, data)
	})
}

// SetSessionStateAside takes its state away from a session that cannot use it,
// and keeps it with the reason. Only the newest few are kept.
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

// PutSnapshot keeps what a session was given about memory, without its
// secrets, and returns it as it was kept. Generation 0 means the next; one
// that is there is not changed.
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

// NewSession returns an id that no session has.
func (l *Ledger) NewSession() string { return l.ids.New(id.Session, l.now()) }
