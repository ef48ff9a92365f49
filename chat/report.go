package chat

import (
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
)

// Report says what the window is filled with, in tokens after calibration.
// System, Tools, Snapshot, Summary, Recalled, Turns and Free together are the
// budget.
type Report struct {
	Session string
	Model   string
	// Window is the model's, Budget what a request may cost of it; the rest is
	// reserved for the answer.
	Window, Budget int

	System   int // the system prompt and the frame of a request
	Tools    int // the definitions of the tools
	Snapshot int // frozen memory
	Summary  int // the summary of turns that are not shown
	Recalled int // memory that was found for messages of the user
	Turns    int // the turns that are shown
	Free     int

	// Parts of the snapshot; none where an earlier process made it.
	Parts []engine.SnapshotPart
	Usage contextmgr.Usage
}

// Report says what the window is filled with. It never waits.
func (a *Agent) Report() Report {
	c := a.now.Load()
	u := c.mgr.Usage()
	r := Report{
		Session: c.talk.ID(), Model: a.opt.Model.Model(), Window: u.Window, Budget: u.Budget, Usage: u,
		Parts: c.talk.Snapshot().Parts, Tools: u.Tools, Snapshot: u.Snapshot, Summary: u.Summary, Recalled: u.Recalled,
		System: u.Fixed - u.Tools - u.Snapshot, Free: max(u.Budget-u.Total, 0),
	}
	r.Turns = max(u.History-r.Summary-r.Recalled, 0)
	return r
}

// ToolStarted says that a tool is about to run.
type ToolStarted struct{ Call strata.ToolCall }

// ToolFinished says what became of a call.
type ToolFinished struct {
	Call strata.ToolCall
	// Output of a memory tool is that of its operation, such as ops.Saved; of
	// the caller's own tool it is the text.
	Output any
	Err    error // nil when it went well
	Took   time.Duration
}

// ToolHeld says that a call was held back because it failed before with the same
// arguments. Warning is the result that the model got.
type ToolHeld struct {
	Call    strata.ToolCall
	Warning string
}

// Corrected says that the user corrected the assistant, and that the learning was
// stored for later sessions.
type Corrected struct{}

// Missed says that something failed without which the conversation goes on: a
// learning or the outcome of a call was not stored.
type Missed struct {
	What string
	Err  error
}

// ToolsLeftOut names memory tools that the model was not offered, because the
// window is too small for the definitions of all.
type ToolsLeftOut struct{ Names []string }
