package store

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
)

// SessionFilter selects sessions. The zero value selects the newest 100.
type SessionFilter struct {
	Parent string             // sessions that this session started; empty: any
	Kind   strata.SessionKind // empty: any
	After  string             // id to continue after, for paging; empty: from the newest
	Limit  int                // 0: 100; at most 10,000
}

// TurnFilter selects turns of a session, in order. The zero value selects all.
type TurnFilter struct {
	After int64 // only turns with a higher sequence number
	Until int64 // only turns up to this sequence number; 0: no end
	Limit int   // 0: all
	// NoImages leaves out the data of images but keeps their media types, so that listing
	// turns costs no more than reading their text.
	NoImages bool
}

// State is what a session saves to continue from after a restart. Forget finds text in it
// only if the text is stored plain or in JSON.
type State struct {
	Data []byte
	At   time.Time // when it was saved
}

// SetAside is a state that was set aside because it could not be used.
type SetAside struct {
	State
	Reason string
}

// KeptAside is how many states that were set aside are kept for a session.
const KeptAside = 3

// KeptSnapshots is how many generations of a session's snapshot are kept.
const KeptSnapshots = 10

// Transcript is what the store knows about the transcript of a session.
type Transcript struct {
	Session strata.Session
	// Place is where the transcript is, in its writer's terms. It is empty until a place
	// is chosen, which happens before anything is written.
	Place string
	// Revision counts how often turns of the session were blanked after it was closed. If
	// it is above 0, the transcript replaces one that may exist.
	Revision  int64
	WrittenAt *time.Time // nil while it is outstanding
	SetAside  string     // why it was given up; empty if it was not
}

// SessionUse is the storage that a closed session takes up.
type SessionUse struct {
	Transcript
	Bytes int64 // of texts, tool calls and images
	// Extraction reports whether facts are still to be extracted from its turns.
	Extraction bool
}

// ArchiveState is the state of a file that holds the turns of a session.
type ArchiveState string

// The states of an archive, in the order in which it passes through them.
const (
	ArchiveBegun   ArchiveState = "begun"   // the file is being written; the turns are in the store
	ArchiveKept    ArchiveState = "kept"    // the file has the turns, and the store no longer does
	ArchiveDropped ArchiveState = "dropped" // the file is to be removed
	ArchiveGone    ArchiveState = "gone"    // the file was removed and its record is deleted
)

// Archive is what the store knows about a file that holds the turns of a session.
type Archive struct {
	Scope   strata.Scope
	Session string
	Place   string // in the terms of its keeper; no two attempts share one
	State   ArchiveState
	Turns   int64
	Bytes   int64     // of the file
	Sum     string    // SHA-256 of the file, in hex
	At      time.Time // when it entered its state
}

// SessionCount is a session that is open or whose count of turns is wrong.
type SessionCount struct {
	strata.Session
	Counted int64     // actual number of turns
	LastSeq int64     // sequence number of the last turn; 0 without turns
	LastAt  time.Time // when the last turn was recorded; without turns, when the session began
}

// Outstanding reports whether the session is closed and its transcript neither
// written nor given up.
func (t Transcript) Outstanding() bool {
	return t.Session.ClosedAt != nil && t.WrittenAt == nil && t.SetAside == ""
}

// Extractor says who extracts facts from turns.
type Extractor string

// The extractors. The rules run first: memory has what they find before a model reads the
// turns.
const (
	ByRules Extractor = "rules"
	ByModel Extractor = "model"
)

// Extraction records that facts are still to be extracted from the turns of a session
// after a certain turn. It covers turns appended later as well.
type Extraction struct {
	Scope     strata.Scope
	Session   string
	Extractor Extractor
	After     int64     // sequence number of the last turn that was read
	QueuedAt  time.Time // when it was queued

	// Owner is the token of the worker that reads the turns; empty if there is none.
	// Other workers leave the turns alone until LeaseUntil.
	Owner      string
	LeaseUntil time.Time

	Attempts  int        // failed attempts since it last made progress
	RetryAt   time.Time  // earliest time to read the turns: after a failure, or if Attempts is 0, to wait for more turns; zero or past means at once
	LastError string     // why the last attempt failed
	DeadAt    *time.Time // when it was given up; nil if it was not
}

// ExtractionFilter selects extractions. The zero value selects the first 100 that are
// waiting.
type ExtractionFilter struct {
	Extractor Extractor      // empty: any
	Scopes    []strata.Scope // nil: all
	Session   string         // empty: any
	Dead      bool           // select those that were given up instead of those that are waiting
	Due       bool           // of those that are waiting, select only those that are due
	Limit     int            // 0: 100; at most 10,000
}

// ExtractionClaim says what extraction a worker wants to claim.
type ExtractionClaim struct {
	Extractor Extractor
	Owner     string        // unique token of the worker
	Lease     time.Duration // how long other workers leave the extraction alone
	// Only names the session to read, in its scope; nil means the next one in order.
	Only *Extraction
}

// A lease or retry time that lies further in the future than these bounds was set before
// the clock was set back, and is ignored.
const (
	MaxExtractionLease = 10 * time.Minute
	MaxExtractionPause = 6 * time.Hour
)

