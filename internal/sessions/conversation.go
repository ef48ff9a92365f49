package sessions

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/store"
)

// Conversation is one session as a caller that talks in it needs it: its durable
// turns and state, the frozen snapshot of its prompt, and the learnings learned in
// it. It is safe for concurrent use.
type Conversation struct {
	ledger *Ledger
	opts   Options
	view   strata.View
	began  strata.Session
	frozen frozen
	seen   seenChanges
}

// Options say which conversation is meant. The zero value is a new session
// of the user alone, in the global scope.
type Options struct {
	// Session is its id; empty makes a new one.
	Session string
	// Workspace and Agent decide what it sees and where its facts go; empty
	// means none.
	Workspace, Agent string
	// Scope owns its turns; zero means the workspace, else global.
	Scope strata.Scope
	// View is what it may see; zero means the default precedence of Workspace
	// and Agent, for Kind.
	View strata.View
	// Kind is main when empty. It decides what may be shown.
	Kind strata.SessionKind
	// Parent is the session it works for, of the same scope; it inherits the
	// snapshot of that one.
	Parent string
	// Guidance tells the model how to use memory; empty means [session.Guidance].
	Guidance string
	// Limits bound the snapshot; zero means the defaults.
	Limits snapshot.Limits
}

// OpenConversation opens a conversation, or continues with one that is there. A
// session that is closed is not reopened.
func (l *Ledger) OpenConversation(ctx context.Context, o Options) (*Conversation, error) {
	const op = "open conversation"
	if o.Session == "" {
		o.Session = l.NewSession()
	}
	if o.Scope.IsZero() {
		if o.Scope = strata.Global(); o.Workspace != "" {
			o.Scope = strata.InWorkspace(o.Workspace)
		}
	}
	c := &Conversation{ledger: l, opts: o, view: o.View}
	if len(c.view.Scopes) == 0 {
		c.view.Scopes = strata.ViewOf(o.Workspace, o.Agent).Scopes
	}
	if err := c.view.Validate(); err != nil {
		return nil, err
	}
	began, err := l.OpenSession(ctx, strata.Session{
		ID: o.Session, Scope: o.Scope, Kind: o.Kind, Parent: o.Parent, StartedAt: l.now(),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if began.ClosedAt != nil {
		return nil, &strata.Error{Code: strata.CodeConflict, Op: op, Message: "session " + o.Session + " is closed",
			Hint: "open a new session; what was said in this one is found by search"}
	}
	c.began = began
	// Those it was opened with, whatever is asked for now: a group's session
	// must not be reopened as the user's own.
	if c.view.Session, err = l.rights(ctx, began); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	// First, so that nothing forgotten from here on is overlooked.
	if err := c.noteLastChanges(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if err := c.loadSnapshot(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return c, nil
}

// rights is the kind of session whose rights the conversation has: one that
// works for another has those of the session at the top.
func (l *Ledger) rights(ctx context.Context, s strata.Session) (strata.SessionKind, error) {
	const deepest = 32 // sub-sessions of sub-sessions
	kind, parent := s.Kind, s.Parent
	for range deepest {
		if parent == "" {
			return kind, nil
		}
		above, err := l.Session(ctx, s.Scope, parent)
		if err != nil {
			return "", err
		}
		kind, parent = above.Kind, above.Parent
	}
	return "", strata.Invalid("", "sessions lie more than 32 deep inside each other", "let a session nearer to the top start this one")
}

// ID is the id of the session.
func (c *Conversation) ID() string { return c.began.ID }

// Session describes the session as it was when the conversation was opened.
func (c *Conversation) Session() strata.Session { return c.began }

// View is what the conversation may see.
func (c *Conversation) View() strata.View { return c.view }

// Append makes turns durable, with their secrets redacted. They are read for their facts
// once the session is closed, or nothing was appended to it for a while.
func (c *Conversation) Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	return c.ledger.appendTurns(ctx, c.began, turns, c.queueQuiet)
}

// Turns returns up to limit turns with a sequence number above after, in
// order; limit 0 means all. A conversation without turns has none.
func (c *Conversation) Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error) {
	turns, err := c.ledger.Turns(ctx, c.began.Scope.View(), c.began.ID, after, limit)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil, nil
	}
	return turns, err
}

// LoadState returns what SaveState kept last; nil for nothing. A state that is
// damaged is set aside, and counts as none.
func (c *Conversation) LoadState(ctx context.Context) ([]byte, error) {
	data, err := c.ledger.SessionState(ctx, c.began.Scope, c.began.ID)
	switch strata.CodeOf(err) {
	case strata.CodeNotFound:
		return nil, nil
	case strata.CodeCorrupt:
		return nil, c.SetStateAside(ctx, "its bytes are damaged: "+err.Error())
	}
	return data, err
}

// SaveState keeps what the conversation continues from after a restart. Once
// something was forgotten that the state may hold, it is refused with the code
// forgotten until [Conversation.Forgot] was called.
func (c *Conversation) SaveState(ctx context.Context, state []byte) error {
	return c.ledger.putSessionState(ctx, c.began.Scope, c.began.ID, state, c.refuseStale)
}

// AppendWithState makes turns and the state before them durable in one
// transaction, under the terms of Append and SaveState. A state with a secret is
// refused.
func (c *Conversation) AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error) {
	if _, n := secrets.RedactJSON(string(state)); n > 0 {
		return nil, &strata.Error{Code: strata.CodeRejectedSecret, Op: "append turns", Message: "the state holds a secret",
			Hint: "save the state without it, and append the turns by themselves"}
	}
	return c.ledger.appendTurns(ctx, c.began, turns, func(ctx context.Context, w store.Writer) error {
		if err := c.refuseStale(ctx, w); err != nil {
			return err
		}
		if err := c.queueQuiet(ctx, w); err != nil {
			return err
		}
		return w.PutSessionState(ctx, c.began.Scope, c.began.ID, state)
	})
}

// SetStateAside keeps a state that cannot be used apart, with the reason.
func (c *Conversation) SetStateAside(ctx context.Context, reason string) error {
	return c.ledger.SetSessionStateAside(ctx, c.began.Scope, c.began.ID, reason)
}

// Close ends the session: nothing can be appended any more, and its transcript
// is written.
func (c *Conversation) Close(ctx context.Context) error {
	return c.ledger.CloseSession(ctx, c.began.Scope, c.began.ID)
}

// private reports whether nobody but the user listens to the conversation.
func (c *Conversation) private() bool {
	switch c.began.Kind {
	case "", strata.SessionMain, strata.SessionSystem:
		return c.view.OnlySessions() == ""
	}
	return false
}
