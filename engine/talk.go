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

// Conversation is an open session with memory behind it: the ledger and the memory of a
// [contextmgr.Manager].
type Conversation struct {
	*session         // its methods are those of the conversation
	engine           *Engine
	workspace, agent string // determine the scopes of its facts
}

// session is the stored session, without what the engine adds.
type session = sessions.Conversation

// Talk starts or continues a conversation. A closed session is not reopened.
func (e *Engine) Talk(ctx context.Context, o TalkOptions) (*Conversation, error) {
	c, err := e.OpenConversation(ctx, o)
	if err != nil {
		return nil, err
	}
	return &Conversation{session: c, engine: e, workspace: o.Workspace, agent: o.Agent}, nil
}

// Save writes what was learned in the conversation. Facts about the user go to the global
// scope, others to the workspace, as [strata.DefaultScope] says.
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

// Recall returns memories that may help with the last turn. It leaves out turns that the
// conversation still shows and files that its snapshot contains. The trace names the
// turn.
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
