package local

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// Memory is what most programs ask of a memory. A [Home] is one; a test of a program that
// asks for this interface can fake it.
type Memory interface {
	// Save writes a statement of the user's in plain words. What it decided, and why, is
	// in the decision.
	Save(ctx context.Context, scope strata.Scope, text string) (strata.Decision, error)
	// Write weighs a candidate against what memory holds and applies what it decides.
	// When it returns, the decision is durable.
	Write(ctx context.Context, c strata.Candidate) (strata.Decision, error)
	// Recall returns what may help with a text, or nothing.
	Recall(ctx context.Context, view strata.View, text string) (*strata.Result, error)
	// Search returns what is most like a text, however far that is.
	Search(ctx context.Context, view strata.View, text string) (*strata.Result, error)
	// Query asks with limits, filters and a time.
	Query(ctx context.Context, q strata.Query) (*strata.Result, error)
	// Facts lists the facts that pass a filter.
	Facts(ctx context.Context, view strata.View, f strata.FactFilter) ([]strata.Fact, error)
	// Forget removes a fact, a document, a turn or a session by its id, and what repeats
	// it. Its bytes are overwritten.
	Forget(ctx context.Context, view strata.View, id string, o engine.ForgetOptions) (engine.ForgetResult, error)
	// Revert takes a decision back.
	Revert(ctx context.Context, view strata.View, decision string, o engine.RevertOptions) (strata.Decision, error)
	// Close waits for what is under way, writes what is outstanding and closes the memory.
	Close() error
}

// Home is the open memory of a directory on this machine. It is safe for concurrent use.
type Home struct{ mem *engine.Engine }

var _ Memory = (*Home)(nil)

// Save implements [Memory].
func (h *Home) Save(ctx context.Context, scope strata.Scope, text string) (strata.Decision, error) {
	return h.mem.Save(ctx, scope, text)
}

// Write implements [Memory].
func (h *Home) Write(ctx context.Context, c strata.Candidate) (strata.Decision, error) {
	return h.mem.Write(ctx, c)
}

// Recall implements [Memory].
func (h *Home) Recall(ctx context.Context, view strata.View, text string) (*strata.Result, error) {
	return h.mem.Recall(ctx, view, text)
}

// Search implements [Memory].
func (h *Home) Search(ctx context.Context, view strata.View, text string) (*strata.Result, error) {
	return h.mem.Search(ctx, view, text)
}

// Query implements [Memory].
func (h *Home) Query(ctx context.Context, q strata.Query) (*strata.Result, error) {
	return h.mem.Query(ctx, q)
}

// Facts implements [Memory].
func (h *Home) Facts(ctx context.Context, view strata.View, f strata.FactFilter) ([]strata.Fact, error) {
	return h.mem.Facts(ctx, view, f)
}

// Forget implements [Memory].
func (h *Home) Forget(ctx context.Context, view strata.View, id string, o engine.ForgetOptions) (engine.ForgetResult, error) {
	return h.mem.Forget(ctx, view, id, o)
}

// Revert implements [Memory].
func (h *Home) Revert(ctx context.Context, view strata.View, decision string, o engine.RevertOptions) (strata.Decision, error) {
	return h.mem.Revert(ctx, view, decision, o)
}

// Talk opens a conversation, or goes on with one that is there: a ledger and a memory for
// [contextmgr.New].
func (h *Home) Talk(ctx context.Context, o engine.TalkOptions) (*engine.Conversation, error) {
	return h.mem.Talk(ctx, o)
}

// Close implements [Memory].
func (h *Home) Close() error { return h.mem.Close() }

// Engine returns the whole memory: conversations, documents, dreams, sessions and upkeep.
// It is closed with the home.
func (h *Home) Engine() *engine.Engine { return h.mem }
