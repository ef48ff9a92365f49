package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sessions"
)

// openLedger opens the part that keeps sessions.
func (e *Engine) openLedger() {
	e.transcripts = sessions.NewTranscripts(e.store, e.opts.Transcripts, e.opts.Logger, e.exports)
	e.Ledger = sessions.NewLedger(sessions.LedgerOptions{
		Store: e.store, Transcripts: e.transcripts, IDs: &e.ids, Now: e.opts.Now,
		Model: e.opts.Model != nil, Idle: e.opts.ExtractIdle, Closed: e.endSession,
		Models: e.models, Projector: e.projector,
	})
	e.archiver = sessions.NewArchiver(e.Ledger, e.opts.Archives)
}

// PruneSessions is [sessions.Transcripts.Prune].
func (e *Engine) PruneSessions(ctx context.Context, view strata.View, o PruneOptions) (Pruned, error) {
	return e.transcripts.Prune(ctx, view, e.opts.Now(), o)
}
