package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// SessionFilter selects sessions. The zero value selects the newest 100.
type SessionFilter struct {
	Parent string             // sessions that this one started; empty: any
	Kind   strata.SessionKind // empty: any
	After  string             // id after which to go on, for paging; empty: from the newest
	Limit  int                // 0: 100; at most 10,000
}

// TurnFilter selects turns of a session, in order. The zero value selects all.
type TurnFilter struct {
	After int64 // only turns with a higher sequence number
	Until int64 // and none with a higher one than this; 0: no end
	Limit int   // 0: all
	// NoImages leaves the data of images out and keeps their media types, so
	// that a list of turns costs what its text costs.
	NoImages bool
}

// State is what a session saved to go on from after a restart. Forget finds
// text in it only where the text stands plain or in JSON.
type State struct {
	Data []byte
	At   time.Time // when it was saved
}

// SetAside is a state that could not be used.
type SetAside struct {
	State
	Reason string
}

// KeptAside is how many states that were set aside a session keeps.
const KeptAside = 3

// KeptSnapshots is how many generations of a session's snapshot are kept.
const KeptSnapshots = 10

// Transcript is what is known of the transcript of a session.
type Transcript struct {
	Session strata.Session
	// Place is where the transcript is, as its writer names places; empty until
	// one is chosen, which is before anything is written.
	Place string
	// Revision counts how often turns of the session were blanked after it was
	// closed. Above 0 the transcript takes the place of one that may be there.
	Revision  int64
	WrittenAt *time.Time // nil while it is outstanding
	SetAside  string     // why it was given up; empty if it was not
}

// SessionUse is what a closed session takes up.
type SessionUse struct {
	Transcript
	Bytes int64 // of texts, tool calls and images
	// Extraction says that facts are still to be extracted from its turns.
	Extraction bool
}

// ArchiveState says what a file that holds the turns of a session is good for.
type ArchiveState string

// The states of an archive, in order.
const (
	ArchiveBegun   ArchiveState = "begun"   // it is being written; the turns are in the store
	ArchiveKept    ArchiveState = "kept"    // it has the turns, and the store has them no longer
	ArchiveDropped ArchiveState = "dropped" // it is to be removed
	ArchiveGone    ArchiveState = "gone"    // it was removed, and nothing is kept of it
)

// Archive is what is known of a file that holds the turns of a session.
type Archive struct {
	Scope   strata.Scope
	Session string
	Place   string // as its keeper names places; no two attempts share one
	State   ArchiveState
	Turns   int64
	Bytes   int64     // of the file
	Sum     string    // SHA-256 of the file, in hex
	At      time.Time // when it came into its state
}

// SessionCount is a session that is open or counts its turns wrongly.
type SessionCount struct {
	strata.Session
	Counted int64     // turns that there are
	LastSeq int64     // of the last; 0 without turns
	LastAt  time.Time // when that was recorded, or the session began
}

// Outstanding reports whether the session is closed and its transcript neither
// written nor given up.
func (t Transcript) Outstanding() bool {
	return t.Session.ClosedAt != nil && t.WrittenAt == nil && t.SetAside == ""
}

// Extractor says who extracts facts from turns.
type Extractor string

// The extractors. What the rules find is in memory before a model reads on.
const (
	ByRules Extractor = "rules"
	ByModel Extractor = "model"
)

// Extraction says that facts are still to be extracted from the turns of a session
// that follow one of them. Turns that are appended meanwhile widen it.
type Extraction struct {
	Scope     strata.Scope
	Session   string
	Extractor Extractor
	After     int64     // sequence number of the last turn that was read
	QueuedAt  time.Time // when it began to wait

	// Owner is the token of the worker that reads the turns, empty for none. Others
	// leave them to it until LeaseUntil.
	Owner      string
	LeaseUntil time.Time

	Attempts  int        // that failed since it came on last
	RetryAt   time.Time  // not to be read before, if Attempts is 0 for what may still be said; the zero time and earlier mean at once
	LastError string     // why the last attempt failed
	DeadAt    *time.Time // when it was given up; nil if it was not
}

// ExtractionFilter selects extractions. The zero value selects the first 100 that wait.
type ExtractionFilter struct {
	Extractor Extractor      // empty: any
	Scopes    []strata.Scope // nil: all
	Session   string         // empty: any
	Dead      bool           // those that were given up, instead of those that wait
	Due       bool           // of those that wait, only those whose time to be tried has come
	Limit     int            // 0: 100; at most 10,000
}

// ExtractionClaim says what a worker asks for.
type ExtractionClaim struct {
	Extractor Extractor
	Owner     string        // token of the worker, never used before
	Lease     time.Duration // how long it is left alone
	// Only names the session to be read, in its scope; nil means whichever is next.
	Only *Extraction
}

// Bounds of what the clock may be believed when a lease or a time to try again lies in
// the future: one that lies further ahead was set before the clock went back.
const (
	MaxExtractionLease = 10 * time.Minute
	MaxExtractionPause = 6 * time.Hour
)

