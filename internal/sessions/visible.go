package sessions

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// withheld reports whether a view excludes a session.
func withheld(view strata.View, s strata.Session) bool {
	kind := view.OnlySessions()
	return kind != "" && s.Kind != kind
}

// FindSession returns a session from the first scope of a view that has it.
func (l *Ledger) FindSession(ctx context.Context, view strata.View, session string) (strata.Session, error) {
	if err := view.Validate(); err != nil {
		return strata.Session{}, err
	}
	if err := strata.ValidateName("session", session); err != nil {
		return strata.Session{}, err
	}
	return store.Read(ctx, l.store, func(r store.Reader) (strata.Session, error) {
		return Find(ctx, r, "find session", view, session)
	})
}

// Find returns a session from the first scope of a view that has it. op is the operation
// that errors name.
func Find(ctx context.Context, r store.Reader, op string, view strata.View, session string) (strata.Session, error) {
	for _, scope := range view.Scopes {
		s, err := r.Session(ctx, scope, session)
		switch {
		case strata.CodeOf(err) == strata.CodeNotFound:
			continue
		case err != nil:
			return s, err
		case withheld(view, s):
			continue
		}
		return s, nil
	}
	return strata.Session{}, &strata.Error{Code: strata.CodeNotFound, Op: op, Message: "no session " + session,
		Hint: "search names the session of each turn it finds"}
}

// visible reports whether a view includes a session of one scope. It looks the session up
// only if the view is restricted.
func visible(ctx context.Context, r store.Reader, view strata.View, scope strata.Scope, session string) (bool, error) {
	if view.OnlySessions() == "" {
		return true, nil
	}
	s, err := r.Session(ctx, scope, session)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return false, nil
	}
	return err == nil && !withheld(view, s), err
}
