package local

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// Memory holds the methods that most programs need. [Home] implements it; programs can
// accept the interface to use a fake in tests.
type Memory interface {
	// Save stores a statement of the user in plain words. The decision says what became
	// of it and why.
	Save(ctx context.Context, scope strata.Scope, text string) (strata.Decision, error)
	// Write compares a candidate with what memory holds and applies the decision. The
	// decision is durable when Write returns.
	Write(ctx context.Context, c strata.Candidate) (strata.Decision, error)
	// Recall returns memories that may help with a text, or none.
	Recall(ctx context.Context, view strata.View, text string) (*strata.Result, error)
	// Search returns the memories most similar to a text, however distant.
	Search(ctx context.Context, view strata.View, text string) (*strata.Result, error)
	// Query runs a query with limits, filters and a time.
	Query(ctx context.Context, q strata.Query) (*strata.Result, error)
	// Facts lists the facts that match a filter.
	Facts(ctx context.Context, view strata.View, f strata.FactFilter) ([]strata.Fact, error)
	// Forget deletes a fact, a document, a turn or a session for good, by its id, along
	// with text that repeats it. Its bytes are overwritten.
	Forget(ctx context.Context, view strata.View, id string, o engine.ForgetOptions) (engine.ForgetResult, error)
	// Revert undoes a decision.
	Revert(ctx context.Context, view strata.View, decision string, o engine.RevertOptions) (strata.Decision, error)
	// Close waits for work in progress, writes what is outstanding and closes the memory.
	Close() error
}

// Home is an open memory in a directory on this machine. It is safe for concurrent use.
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

// Talk starts or continues a conversation: a ledger and a memory for [contextmgr.New].
func (h *Home) Talk(ctx context.Context, o engine.TalkOptions) (*engine.Conversation, error) {
	return h.mem.Talk(ctx, o)
}

// Close implements [Memory].
func (h *Home) Close() error { return h.mem.Close() }

// Engine returns the engine behind the home, for conversations, documents, dreams,
// sessions and maintenance. It is closed with the home.
func (h *Home) Engine() *engine.Engine { return h.mem }
