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
	Total   int // Fixed and History
	// Tools and Snapshot are parts of Fixed. Summary (of turns that are not
	// shown) and Recalled (memory behind the user's turns) are parts of History.
	Tools, Snapshot, Summary, Recalled int
	// Level is Total's share of the budget; it exceeds 1 only between an Append
	// and the next request.
	Level float64
	// Turns are shown, Covered is the last turn that a summary or a gap
	// covers, Last the last turn there is.
	Turns         int
	Covered, Last int64
	// Generation counts the snapshots from 1. Factor is what the model's
	// reports taught: text that none of them covered counts that many times.
	Generation int
	Factor     float64
	// Rests is until when the small model is not asked, for the reason Why: too many of
	// its answers in a row were of no use. Zero: it is asked.
	Rests time.Time
	Why   string
}

// Usage returns how full the window was after the last change. It never waits,
// so that a display can ask while an answer arrives.
func (m *Manager) Usage() Usage { return *m.gauge.Load() }

// Observe teaches the manager what the model reported for the request that
// [Manager.Prompt] returned last. [Manager.Send] and [Manager.Continue] do so
// themselves.
func (m *Manager) Observe(ctx context.Context, usage llm.Usage) {
	m.lock()
	defer m.unlock()
	if m.observe(usage) {
		_ = m.save(ctx) // an event reports a failure; it is learned again
	}
}

// settled is the change of a count, as a share of it, that is worth keeping at
// once: by more, a restart must not change when the manager acts.
const settled = 0.01

// observe learns, and reports whether that is worth keeping at once.
func (m *Manager) observe(usage llm.Usage) (changed bool) {
	m.countExactly()
	m.calibration.Observe(m.asked, usage.Prompt)
	m.bound()
	now, kept := float64(m.calibration.Scale(m.asked)), float64(m.savedCal.Scale(m.asked))
	return math.Abs(now-kept) > settled*now || math.Abs(m.calibration.Factor()-m.savedCal.Factor()) > settled
}

// bound keeps the calibration from making the fixed parts alone fill the
// window: then a report that was wrong once would end the conversation for good.
func (m *Manager) bound() {
	const most = 0.75
	m.calibration.Bound(most * float64(m.budget()) / float64(m.base))
}

// budget is what a request may cost.
func (m *Manager) budget() int { return m.opt.Window - m.opt.Reserve }

// total is what the next request costs.
func (m *Manager) total() int { return m.calibration.Scale(m.fixed + m.win.cost) }

// level is the share of the budget in use.
func (m *Manager) level() float64 { return float64(m.total()) / float64(m.budget()) }

// below is what the history may cost, before calibration, to stay below a
// threshold.
func (m *Manager) below(threshold float64) int {
	return m.calibration.Unscale(int(threshold*float64(m.budget()))) - m.fixed - 1
}

// room is what the history may cost, before calibration, before it is pruned,
// whatever was reported of it so far: a turn must be cut to the same size after
// a restart.
func (m *Manager) room() int { return m.roomBelow(m.opt.Thresholds.Prune) }

// roomBelow is the same for another threshold.
func (m *Manager) roomBelow(threshold float64) int {
	fits := threshold * float64(m.budget()) / m.calibration.Factor()
	return max(int(fits)-m.fixed-1, 0)
}

// publish renews what Usage returns.
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
