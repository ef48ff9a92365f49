package sessions

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// extractors returns the extractors that are in use.
func (l *Ledger) extractors() []store.Extractor {
	if l.model {
		return []store.Extractor{store.ByRules, store.ByModel}
	}
	return []store.Extractor{store.ByRules}
}

// queue queues a session, to which turns are about to be appended, for the extraction of
// facts no earlier than from. It skips what one agent says to another.
func (l *Ledger) queue(ctx context.Context, w store.Writer, s strata.Session, from time.Time) error {
	if s.Kind == strata.SessionSub {
		return nil
	}
	for _, by := range l.extractors() {
		if err := w.QueueExtraction(ctx, s.Scope, s.ID, by, from); err != nil {
			return err
		}
	}
	return nil
}

// queueQuiet is queue, but waits until nothing was appended for a while: the caller may
// extract facts itself, and what is said next may correct what was said last.
func (c *Conversation) queueQuiet(ctx context.Context, w store.Writer) error {
	return c.ledger.queue(ctx, w, c.began, w.Now().Add(c.ledger.idle))
}

// hasten makes an extraction that waits for the session to be quiet start at once.
func hasten(ctx context.Context, w store.Writer, scope strata.Scope, session string) error {
	for _, by := range []store.Extractor{store.ByRules, store.ByModel} {
		_, err := w.Extraction(ctx, scope, session, by)
		switch strata.CodeOf(err) {
		case "":
			err = w.QueueExtraction(ctx, scope, session, by, time.Time{})
		case strata.CodeNotFound:
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Extracted records that the facts of the turns up to last are saved, by rules and, with
// byModel, also by a model, so that these turns are not read again.
func (c *Conversation) Extracted(ctx context.Context, last int64, byModel bool) error {
	return c.ledger.store.Update(ctx, func(w store.Writer) error {
		for _, by := range c.ledger.extractors() {
			if by == store.ByModel && !byModel {
				continue
			}
			err := w.MoveExtraction(ctx, store.Extraction{Scope: c.began.Scope, Session: c.began.ID, Extractor: by, After: last})
			if err != nil && strata.CodeOf(err) != strata.CodeConflict { // conflict: a worker is reading the session
				return err
			}
		}
		return nil
	})
}
