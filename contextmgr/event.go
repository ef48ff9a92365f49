package contextmgr

import (
	"time"

	"github.com/strata-memory/strata"
)

// Event is something that the manager did on its own, for a user interface or a log. It
// is one of the types of this file. Events never carry the text of a turn; decisions
// carry the facts that were saved.
type Event interface{ event() }

// FlushStarted says that the turns From to To are about to be read for facts.
type FlushStarted struct{ From, To int64 }

// FlushFinished says that all turns up to To are covered and which decisions were made
// about their facts. Err is nil unless the flush stopped early; the next flush reads the
// rest.
type FlushFinished struct {
	To        int64
	Decisions []strata.Decision
	Err       error
}

// CompactionStarted says that a compaction starts, with Tokens in the window.
type CompactionStarted struct{ Tokens int }

// Compacted says that a summary replaced the turns From to To. Before and After are
// tokens of the whole request.
type Compacted struct {
	From, To      int64
	Before, After int
	// Freed is the share of the history's tokens that was freed, in [0,1].
	Freed float64
	// ByModel reports whether a model wrote the summary instead of rules.
	ByModel bool
}

// Stubbed says that the turn Seq is shown shortened, from Before to After tokens. The
// ledger has all of it.
type Stubbed struct {
	Seq           int64
	Before, After int
}

// Pruned says that the turns From to To left the window without a summary. The next
// compaction summarizes them.
type Pruned struct {
	From, To      int64
	Before, After int // tokens of the whole request
}

// Warned says that the request warns the model of a nearly full context. Level is the
// share of the budget in use.
type Warned struct{ Level float64 }

// Recalled names the memories that were placed after the turn Seq.
type Recalled struct {
	Seq    int64
	IDs    []string
	Tokens int
}

// FellBack says that something failed and what replaced it. Nothing is lost.
type FellBack struct {
	// What failed: "extraction", "summary", "recall", "memory", "state",
	// "ledger".
	What string
	// Why it failed, in a few words.
	Why string
	// To says what is done instead.
	To string
}

// Read says that the small model has read the turns From to To in the background, after
// the rules, and which decisions were made about the facts it found. Err is nil unless
// some of them wait for the next flush.
type Read struct {
	From, To  int64
	Decisions []strata.Decision
	Err       error
}

// Summarized says that the small model's summary replaced the extract for the turns up to
// To. Before and After are tokens of the whole request.
type Summarized struct {
	To            int64
	Before, After int
}

// Rests says that the small model will not be asked until Until because of repeated
// useless answers. Why describes the last one. Rules do its work.
type Rests struct {
	Model string
	Why   string
	Until time.Time
}

// Resumed says that the small model gives useful answers again.
type Resumed struct{ Model string }

// Dropped says which memory operations requested by Model were not carried out because
// nothing in the conversation supports them, and why.
type Dropped struct {
	Model string
	Why   []string
}

// Retried says that the model refused the request as too large, so the count was
// corrected and a smaller request is sent once.
type Retried struct{ Why string }

// Restored says that a conversation continues, after a restart or after it was rebuilt
// because part of it was forgotten. Turns are in the window; Covered is the last turn
// that a summary covers.
type Restored struct {
	Turns   int
	Covered int64
}

// StateSetAside says that the saved state was not usable and the conversation was rebuilt
// from the ledger.
type StateSetAside struct{ Reason string }

// SnapshotCut says that the snapshot was shortened, because with system prompt and tools
// it would have left too little room for the conversation.
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
