package sessions

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// extractors lists who extracts facts from turns here.
func (l *Ledger) extractors() []store.Extractor {
	if l.model {
		return []store.Extractor{store.ByRules, store.ByModel}
	}
	return []store.Extractor{store.ByRules}
}

// queue queues a session, to which turns are about to be appended, for the extraction of
// facts from them, which begins no earlier than a time. What an agent says to another is
// not read for facts.
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

// queueQuiet is queue once nothing was appended for a while: whoever talks may read the
// turns itself, and what is said next may correct what was said last.
func (c *Conversation) queueQuiet(ctx context.Context, w store.Writer) error {
	return c.ledger.queue(ctx, w, c.began, w.Now().Add(c.ledger.idle))
}

// hasten has the facts of a session extracted at once, where that waits for it to be quiet.
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

// Extracted records that the facts of the turns up to one are saved: by rules, and by a
// model if one has read them too. They are not read again when the session is quiet.
func (c *Conversation) Extracted(ctx context.Context, last int64, byModel bool) error {
	return c.ledger.store.Update(ctx, func(w store.Writer) error {
		for _, by := range c.ledger.extractors() {
			if by == store.ByModel && !byModel {
				continue
			}
			err := w.MoveExtraction(ctx, store.Extraction{Scope: c.began.Scope, Session: c.began.ID, Extractor: by, After: last})
			if err != nil && strata.CodeOf(err) != strata.CodeConflict { // a worker reads on
				return err
			}
		}
		return nil
	})
}
