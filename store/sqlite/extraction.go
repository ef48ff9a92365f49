package sqlite

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/extraction"
)

// extractions is the table of what waits for its facts.
func (t *tx) extractions() extraction.Table {
	return extraction.Table{Query: t.query, Exec: t.exec, Now: t.now}
}

// Extractions lists sessions that wait for an extractor or were given up.
func (t *tx) Extractions(ctx context.Context, f store.ExtractionFilter) ([]store.Extraction, error) {
	list, err := t.extractions().List(ctx, f, clampLimit(f.Limit))
	return list, wrap("list extractions", err)
}

// Extraction returns how far an extractor is in a session that waits for it.
func (t *tx) Extraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) (store.Extraction, error) {
	x, err := t.extractions().Get(ctx, store.Extraction{Scope: scope, Session: session, Extractor: by})
	return x, wrap("read extraction", err)
}

// QueueExtraction has an extractor read the turns that follow the last, not before a time.
func (t *tx) QueueExtraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor, from time.Time) error {
	no, err := t.sessionScope(ctx, "queue extraction", scope, session)
	if err == nil {
		err = t.extractions().Queue(ctx, no, session, by, from)
	}
	return wrap("queue extraction", err)
}

// RestartExtraction has an extractor read a session from its first turn.
func (t *tx) RestartExtraction(ctx context.Context, scope strata.Scope, session string, by store.Extractor) error {
	no, err := t.sessionScope(ctx, "restart extraction", scope, session)
	if err == nil {
		err = t.extractions().Restart(ctx, no, session, by)
	}
	return wrap("restart extraction", err)
}

// ClaimExtraction gives a session that waits to a worker.
func (t *tx) ClaimExtraction(ctx context.Context, c store.ExtractionClaim) (store.Extraction, error) {
	x, err := t.extractions().Claim(ctx, c)
	return x, wrap("claim extraction", err)
}

// HoldExtraction renews the lease of its owner.
func (t *tx) HoldExtraction(ctx context.Context, x store.Extraction, lease time.Duration) error {
	return wrap("hold extraction", t.extractions().Hold(ctx, x, lease))
}

// MoveExtraction records that an extractor has read up to a turn.
func (t *tx) MoveExtraction(ctx context.Context, x store.Extraction) error {
	return wrap("move extraction", t.extractions().Move(ctx, x))
}

// ReleaseExtraction gives the lease up and records what became of the attempt.
func (t *tx) ReleaseExtraction(ctx context.Context, x store.Extraction) error {
	return wrap("release extraction", t.extractions().Release(ctx, x))
}

// ReviveExtraction has one that failed wait as if it had not.
func (t *tx) ReviveExtraction(ctx context.Context, x store.Extraction) error {
	return wrap("revive extraction", t.extractions().Revive(ctx, x))
}

// DropExtraction ends one that was given up.
func (t *tx) DropExtraction(ctx context.Context, x store.Extraction) error {
	return wrap("drop extraction", t.extractions().Drop(ctx, x))
}
