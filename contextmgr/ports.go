package contextmgr

import (
	"context"

	"github.com/strata-memory/strata"
)

// Ledger is the durable record of one conversation. The manager calls it from
// one goroutine at a time.
type Ledger interface {
	// Append adds turns at the end, all or none, and is durable when it returns.
	// It returns them as they are kept: with ID, Session, times and an ascending
	// Seq, secrets redacted. What it returns is what the model will see.
	Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error)
	// Turns returns at most limit turns whose Seq is greater than after, in
	// order; limit 0 means all.
	Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error)
	// LoadState returns what SaveState kept last; nil when there is none.
	LoadState(ctx context.Context) ([]byte, error)
	// SaveState replaces the state, atomically: a reader sees the old or the new.
	SaveState(ctx context.Context, state []byte) error
	// SetStateAside keeps a state that cannot be used apart, for a person to
	// look at, so that LoadState returns nil.
	SetStateAside(ctx context.Context, reason string) error
}

// Forgetting is a [Ledger] of whose turns, or of what was recalled into whose
// conversation, something can be forgotten while it continues. It then refuses
// states with the code forgotten until it was asked.
type Forgetting interface {
	// Forgot reports whether something was forgotten since the conversation was
	// opened or Forgot was called last. Before is the snapshot that the ledger
	// had handed out, after what is left of it.
	Forgot(ctx context.Context) (before, after string, forgot bool, err error)
}

// Recording is a [Ledger] that makes turns and a state durable at once, at about
// the cost of one of them. The manager saves states with answers where it can.
type Recording interface {
	// AppendWithState does what Append and SaveState do, both or neither. The
	// state tells of the conversation before the turns. It may hold a secret, if
	// what two turns said apart is one together, and is then refused: it has a
	// checksum. After an error that refuses what was given (rejected_secret,
	// forgotten, too_large, invalid) or says full, the manager tries the two
	// apart, the state without its secrets.
	AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error)
}

// Extracting is a [Ledger] whose turns others read for their facts once the conversation
// is quiet, if it was left without a flush.
type Extracting interface {
	// Extracted is told that the facts of all turns up to one are saved, as rules found
	// them, and a model if byModel is set: they need not be read again.
	Extracted(ctx context.Context, last int64, byModel bool) error
}

// Memory is where facts go and come from.
type Memory interface {
	// Save writes candidates and returns one decision each, in order. The same
	// RequestID a second time changes nothing and returns the stored decision.
	Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error)
	// RelatedFacts returns at most limit current facts that turns may be about, the likeliest
	// first.
	RelatedFacts(ctx context.Context, turns []strata.Turn, limit int) ([]strata.Fact, error)
	// Recall returns what may help with the request, best first. It counts as
	// automatic: nobody asked for it.
	Recall(ctx context.Context, r RecallRequest) ([]strata.Hit, error)
}

// Refreshing is a [Memory] that says what became of facts while a conversation shows
// them.
type Refreshing interface {
	// Current returns what is believed now in the place of facts, by the ids that they
	// were shown with: the fact itself, as it reads now, or the one that took its place.
	// A fact that is not believed any more has no entry.
	Current(ctx context.Context, ids []string) (map[string]strata.Hit, error)
}

// RecallRequest asks memory for what a user's turn may need.
type RecallRequest struct {
	Query  string   // what the user said, shortened to [MaxRecallQuery] bytes
	Turn   int64    // Seq of the user's turn, for the trace
	Tokens int      // the most the texts of all hits may cost
	Limit  int      // the most hits
	Seen   []string // ids that are in the window already
	// Shown are the turns of the conversation that the window shows.
	Shown []strata.TurnRange
}

// MaxRecallQuery is the longest query the manager sends, in bytes. What a user
// wants is at the ends of a long message, so its middle is left out.
const MaxRecallQuery = 4 << 10

// Counter counts the tokens of a text. Its answer must depend on the text
// alone, because costs are kept: what the model reports is learned by the
// manager, for whole requests. It is safe for concurrent use. Of a counter that the
// manager chose, an estimate serves until its table is loaded.
type Counter interface {
	Count(text string) int
}
