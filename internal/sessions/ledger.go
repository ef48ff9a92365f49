// Package sessions keeps sessions in the store and serves callers that talk in one of
// them.
//
// A [Ledger] is the sessions of a home: it opens and closes them, appends turns, and
// keeps their other data: saved states, snapshots, learnings and runs of tools.
// [Transcripts] writes closed sessions as files. A [Conversation] is one open session,
// with the frozen snapshot in its prompt.
package sessions

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/store"
)

// LedgerOptions are what a ledger works with. All are required.
type LedgerOptions struct {
	Store       store.Store
	Transcripts *Transcripts
	IDs         *id.Maker
	Now         func() time.Time
	// Model says that a model extracts facts from turns, in addition to the rules.
	Model bool
	// Idle is how long nothing must be appended to a conversation before facts are
	// extracted from it.
	Idle time.Duration
	// Closed is called for each session that was closed here, after the attempt to write
	// its transcript.
	Closed func(ctx context.Context, scope strata.Scope, session string)
	// Models make the vectors of turns, and Projector updates files.
	Models    *embedding.Models
	Projector *projection.Projector
}

// Ledger is the sessions of a home. It is safe for concurrent use.
type Ledger struct {
	store       store.Store
	transcripts *Transcripts
	ids         *id.Maker
	now         func() time.Time
	closed      func(context.Context, strata.Scope, string)
	models      *embedding.Models
	projector   *projection.Projector
	model       bool
	idle        time.Duration
}

// NewLedger returns the ledger of a store.
func NewLedger(o LedgerOptions) *Ledger {
	return &Ledger{
		store: o.Store, transcripts: o.Transcripts, ids: o.IDs, now: o.Now,
		closed: o.Closed, models: o.Models, projector: o.Projector, model: o.Model, idle: o.Idle,
	}
}
