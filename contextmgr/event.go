package contextmgr

import (
	"time"

	"github.com/strata-memory/strata"
)

// Event is something the manager did of its own accord, for a user interface
// or a log. It is one of the types of this file. Events never carry the text
// of a turn; decisions carry the facts that were saved.
type Event interface{ event() }

// FlushStarted says that facts are about to be extracted from the turns From
// to To.
type FlushStarted struct{ From, To int64 }

// FlushFinished says how far a flush came: all turns up to To are covered, and
// these decisions were made on what they say. Err is nil unless it stopped
// early; what is not covered is read again at the next flush.
type FlushFinished struct {
	To        int64
	Decisions []strata.Decision
	Err       error
}

// CompactionStarted says that a compaction begins, with Tokens in the window.
type CompactionStarted struct{ Tokens int }

// Compacted says that a summary took the place of the turns From to To. Before
// and After are tokens of the whole request.
type Compacted struct {
	From, To      int64
	Before, After int
	// Freed is the share of the history's tokens that was freed, in [0,1].
	Freed float64
	// ByModel reports whether a model wrote the summary, rather than rules.
	ByModel bool
}

// Stubbed says that the turn Seq is shown shortened: After tokens of Before.
// The whole of it is in the ledger.
type Stubbed struct {
	Seq           int64
	Before, After int
}

// Pruned says that the turns From to To left the window without a summary. The
// next compaction summarizes them too.
type Pruned struct {
	From, To      int64
	Before, After int // tokens of the whole request
}

// Warned reports that the request warns the model of a nearly full context. Level is
// the share of the budget in use.
type Warned struct{ Level float64 }

// Recalled names the memories that were placed behind the turn Seq.
type Recalled struct {
	Seq    int64
	IDs    []string
	Tokens int
}

// FellBack says that something failed and what served in its place. Nothing
// is lost by it.
type FellBack struct {
	// What failed: "extraction", "summary", "recall", "memory", "state",
	// "ledger".
	What string
	// Why it failed, in a few words.
	Why string
	// To is what is done in its place.
	To string
}

// Read says that the small model has read the turns From to To beside the conversation,
// after rules had, and which decisions were made on what it found. Err is nil unless some
// of them wait for the next flush.
type Read struct {
	From, To  int64
	Decisions []strata.Decision
	Err       error
}

// Summarized says that the small model's summary took the place of the extract that stood
// for the turns up to To. Before and After are tokens of the whole request.
type Summarized struct {
	To            int64
	Before, After int
}

// Rests says that the small model is not asked before Until, because of useless answers
// in a row, the last of them for the reason Why. Rules do its work.
type Rests struct {
	Model string
	Why   string
	Until time.Time
}

// Resumed says that the small model's answers can be used again.
type Resumed struct{ Model string }

// Dropped says which of the operations on memory that the model Model wanted were not
// taken, and why: nothing in the conversation says so.
type Dropped struct {
	Model string
	Why   []string
}

// Retried says that the model refused the request as too large, that the
// count was corrected and the request is sent once more.
type Retried struct{ Why string }

// Restored says that a conversation continues, after a restart or because
// something of it was forgotten: then it was rebuilt from what is left. Turns are in the window, Covered
// is the last turn that a summary covers.
type Restored struct {
	Turns   int
	Covered int64
}

// StateSetAside says that the saved state could not be used and that the
// conversation was rebuilt from the ledger.
type StateSetAside struct{ Reason string }

// SnapshotCut says that the snapshot was shortened, because together with
// system prompt and tools it would have left too little room to talk.
type SnapshotCut struct{ Before, After int } // tokens

func (FlushStarted) event()      {}
func (FlushFinished) event()     {}
func (CompactionStarted) event() {}
func (Compacted) event()         {}
func (Stubbed) event()           {}
func (Pruned) event()            {}
func (Warned) event()            {}
func (Recalled) event()          {}
func (FellBack) event()          {}
func (Read) event()              {}
func (Summarized) event()        {}
func (Rests) event()             {}
func (Resumed) event()           {}
func (Dropped) event()           {}
func (Retried) event()           {}
func (Restored) event()          {}
func (StateSetAside) event()     {}
func (SnapshotCut) event()       {}
