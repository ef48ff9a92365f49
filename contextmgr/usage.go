package contextmgr

import (
	"context"
	"math"
	"time"

	"github.com/strata-memory/strata/llm"
)

// Usage says how full the window is, in tokens after calibration.
type Usage struct {
	Window  int // of the model
	Budget  int // of a request: the window minus the reserve
	Fixed   int // system prompt, snapshot, tools and the frame of a request
	History int // the conversation, with summary and recalled memory
	Total   int // Fixed plus History
	// Tools and Snapshot are parts of Fixed. Summary (for turns that are not shown) and
	// Recalled (memory after the user's turns) are parts of History.
	Tools, Snapshot, Summary, Recalled int
	// Level is Total divided by Budget; it exceeds 1 only between an Append and the next
	// request.
	Level float64
	// Turns is the number of turns shown, Covered the last turn that a summary or a gap
	// covers, Last the last turn of all.
	Turns         int
	Covered, Last int64
	// Generation counts the snapshots from 1. Factor is learned from the model's reports:
	// text that no report covered counts that many times.
	Generation int
	Factor     float64
	// Rests is until when the small model is not asked because of too many useless
	// answers in a row; Why describes the last one. Zero: it is asked.
	Rests time.Time
	Why   string
}

// Usage returns how full the window was after the last change. It never waits, so that a
// display can call it while an answer arrives.
func (m *Manager) Usage() Usage { return *m.gauge.Load() }

// Observe records the usage that the model reported for the last request from
// [Manager.Prompt]. [Manager.Send] and [Manager.Continue] do this themselves.
func (m *Manager) Observe(ctx context.Context, usage llm.Usage) {
	m.lock()
	defer m.unlock()
	if m.observe(usage) {
		_ = m.save(ctx) // an event reports a failure; it is learned again
	}
}

// settled is the relative change of a count that must be saved at once, because beyond it
// a restart would change when the manager acts.
const settled = 0.01

// observe learns from usage, and reports whether the change must be saved at once.
func (m *Manager) observe(usage llm.Usage) (changed bool) {
	m.countExactly()
	m.calibration.Observe(m.asked, usage.Prompt)
	m.bound()
	now, kept := float64(m.calibration.Scale(m.asked)), float64(m.savedCal.Scale(m.asked))
	return math.Abs(now-kept) > settled*now || math.Abs(m.calibration.Factor()-m.savedCal.Factor()) > settled
}

// bound keeps the calibration from making the fixed parts alone fill the window, so that
// one wrong report cannot end the conversation for good.
func (m *Manager) bound() {
	const most = 0.75
	m.calibration.Bound(most * float64(m.budget()) / float64(m.base))
}

// budget returns the maximum cost of a request.
func (m *Manager) budget() int { return m.opt.Window - m.opt.Reserve }

// total returns the cost of the next request.
func (m *Manager) total() int { return m.calibration.Scale(m.fixed + m.win.cost) }

// level returns the share of the budget in use.
func (m *Manager) level() float64 { return float64(m.total()) / float64(m.budget()) }

// below returns the maximum cost of the history, before calibration, to stay below a
// threshold.
func (m *Manager) below(threshold float64) int {
	return m.calibration.Unscale(int(threshold*float64(m.budget()))) - m.fixed - 1
}

// room returns the maximum cost of the history, before calibration, without pruning. It
// does not depend on reports about the current history: a turn must be cut to the same
// size after a restart.
func (m *Manager) room() int { return m.roomBelow(m.opt.Thresholds.Prune) }

// roomBelow is room for another threshold.
func (m *Manager) roomBelow(threshold float64) int {
	fits := threshold * float64(m.budget()) / m.calibration.Factor()
	return max(int(fits)-m.fixed-1, 0)
}

// publish updates the result of Usage.
func (m *Manager) publish() {
	u := Usage{
		Window: m.opt.Window, Budget: m.budget(), Total: m.total(), Level: m.level(),
		Last: m.win.last(), Generation: m.generation, Factor: m.calibration.Factor(),
	}
	// A report covers the whole request; each part gets its share of the difference.
	part := func(n int) int { return int(float64(n)*float64(u.Total)/float64(m.fixed+m.win.cost) + 0.5) }
	u.Rests, u.Why = m.breaker.resting()
	u.Fixed = part(m.fixed)
	u.History = u.Total - u.Fixed
	summary, recalled := 0, 0
	for _, it := range m.win.items {
		recalled += it.noteCost
		if it.kind == kindTurn {
			u.Turns++
		} else {
			summary += it.cost
			u.Covered = max(u.Covered, it.to)
		}
	}
	u.Tools = min(part(m.tools), u.Fixed)
	u.Snapshot = min(part(m.fixed-m.base), u.Fixed-u.Tools)
	u.Summary = min(part(summary), u.History)
	u.Recalled = min(part(recalled), u.History-u.Summary)
	m.gauge.Store(&u)
}
