package sessions

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/store"
)

// Conversation gives a caller what it needs to talk in one session: the session's durable
// turns and state, the frozen snapshot in its prompt, and the learnings learnt in it. It
// is safe for concurrent use.
type Conversation struct {
	ledger *Ledger
	opts   Options
	view   strata.View
	began  strata.Session
	frozen frozen
	seen   seenChanges
}

// Options select a conversation. The zero value is a new session of the user alone, in
// the global scope.
type Options struct {
	// Session is the id of the session; empty makes a new session.
	Session string
	// Workspace and Agent decide what the conversation sees and where its facts go; empty
	// means none.
	Workspace, Agent string
	// Scope owns the turns; zero means the workspace, or global without a workspace.
	Scope strata.Scope
	// View is what the conversation may see; zero means the default precedence of
	// Workspace and Agent, for Kind.
	View strata.View
	// Kind decides what may be shown; empty means main.
	Kind strata.SessionKind
	// Parent is the session, of the same scope, that this one works for and whose
	// snapshot it inherits.
	Parent string
	// Guidance tells the model how to use memory; empty means [snapshot.Guidance].
	Guidance string
	// Limits limit the snapshot; zero means the defaults.
	Limits snapshot.Limits
}

// OpenConversation opens a new conversation or continues an existing one. It returns
// conflict for a session that is closed.
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
			Hint: "open a new session; search still finds what was said in this one"}
	}
	c.began = began
	// Use the rights that the session was opened with, not those asked for now: a group's
	// session must not be reopened as the user's own.
	if c.view.Session, err = l.rights(ctx, began); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	// Do this first, so that nothing forgotten from here on is overlooked.
	if err := c.noteLastChanges(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	if err := c.loadSnapshot(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return c, nil
}

// rights returns the kind of session that determines the rights: a session that works for
// another has the rights of the topmost session.
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
	return "", strata.Invalid("", "sessions are nested more than 32 deep", "start this one from a session nearer to the top")
}

// ID returns the id of the session.
func (c *Conversation) ID() string { return c.began.ID }

// Session returns the session as it was when the conversation was opened.
func (c *Conversation) Session() strata.Session { return c.began }

// View returns what the conversation may see.
func (c *Conversation) View() strata.View { return c.view }

// Append makes turns durable, with their secrets redacted. Facts are extracted from them
// once the session is closed or nothing was appended for a while.
func (c *Conversation) Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	return c.ledger.appendTurns(ctx, c.began, turns, c.queueQuiet)
}

// Turns returns up to limit turns with a sequence number above after, in order; limit 0
// means all. It returns none for a conversation without turns.
func (c *Conversation) Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error) {
	turns, err := c.ledger.Turns(ctx, c.began.Scope.View(), c.began.ID, after, limit)
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil, nil
	}
	return turns, err
}

// LoadState returns the state that SaveState saved last; nil if there is none. It sets a
// damaged state aside and returns nil.
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

// SaveState saves the state from which the conversation continues after a restart. If
// something that the state may hold was forgotten, SaveState returns an error with the
// code forgotten until [Conversation.Forgot] has been called.
func (c *Conversation) SaveState(ctx context.Context, state []byte) error {
	return c.ledger.putSessionState(ctx, c.began.Scope, c.began.ID, state, c.refuseStale)
}

// AppendWithState makes turns, and the state before them, durable in one transaction,
// like Append and SaveState. It refuses a state that holds a secret.
func (c *Conversation) AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error) {
	if _, n := secrets.RedactJSON(string(state)); n > 0 {
		return nil, &strata.Error{Code: strata.CodeRejectedSecret, Op: "append turns", Message: "the state holds a secret",
			Hint: "save the state without the secret, and append the turns separately"}
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

// SetStateAside sets a state that cannot be used aside, with the reason.
func (c *Conversation) SetStateAside(ctx context.Context, reason string) error {
	return c.ledger.SetSessionStateAside(ctx, c.began.Scope, c.began.ID, reason)
}

// Close ends the session, so that nothing more can be appended, and writes its
// transcript.
func (c *Conversation) Close(ctx context.Context) error {
	return c.ledger.CloseSession(ctx, c.began.Scope, c.began.ID)
}

// private reports whether only the user listens to the conversation.
func (c *Conversation) private() bool {
	switch c.began.Kind {
	case "", strata.SessionMain, strata.SessionSystem:
		return c.view.OnlySessions() == ""
	}
	return false
}
