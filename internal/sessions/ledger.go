// Package sessions keeps sessions in the store, and makes of one of them
// what a caller that talks in it needs.
//
// A [Ledger] is all sessions of a home: it opens and closes them, appends turns,
// and keeps what belongs to them besides turns: saved states, snapshots, learnings
// and runs of tools. [Transcripts] writes those that were closed as files. A
// [Conversation] is one session that is under way, with the frozen snapshot of
// its prompt.
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

// LedgerOptions are what a ledger works with. All are needed.
type LedgerOptions struct {
	Store       store.Store
	Transcripts *Transcripts
	IDs         *id.Maker
	Now         func() time.Time
	// Model says that a model reads what is taken in, besides the rules.
	Model bool
	// Idle is for how long nothing is appended to a conversation before it is read for
	// its facts.
	Idle time.Duration
	// Closed is called with a session that was closed here, after its transcript was
	// written.
	Closed func(ctx context.Context, scope strata.Scope, session string)
	// Models make the vectors of turns, and Projector lets files follow.
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
