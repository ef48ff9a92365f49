package sessions

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// Current returns what holds now in place of the facts with the given ids: the fact
// itself, as it reads now, or its successor. A fact that no longer holds, or that the
// conversation may not see, has no entry.
func (c *Conversation) Current(ctx context.Context, ids []string) (map[string]strata.Hit, error) {
	out := make(map[string]strata.Hit, len(ids))
	err := c.ledger.store.View(ctx, func(r store.Reader) error {
		for _, id := range ids {
			f, err := store.CurrentFact(ctx, r, c.view.Scopes, id)
			if strata.CodeOf(err) == strata.CodeNotFound || err == nil && c.view.Hides(f) {
				continue
			}
			if err != nil {
				return err
			}
			out[id] = strata.Hit{ID: f.ID, Kind: strata.KindFact, Text: f.Text, Scope: f.Scope, At: f.RecordedAt, Notes: secrets.Warnings(f.Text)}
		}
		return nil
	})
	return out, err
}
