package sessions

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// maxSuccessors limits how many successors of a fact are followed.
const maxSuccessors = 32

// Current returns what holds now in place of the facts with the given ids: the fact
// itself, as it reads now, or its successor. A fact that no longer holds, or that the
// conversation may not see, has no entry.
func (c *Conversation) Current(ctx context.Context, ids []string) (map[string]strata.Hit, error) {
	out := make(map[string]strata.Hit, len(ids))
	err := c.ledger.store.View(ctx, func(r store.Reader) error {
		for _, id := range ids {
			f, err := c.successor(ctx, r, id)
			switch {
			case strata.CodeOf(err) == strata.CodeNotFound:
				continue
			case err != nil:
				return err
			}
			out[id] = strata.Hit{ID: f.ID, Kind: strata.KindFact, Text: f.Text, Scope: f.Scope, At: f.RecordedAt, Notes: secrets.Warnings(f.Text)}
		}
		return nil
	})
	return out, err
}

// successor follows a fact to the current one that holds in its place.
func (c *Conversation) successor(ctx context.Context, r store.Reader, id string) (strata.Fact, error) {
	for range maxSuccessors {
		f, err := r.Fact(ctx, c.view.Scopes, id)
		if err != nil {
			return f, err
		}
		if c.view.Hides(f) {
			break
		}
		if f.Current() {
			return f, nil
		}
		if id = f.SupersededBy; id == "" {
			break
		}
	}
	return strata.Fact{}, strata.NotFound("follow fact", "fact", id)
}
