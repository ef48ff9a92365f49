// Package ingest takes conversations that were held elsewhere into memory: their
// messages as turns of sessions, each once, and what they say as facts.
//
// The id of a turn follows from the message, so that reading a transcript again adds
// nothing, a longer one its end, and one that its agent has shortened what is new in
// it. What is read is kept batch by batch; after a kill the next run goes on.
package ingest

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest/transcript"
)

// Memory is where conversations go.
type Memory interface {
	// FindSession returns a session of the first scope of a view that has it; else
	// not_found.
	FindSession(ctx context.Context, view strata.View, session string) (strata.Session, error)
	// NewTurns returns those of the turns that the scope does not have yet, by their ids.
	NewTurns(ctx context.Context, scope strata.Scope, turns []strata.Turn) ([]strata.Turn, error)
	// AppendOnce adds those to a session, which is opened as s if it is new, and queues
	// it for the extraction of facts from them.
	AppendOnce(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Turn, error)
	// ExtractNew extracts facts from the turns of a session that wait for it.
	ExtractNew(ctx context.Context, scope strata.Scope, session string) ([]strata.Decision, error)
	// PreviewFacts returns what would be decided about the facts in turns, and changes
	// nothing.
	PreviewFacts(ctx context.Context, s strata.Session, turns []strata.Turn) ([]strata.Decision, error)
}

// Options say how a transcript is taken in.
type Options struct {
	// Session is the id of the session; empty means the transcript's own, else one
	// that follows from its first turn.
	Session string
	// Place returns the scope that owns a conversation held in a directory, "" where
	// that is not known. If it reports false the conversation is left out.
	Place func(ctx context.Context, dir string) (strata.Scope, bool, error)
	// View is searched for a session of that id first: a session has one scope, wherever
	// it is taken in from. It may be empty.
	View  strata.View
	Since time.Time // what was said before is left out; zero: nothing
	// At is the time of messages that say none; zero means now.
	At     time.Time
	Now    time.Time // what is said to be later than a day after it was not said then
	DryRun bool      // change nothing
}

// Report says what became of a transcript.
type Report struct {
	Sessions []Session
	Messages int64            // that were read
	Left     map[string]int64 // what is none, or was not kept, by reason
	// Decisions are those about the facts in it, at most [MaxDecisions] of them; Decided
	// counts all.
	Decisions []strata.Decision
	Decided   map[strata.Op]int64
	Notes     []string
}

// Session says what became of one conversation.
type Session struct {
	ID    string
	Scope strata.Scope
	Added int64 // turns that were new
	Known int64 // and that were there
}

// MaxDecisions is how many decisions a report holds.
const MaxDecisions = 1000

// Why a message was not kept, besides what package transcript says.
const (
	LeftEmpty  = "nothing was said"
	LeftShown  = "memory or notes that a program had shown"
	LeftBefore = "said before the time that was asked for"
	LeftPlace  = "its project takes no conversations in"
	LeftClosed = "its session is closed"
	LeftWrong  = "a message that cannot be kept"
)

// Run takes a transcript into memory. On an error, what was reported is kept.
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
