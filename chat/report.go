package chat

import (
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/session"
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
	Parts []session.Part
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
