package sessions

import (
	"context"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// A running conversation holds in its window what was said and recalled. If something is
// forgotten meanwhile, by the agent itself or in another process, the window must not
// bring it back to the disk. So from then on a state is refused until the conversation
// has been rebuilt from what is left.

// seenChanges has, for each scope, the last change up to which a conversation knows what
// was forgotten.
type seenChanges struct {
	mu      sync.Mutex // guards changes
	changes map[strata.Scope]int64
}

// Forgot reports whether something was forgotten, in a scope that the conversation sees,
// since it was opened or Forgot was last called. before is the snapshot shown until now,
// and after what is left of it.
func (c *Conversation) Forgot(ctx context.Context) (before, after string, forgot bool, err error) {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	var changes map[strata.Scope]int64
	err = c.ledger.store.View(ctx, func(r store.Reader) error {
		changes, forgot, err = c.forgottenSince(ctx, r)
		return err
	})
	if err != nil {
		return "", "", false, err
	}
	if forgot {
		if before, after, err = c.rereadSnapshot(ctx); err != nil {
			return "", "", false, err
		}
	}
	c.seen.changes = changes
	return before, after, forgot, nil
}

// rereadSnapshot reads the snapshot again, because lines of it may have been blanked.
func (c *Conversation) rereadSnapshot(ctx context.Context) (before, after string, err error) {
	c.frozen.mu.Lock()
	defer c.frozen.mu.Unlock()
	before = c.frozen.made.Text
	kept, err := c.ledger.Snapshot(ctx, c.began.Scope, c.began.ID)
	if err != nil {
		return "", "", err
	}
	next := fromStore(kept)
	next.ReadOnly, next.Parent = c.frozen.made.ReadOnly, c.frozen.made.Parent
	c.frozen.made = next
	return before, next.Text, nil
}

// noteLastChanges records the last change of each scope that the conversation sees.
func (c *Conversation) noteLastChanges(ctx context.Context) error {
	c.seen.changes = make(map[strata.Scope]int64)
	return c.ledger.store.View(ctx, func(r store.Reader) error {
		last, err := r.LastChange(ctx)
		for _, s := range c.scopes() {
			c.seen.changes[s] = last
		}
		return err
	})
}

// scopes returns the scopes of the view and that of the session.
func (c *Conversation) scopes() []strata.Scope {
	if slices.Contains(c.view.Scopes, c.began.Scope) {
		return c.view.Scopes
	}
	return append(slices.Clone(c.view.Scopes), c.began.Scope)
}

// forgottenSince reports whether something was forgotten since the recorded changes, and
// returns the changes up to now.
func (c *Conversation) forgottenSince(ctx context.Context, r store.Reader) (changes map[strata.Scope]int64, forgot bool, err error) {
	changes = make(map[strata.Scope]int64)
	for _, s := range c.scopes() {
		last, some, err := store.ForgottenSince(ctx, r, s, c.seen.changes[s])
		if err != nil {
			return nil, false, err
		}
		changes[s], forgot = last, forgot || some
	}
	return changes, forgot, nil
}

// refuseStale returns an error if something was forgotten that a state may still hold.
func (c *Conversation) refuseStale(ctx context.Context, r store.Reader) error {
	c.seen.mu.Lock()
	defer c.seen.mu.Unlock()
	_, forgot, err := c.forgottenSince(ctx, r)
	if err != nil || !forgot {
		return err
	}
	return &strata.Error{Code: strata.CodeForgotten, Op: "save session state", Message: "something was forgotten that the state may still hold",
		Hint: "rebuild the conversation from its turns"}
}
