package chat

import (
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
)

// Report says what fills the window, in tokens after calibration. System, Tools,
// Snapshot, Summary, Recalled, Turns and Free add up to the budget.
type Report struct {
	Session string
	Model   string
	// Window is the model's window, Budget the part that a request may use; the rest is
	// reserved for the answer.
	Window, Budget int

	System   int // the system prompt and the frame of a request
	Tools    int // the definitions of the tools
	Snapshot int // frozen memory after the system prompt
	Summary  int // the summary of turns no longer shown
	Recalled int // memory recalled for user messages
	Turns    int // the turns shown
	Free     int

	// Parts are the parts of the snapshot; none if an earlier process made it.
	Parts []engine.SnapshotPart
	Usage contextmgr.Usage
}

// Report returns what fills the window. It never waits.
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

// ToolFinished reports the result of a call.
type ToolFinished struct {
	Call strata.ToolCall
	// Output is the output of the operation behind a memory tool, such as ops.Saved; for
	// the caller's own tool it is the text.
	Output any
	Err    error // nil if the call succeeded
	Took   time.Duration
}

// ToolHeld says that a call was held back because it failed before with the same
// arguments. Warning is the result that the model got.
type ToolHeld struct {
	Call    strata.ToolCall
	Warning string
}

// Corrected says that the user corrected the assistant and the learning was stored for
// later sessions.
type Corrected struct{}

// Missed says that something failed that the conversation can do without: a learning or
// the outcome of a call was not stored.
type Missed struct {
	What string
	Err  error
}

// ToolsLeftOut names memory tools that are not offered to the model because the window is
// too small for all definitions.
type ToolsLeftOut struct{ Names []string }
