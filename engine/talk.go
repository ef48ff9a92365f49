package engine

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/internal/sessions"
)

var (
	_ contextmgr.Ledger     = (*Conversation)(nil)
	_ contextmgr.Recording  = (*Conversation)(nil)
	_ contextmgr.Extracting = (*Conversation)(nil)
	_ contextmgr.Forgetting = (*Conversation)(nil)
	_ contextmgr.Memory     = (*Conversation)(nil)
	_ contextmgr.Refreshing = (*Conversation)(nil)
)

// Conversation is a session under way with memory behind it: the ledger and
// the memory of a [contextmgr.Manager].
//
//	talk, err := mem.Talk(ctx, engine.TalkOptions{Session: "monday"})
//	mgr, err := contextmgr.New(ctx, contextmgr.Options{Model: model, Snapshot: talk.Snapshot().Text, Ledger: talk, Memory: talk})
//
// It is safe for concurrent use.
type Conversation struct {
	*session         // its methods are those of the conversation
	engine           *Engine
	workspace, agent string // decide where its facts go
}

// session is one in the store, without what the engine does for it.
type session = sessions.Conversation

// Talk opens a conversation, or goes on with one that is there. A session that
// is closed is not reopened.
func (e *Engine) Talk(ctx context.Context, o TalkOptions) (*Conversation, error) {
	c, err := e.OpenConversation(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Conversation{session: c, engine: e, workspace: o.Workspace, agent: o.Agent}, nil
}

// Save writes what was learned in the conversation. A fact goes where its type
// belongs: what is about the user to the global scope, the rest to the
// workspace.
func (c *Conversation) Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	own := make([]strata.Candidate, len(cs))
	for i, cand := range cs {
		cand.Session = c.ID()
		if cand.Scope.IsZero() {
			cand.Workspace, cand.Agent = c.workspace, c.agent
		}
		own[i] = cand
	}
	return c.engine.WriteBatch(ctx, own)
}

// Recall returns what memory knows that may help with what was said, without the
// turns that the conversation still shows and the files that its snapshot has. The
// trace names the turn.
func (c *Conversation) Recall(ctx context.Context, r contextmgr.RecallRequest) ([]strata.Hit, error) {
	res, err := c.engine.Query(ctx, strata.Query{
		View: c.View(), Text: r.Query, Limit: r.Limit, Tokens: r.Tokens, Seen: r.Seen,
		Session: c.ID(), Turn: r.Turn, Shown: r.Shown, Automatic: true,
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(res.Hits, func(h strata.Hit) bool { return h.Section != nil && sessions.InSnapshot(h.Section.Path) }), nil
}
