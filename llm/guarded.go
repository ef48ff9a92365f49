package llm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/strata-memory/strata"
)

// GuardChat returns c with time limits, retries and a breaker. c must stop when its
// context ends.
//
//   - A call that takes longer than Limit, or whose server is silent for longer than Start
//     or Idle, is cut off: unavailable.
//   - A request is retried only if that cannot do work twice: nothing was streamed, and the
//     error is [Refused].
//   - After Failures calls in a row that failed through the server's fault (unavailable,
//     corrupt), calls fail at once, with an error that says when the model will be tried
//     again. After Cooldown one call is let through. Requests that the server rejected
//     (too_large, invalid, not_found, denied, unsupported) prove that it works. A caller who
//     cancels proves nothing; a caller's deadline counts once the server was silent for a
//     second.
//
// Parts of an answer without text or reasoning are signs of life from the adapter: they
// end a silence and are not passed on.
func GuardChat(c Chat, o GuardOptions) Chat {
	return &guardedChat{chat: c, guard: newGuard(c.Model(), o)}
}

type guardedChat struct {
	chat  Chat
	guard *guard
}

func (g *guardedChat) Model() string { return g.chat.Model() }

func (g *guardedChat) Chat(ctx context.Context, req Request, onDelta func(Delta) error) (Reply, error) {
	// A request that no server could answer says nothing about this one.
	if err := req.Validate(); err != nil {
		return Reply{}, err
	}
	if g.Model() == "" {
		return Reply{}, strata.Invalid("chat", "no model is named", "name the model as its server lists it")
	}
	var reply Reply
	err := g.guard.run(ctx, "chat", func(ctx context.Context, beat func(func() error) error) error {
		var err error
		reply, err = g.chat.Chat(ctx, req, func(d Delta) error {
			if d == (Delta{}) || onDelta == nil {
				return beat(nil)
			}
			return beat(func() error { return onDelta(d) })
		})
		return err
	})
	return reply, err
}

// GuardEmbedder returns e with the time limits, retries and breaker that [GuardChat]
// describes. It treats an Embed call as one request; an embedder that sends batches
// should guard each batch itself.
func GuardEmbedder(e Embedder, o GuardOptions) Embedder {
	return &guardedEmbedder{embedder: e, guard: newGuard(e.Model(), o)}
}

type guardedEmbedder struct {
	embedder Embedder
	guard    *guard
}

func (g *guardedEmbedder) Model() string   { return g.embedder.Model() }
func (g *guardedEmbedder) Dimensions() int { return g.embedder.Dimensions() }

func (g *guardedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var vectors [][]float32
	err := g.guard.run(ctx, "embed", func(ctx context.Context, _ func(func() error) error) error {
		var err error
		vectors, err = g.embedder.Embed(ctx, texts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// Refused marks, inside an error, a request that the server rejected unprocessed or never
// received: the connection was refused or reset before any answer, or the answer was "too
// many requests" or "not now". Such a request did no work, so a retry is safe. Adapters
// put it in the chain of the errors they return; the guard looks for it.
type Refused struct {
	// After is how long the server asks clients to wait; 0 means that it did not say.
	After time.Duration
	Err   error
}

// Error returns the cause, and the wait if the server named one.
func (r *Refused) Error() string {
	text := "not processed"
	if r.Err != nil {
		text = r.Err.Error()
	}
	if r.After > 0 {
		return fmt.Sprintf("%s (the server asks to wait %s)", text, r.After)
	}
	return text
}

// Unwrap returns the cause.
func (r *Refused) Unwrap() error { return r.Err }

// refusedAfter reports whether err says that the request was not processed,
// and how long the server asks to wait.
func refusedAfter(err error) (after time.Duration, ok bool) {
	var r *Refused
	if !errors.As(err, &r) {
		return 0, false
	}
	return r.After, true
}