// SessionReader reads the data of a session other than its turns.
type SessionReader interface {
	// SessionState returns the saved state of a session; not_found if there is none,
	// corrupt if it is damaged.
	SessionState(ctx context.Context, scope strata.Scope, session string) (State, error)
	// StatesAside lists the states of a session that were set aside, newest first.
	StatesAside(ctx context.Context, scope strata.Scope, session string) ([]SetAside, error)
	// Snapshot returns the latest snapshot of a session; else not_found.
	Snapshot(ctx context.Context, scope strata.Scope, session string) (strata.Snapshot, error)
	// Transcript returns what the store knows about the transcript of a session.
	Transcript(ctx context.Context, scope strata.Scope, session string) (Transcript, error)
	// Unexported lists up to limit outstanding transcripts of all scopes, starting after
	// that of the session after; for the zero Session, from the first.
	Unexported(ctx context.Context, after strata.Session, limit int) ([]Transcript, error)
	// TranscriptsAside lists the transcripts of a scope that were given up.
	TranscriptsAside(ctx context.Context, scope strata.Scope) ([]Transcript, error)
	// SessionUses lists the closed sessions of a scope that hold data that can be pruned,
	// in the order in which they were closed.
	SessionUses(ctx context.Context, scope strata.Scope) ([]SessionUse, error)
	// SessionCounts lists the sessions of a scope that are open or whose count of turns
	// is wrong, in the order in which they began.
	SessionCounts(ctx context.Context, scope strata.Scope) ([]SessionCount, error)
	// Archives lists the archives of a scope in any state, oldest first.
	Archives(ctx context.Context, scope strata.Scope) ([]Archive, error)
	// Extractions lists extractions that are waiting or were given up, in the order in
	// which they are claimed.
	Extractions(ctx context.Context, f ExtractionFilter) ([]Extraction, error)
	// Extraction returns how far an extractor is in a session, even if it was given up;
	// not_found if the session has no extraction for that extractor.
	Extraction(ctx context.Context, scope strata.Scope, session string, by Extractor) (Extraction, error)
}

// SessionWriter writes the data of a session other than its turns.
type SessionWriter interface {
	// PutSessionState saves the state of a session in place of the one before. It returns
	// not_found if the session does not exist.
	PutSessionState(ctx context.Context, scope strata.Scope, session string, data []byte) error
	// SetSessionStateAside moves the state of a session, whatever it holds, to the states
	// that were set aside, with the reason, and keeps the newest [KeptAside] of them. It
	// returns not_found if the session has no state.
	SetSessionStateAside(ctx context.Context, scope strata.Scope, session, reason string) error
	// PutSnapshot stores a snapshot and keeps the newest [KeptSnapshots]. Generation 0
	// takes the next. If the generation exists with the same text, PutSnapshot changes
	// nothing; with another text, it returns conflict.
	PutSnapshot(ctx context.Context, s strata.Snapshot) (strata.Snapshot, error)
	// PlaceTranscript records where the transcript of a session belongs, unless a place
	// is recorded already, and returns the recorded place.
	PlaceTranscript(ctx context.Context, scope strata.Scope, session, place string) (string, error)
	// StampTranscript records that the transcript of a session is written as of a
	// revision or, if setAside gives a reason, that it was given up. If the revision is
	// no longer current, it records nothing and returns false.
	StampTranscript(ctx context.Context, scope strata.Scope, session string, revision int64, setAside string) (bool, error)
	// PruneSession blanks all turns of a closed session, except forgotten ones, and
	// removes them from the index, together with what the session was given and what it
	// saved. A transcript that was written becomes outstanding again. If an archive of
	// the session is kept, the turns are marked as archived; otherwise they, and turns
	// that were archived before, are marked as pruned, and extractions that were given up
	// are removed. PruneSession returns how many turns it blanked.
	PruneSession(ctx context.Context, scope strata.Scope, session string) (int, error)
	// RestoreTurn puts the text, calls and images back into an archived turn and returns
	// its passage number; 0 if the turn is not archived. The caller indexes the turn.
	RestoreTurn(ctx context.Context, t strata.Turn) (int64, error)
	// CountTurns recounts the turns of a session.
	CountTurns(ctx context.Context, scope strata.Scope, session string) error
	// PutArchive records the state of the archive at a place, at the time of the
	// transaction. It deletes the record of an archive that is gone.
	PutArchive(ctx context.Context, a Archive) error
	// QueueExtraction queues the turns after the last turn of a session for an extractor.
	// If the session is queued already, the extractor continues where it is. An
	// extraction that was given up starts to wait again. The turns are not read before
	// from; zero means at once. A later call changes that time, except for turns that are
	// to be read at once or are waiting for a retry.
	QueueExtraction(ctx context.Context, scope strata.Scope, session string, by Extractor, from time.Time) error
	// RestartExtraction queues a session from its first turn. A worker that is reading it
	// loses its lease.
	RestartExtraction(ctx context.Context, scope strata.Scope, session string, by Extractor) error
	// ClaimExtraction gives a waiting extraction to a worker: one that is due and that
	// nobody reads, or whose lease has expired. Those that have waited for more than an
	// hour come first, longest wait first, then the newest. If there is none, it returns
	// not_found.
	ClaimExtraction(ctx context.Context, c ExtractionClaim) (Extraction, error)
	// HoldExtraction renews the lease of its owner. If the owner has lost the lease, it
	// returns conflict.
	HoldExtraction(ctx context.Context, x Extraction, lease time.Duration) error
	// MoveExtraction records that an extractor has read the session up to a turn, and
	// clears earlier failures. If it was the last turn, the extraction is removed. If the
	// owner has lost the lease, MoveExtraction records nothing and returns conflict.
	MoveExtraction(ctx context.Context, x Extraction) error
	// ReleaseExtraction gives up the lease and records Attempts, RetryAt, LastError and
	// DeadAt. If the owner has lost the lease, it records nothing and returns conflict.
	ReleaseExtraction(ctx context.Context, x Extraction) error
	// ReviveExtraction makes an extraction that failed or was given up wait again as if
	// it had never failed; not_found if it did not fail.
	ReviveExtraction(ctx context.Context, x Extraction) error
	// DropExtraction removes an extraction that was given up, without reading its turns;
	// not_found if it was not given up.
	DropExtraction(ctx context.Context, x Extraction) error
}
