// Package conversation keeps sessions in the store, and makes of one of them
// what a caller that talks in it needs.
//
// A [Ledger] is all sessions of a home: it opens and closes them, appends turns,
// and keeps what belongs to them besides turns: saved states, snapshots, learnings
// and runs of tools. [Transcripts] writes those that were closed as files. A
// [Conversation] is one session that is under way, with the frozen snapshot of
// its prompt.
package conversation

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/session"
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
	// Index prepares turns for the index, before the transaction that appends
	// them. Put puts them there, inside it, as they are kept and with their
	// numbers. Done is called when they are durable.
	Index func(ctx context.Context, turns []strata.Turn) (put PutTurns, done func())
	// Files reads the parts of a scope's files that are in the prompt of a session, to
	// which nobody but the user listens if private is set.
	Files func(ctx context.Context, r store.Reader, scope strata.Scope, private bool) (Files, error)
	// Closed is called with a session that was closed here, after its transcript was
	// written.
	Closed func(ctx context.Context, scope strata.Scope, session string)
	// Learned is called with a scope in which a learning was learned.
	Learned func(scope strata.Scope)
}

// Files are the parts of a scope's files that are in the prompt of a session.
type Files struct {
	Whole   []session.File // what people wrote for the agent, in the order shown
	Index   string         // of the notes; empty if it would say nothing
	IndexAt time.Time      // when the index changed last; zero if that is not known
	// Summary is what the scope's memory holds, in short; empty without one. SummaryAt is
	// when it was written.
	Summary   string
	SummaryAt time.Time
	Skills    []session.Skill // those that are not offered too
	Foreign   []string        // paths of files that are not trusted, of which nothing is shown
}

// PutTurns puts turns into the index in the transaction that appends them.
type PutTurns func(ctx context.Context, w store.Writer, numbers []int64, turns []strata.Turn) error

// Ledger is the sessions of a home. It is safe for concurrent use.
type Ledger struct {
	store       store.Store
	transcripts *Transcripts
	ids         *id.Maker
	now         func() time.Time
	index       func(context.Context, []strata.Turn) (PutTurns, func())
	files       func(context.Context, store.Reader, strata.Scope, bool) (Files, error)
	closed      func(context.Context, strata.Scope, string)
	learned     func(strata.Scope)
	model       bool
	idle        time.Duration
}

// NewLedger returns the ledger of a store.
func NewLedger(o LedgerOptions) *Ledger {
	return &Ledger{
		store: o.Store, transcripts: o.Transcripts, ids: o.IDs, now: o.Now,
		index: o.Index, files: o.Files, closed: o.Closed, learned: o.Learned, model: o.Model, idle: o.Idle,
	}
}