// SessionReader reads what belongs to a session besides its turns.
type SessionReader interface {
	// SessionState returns the saved state of a session; not_found if there is
	// none, corrupt if it is not what was saved.
	SessionState(ctx context.Context, scope strata.Scope, session string) (State, error)
	// StatesAside lists the states of a session that were set aside, newest
	// first.
	StatesAside(ctx context.Context, scope strata.Scope, session string) ([]SetAside, error)
	// Snapshot returns the latest snapshot of a session; else not_found.
	Snapshot(ctx context.Context, scope strata.Scope, session string) (strata.Snapshot, error)
	// Transcript returns what is known of the transcript of a session.
	Transcript(ctx context.Context, scope strata.Scope, session string) (Transcript, error)
	// Unexported lists up to limit outstanding transcripts of all scopes, those
	// that follow the one of a given session; of the zero Session, the first.
	Unexported(ctx context.Context, after strata.Session, limit int) ([]Transcript, error)
	// TranscriptsAside lists the transcripts of a scope that were given up.
	TranscriptsAside(ctx context.Context, scope strata.Scope) ([]Transcript, error)
	// SessionUses lists the closed sessions of a scope that hold what can be pruned, the
	// one that was closed first first.
	SessionUses(ctx context.Context, scope strata.Scope) ([]SessionUse, error)
	// SessionCounts lists the sessions of a scope that are open or count their turns
	// wrongly, in the order in which they began.
	SessionCounts(ctx context.Context, scope strata.Scope) ([]SessionCount, error)
	// Archives lists the files of the archived sessions of a scope, in whatever state, the
	// oldest first.
	Archives(ctx context.Context, scope strata.Scope) ([]Archive, error)
	// Extractions lists sessions that wait for an extractor or were given up, in the
	// order in which they are claimed.
	Extractions(ctx context.Context, f ExtractionFilter) ([]Extraction, error)
	// Extraction returns how far an extractor is in a session, given up or not;
	// not_found if nothing waits for it there.
	Extraction(ctx context.Context, scope strata.Scope, session string, by Extractor) (Extraction, error)
}

// SessionWriter writes what belongs to a session besides its turns.
type SessionWriter interface {
	// PutSessionState saves the state of a session in place of the one before.
	// A session that is not there is not_found.
	PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error
	// SetSessionStateAside moves the state of a session, whatever it holds, to
	// those that were set aside, with the reason. Of one session the newest
	// [KeptAside] stay. Without a state it is not_found.
	SetSessionStateAside(ctx context.Context, scope strata.Scope, session, reason string) error
	// PutSnapshot stores a snapshot. Generation 0 means the next. The same
	// generation with the same text changes nothing, with another text it is a
	// conflict. The newest [KeptSnapshots] stay.
	PutSnapshot(ctx context.Context, s strata.Snapshot) (strata.Snapshot, error)
	// PlaceTranscript records where the transcript of a session belongs, unless
	// that is known, and returns what is known.
	PlaceTranscript(ctx context.Context, scope strata.Scope, session, place string) (string, error)
	// StampTranscript records that the transcript of a session is written as of
	// a revision, or, with a reason, that it was given up. It reports false,
	// and records nothing, if the revision is no longer that.
	StampTranscript(ctx context.Context, scope strata.Scope, session string, revision int64, setAside string) (bool, error)
	// PruneSession blanks all turns of a closed session that were not forgotten, and takes
	// them out of the index; what the session was given and saved goes with them. Its
	// transcript is outstanding again where one was written. The turns say that they are
	// archived if an archive of the session is kept, else that they are pruned: also those
	// that were archived before. It returns how many turns were blanked.
	PruneSession(ctx context.Context, scope strata.Scope, session string) (int, error)
	// RestoreTurn gives an archived turn its text, calls and images back, and returns its
	// number; 0 where the turn is not archived. It is not in the index yet.
	RestoreTurn(ctx context.Context, t strata.Turn) (int64, error)
	// CountTurns has a session count its turns anew.
	CountTurns(ctx context.Context, scope strata.Scope, session string) error
	// PutArchive records the state of an archive, found by its place; its time is that of
	// the transaction. One that is gone is removed.
	PutArchive(ctx context.Context, a Archive) error
	// QueueExtraction has an extractor read the turns of a session that follow its
	// last, unless it waits for that already: then from where it stands. What was given
	// up is tried anew. They are not read before a time, the zero time for at once; a
	// later call moves it, but not that of turns which wait to be read at once or again.
	QueueExtraction(ctx context.Context, scope strata.Scope, session string, by Extractor, from time.Time) error
	// RestartExtraction has an extractor read a session from its first turn. Whoever
	// reads it now loses it.
	RestartExtraction(ctx context.Context, scope strata.Scope, session string, by Extractor) error
	// ClaimExtraction gives a session that waits to a worker: one that nobody reads, or
	// whose lease has run out, and whose time to be tried has come. Those come first
	// that have waited longer than an hour, the longest before others, then the newest.
	// If there is none it is not_found.
	ClaimExtraction(ctx context.Context, c ExtractionClaim) (Extraction, error)
	// HoldExtraction renews the lease of its owner. A worker that lost it is told so by
	// a conflict.
	HoldExtraction(ctx context.Context, x Extraction, lease time.Duration) error
	// MoveExtraction records that an extractor has read up to a turn of a session, and
	// that earlier failures are over. It waits no longer if that is its last. An owner
	// that lost its lease records nothing: conflict.
	MoveExtraction(ctx context.Context, x Extraction) error
	// ReleaseExtraction gives the lease up and records Attempts, RetryAt, LastError and
	// DeadAt. An owner that lost its lease records nothing: conflict.
	ReleaseExtraction(ctx context.Context, x Extraction) error
	// ReviveExtraction has one that failed or was given up wait again, as if it had never
	// failed; not_found if it did not.
	ReviveExtraction(ctx context.Context, x Extraction) error
	// DropExtraction ends one that was given up without reading its turns; not_found if
	// it was not given up.
	DropExtraction(ctx context.Context, x Extraction) error
}
