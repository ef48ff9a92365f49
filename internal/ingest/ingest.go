// Package ingest imports conversations held elsewhere: their messages become turns of
// sessions, each once, and facts are extracted from them.
//
// The id of a turn is derived from its message. Reading a transcript again therefore adds
// nothing, a longer transcript adds its end, and one that its agent has shortened adds
// what is new. Turns are stored in batches, so that after a kill the next run continues.
package ingest

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest/transcript"
)

// Memory stores conversations.
type Memory interface {
	// FindSession returns the session from the first scope of a view that has it, or
	// [strata.CodeNotFound].
	FindSession(ctx context.Context, view strata.View, session string) (strata.Session, error)
	// NewTurns returns the turns whose ids the scope does not have yet.
	NewTurns(ctx context.Context, scope strata.Scope, turns []strata.Turn) ([]strata.Turn, error)
	// AppendOnce appends the turns that are new to a session and queues the session for
	// extraction. It opens the session as s if it does not exist. It returns the turns
	// that were added.
	AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error)
	// ExtractNew extracts facts from the turns of a session that are queued.
	ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error)
	// PreviewFacts returns the decisions that extraction from turns would make. It
	// changes nothing.
	PreviewFacts(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Decision, error)
}

// Options control how a transcript is ingested.
type Options struct {
	// Session is the id of the session. If it is empty, the transcript's own id is used
	// or, failing that, one derived from its first turn.
	Session string
	// Place returns the scope that owns a conversation held in the directory dir, which
	// is "" if unknown. If Place returns false, the conversation is left out.
	Place func(ctx context.Context, dir string) (strata.Scope, bool, error)
	// View is searched first for a session with the same id, since a session has one
	// scope wherever it is ingested from. It may be empty.
	View  strata.View
	Since time.Time // earlier messages are left out; zero leaves out none
	// At is the time of messages that have none. Zero means Now.
	At     time.Time
	Now    time.Time // the current time; message times more than a day later are replaced
	DryRun bool      // change nothing
}

// Report is the result of ingesting a transcript.
type Report struct {
	Sessions []Session
	Messages int64            // number of messages read
	Left     map[string]int64 // what was not a message or was not kept, by reason
	// Decisions holds up to [MaxDecisions] decisions about facts; Decided counts all of
	// them.
	Decisions []strata.Decision
	Decided   map[strata.Op]int64
	Notes     []string
}

// Session is the result for one conversation.
type Session struct {
	ID    string
	Scope strata.Scope
	Added int64 // turns that were new
	Known int64 // turns that existed before
}

// MaxDecisions is the maximum number of decisions in a report.
const MaxDecisions = 1000

// Reasons for not keeping a message, besides those of package transcript.
const (
	LeftEmpty  = "nothing was said"
	LeftShown  = "memory or notes that a program had shown"
	LeftBefore = "said before the time that was asked for"
	LeftPlace  = "its project takes no conversations in"
	LeftClosed = "its session is closed"
	LeftWrong  = "a message that cannot be kept"
)

// Run ingests a transcript. If it returns an error, everything in the report has been
// stored nevertheless.
func Run(ctx context.Context, m Memory, r *transcript.Reader, o Options) (Report, error) {
	in := newIntake(m, o)
	err := in.readAll(ctx, r)
	return in.finish(r), err
}

func (in *intake) readAll(ctx context.Context, r *transcript.Reader) error {
	for msg, err := range r.Messages() {
		if err != nil {
			return err
		}
		if err := in.take(ctx, msg); err != nil {
			return err
		}
	}
	for _, m := range in.held { // nobody spoke
		if err := in.keep(ctx, m); err != nil {
			return err
		}
	}
	return in.flush(ctx)
}
