package contextmgr

import (
	"context"

	"github.com/strata-memory/strata/internal/base/failpoint"
)

const (
	// tailMessages is the minimum number of messages that stay unchanged, in whole
	// groups, when the turns before them are summarized.
	tailMessages = 4
	// mustFree is the share of the history that a compaction must free. If it would free
	// less, it is not worth a model's time, and the next measure is taken instead.
	mustFree = 1.0 / 3
)

// plan describes a compaction.
type plan struct {
	tail  int        // the first item that stays
	lines []verbatim // what the summary keeps word for word
	rest  int        // maximum tokens of the rest of the summary, with its frame
}

// plan finds the longest tail with which a compaction frees enough. It prefers to leave
// half of the space for new messages, so that a small window keeps its prefix for some
// turns, and to get below the flush threshold. Otherwise it accepts only the latter, then
// freeing a third and, if force is set, any gain. all are the lines of the conversation
// that must stay word for word; if they leave no room for a summary, it frees less.
func (m *Manager) plan(all []verbatim, force bool) (plan, bool) {
	third := m.win.cost - int(float64(m.win.cost)*mustFree) - 1
	deep := min(third, m.below(m.opt.Thresholds.Flush), m.below(m.opt.Thresholds.Compact)/2)
	targets := []int{deep, min(third, m.below(m.opt.Thresholds.Flush)), third}
	if force {
		targets = append(targets, m.win.cost-1)
	}
	for _, target := range targets {
		if p, ok := m.planWithin(target, all); ok {
			return p, true
		}
	}
	return plan{}, false
}

// narrativeMost is the maximum cost of a summary with its frame, without the lines it
// keeps word for word.
func (m *Manager) narrativeMost() int {
	return min(max(m.calibration.Unscale(m.budget())/8, minSummary), maxSummary)
}

// planWithin finds the longest tail that, within target tokens, leaves room for the lines
// that stay word for word and for a summary. The summary gets at most half of the tokens
// it replaces.
func (m *Manager) planWithin(target int, all []verbatim) (plan, bool) {
	groups := m.win.groups()
	tail, messages := len(groups), 0
	for tail > 0 && messages < tailMessages {
		tail--
		messages += groups[tail].end - groups[tail].start
	}
	for ; tail < len(groups); tail++ {
		start := groups[tail].start
		if start == 0 {
			continue
		}
		lines := fitVerbatim(saidUpTo(all, m.win.items[start-1].to), m.verbatimRoom(), m.meter.text)
		stays := m.win.costOf(span{start, len(m.win.items)}) + m.meter.text(verbatimText(lines))
		if rest := min(m.narrativeMost(), target-stays, (m.win.cost-stays)/2); rest >= minSummary {
			return plan{tail: start, lines: lines, rest: rest}, true
		}
	}
	return plan{}, false
}

// compact saves the facts of the conversation and replaces its older turns by a summary.
// It does nothing and returns the zero Compacted if that would free too little or no turn
// was added since the last compaction. With background set, it shows an extract and
// leaves the summary to a [draft]. Its error is that of the caller's context.
func (m *Manager) compact(ctx context.Context, force, background bool) (Compacted, error) {
	if m.win.last() <= m.compacted {
		return Compacted{}, nil
	}
	all, err := m.verbatimUpTo(ctx, m.win.last())
	p, ok := m.plan(all, force)
	if !ok {
		return Compacted{}, nil
	}
	m.emit(CompactionStarted{Tokens: m.total()})
	if err := m.flush(ctx); err != nil {
		return Compacted{}, err
	}
	from, to := m.win.items[0].from, m.win.items[p.tail-1].to
	frame := m.meter.text(m.summaryText(nil, "", from, to)) + perMessage + 2
	room := max(p.rest-frame, 16)
	body, byModel := "", false
	if err == nil {
		h := m.helper()
		if background {
			h = m.rules()
		}
		body, byModel, err = m.summarize(ctx, h, to, saidVerbatim(p.lines), room)
	}
	if ctx.Err() != nil {
		return Compacted{}, ctx.Err()
	}
	if err != nil {
		m.emit(FellBack{What: "summary", Why: err.Error(), To: "older turns leave the window without one"})
		return Compacted{}, nil
	}
	failpoint.Hit(failpoint.CompactSummary)

	body = trimTo(body, room, m.meter.text)
	before, history := m.total(), m.win.cost
	m.win.replace(0, p.tail, &item{kind: kindSummary, from: from, to: to, text: m.summaryText(p.lines, body, from, to)})
	m.calibration.Rebase()
	if background && m.opt.Small != nil {
		m.wantSummary(p.lines, room)
	}
	m.summary, m.summarized, m.compacted, m.flushed = body, to, m.win.last(), false
	m.verbatim = fitVerbatim(saidUpTo(all, to), m.verbatimMost(), m.meter.text)
	if m.save(ctx) == nil {
		failpoint.Hit(failpoint.CompactCommitted)
	}
	done := Compacted{
		From: from, To: to, Before: before, After: m.total(),
		Freed: 1 - float64(m.win.cost)/float64(history), ByModel: byModel,
	}
	m.emit(done)
	m.reportRest()
	return done, nil
}
