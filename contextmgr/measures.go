package contextmgr

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
)

// maintain brings the window below its thresholds by one measure after another until one
// suffices: flush, mask old tool results, compact, shorten long messages, prune, collapse
// what is left. Afterward the request fits. Its error is that of the caller's context, or
// says that nothing can make the request fit.
func (m *Manager) maintain(ctx context.Context, force bool) error {
	t := m.opt.Thresholds
	if force || m.level() >= t.Flush {
		m.countExactly()
	}
	if m.win.last() == m.prepared && !force && m.level() < t.Prune {
		return nil // memory recalled for the last turn is no reason to remove others
	}
	if m.level() >= t.Flush && !m.flushed {
		if err := m.flush(ctx); err != nil {
			return err
		}
	}
	changed := m.level() >= t.Compact && m.mask()
	if m.level() >= t.Compact || force {
		if _, err := m.compact(ctx, false, m.opt.Background); err != nil {
			return err
		}
	}
	if m.level() >= t.Compact {
		changed = m.shorten() || changed
	}
	if m.level() >= t.Prune {
		changed = m.prune(ctx) || changed
	}
	if m.level() >= t.Prune {
		m.collapse(ctx)
		changed = true
	}
	if m.level() > 1 { // the snapshot was fitted with a less accurate calibration
		m.assemblePrefix()
		changed = true
	}
	if changed {
		_ = m.save(ctx) // an event reports a failure; the older state serves
	}
	if m.level() > 1 {
		return &strata.Error{Code: strata.CodeTooLarge, Op: "assemble request",
			Message: "system prompt and tools leave no room in the window",
			Hint:    "use a larger window, fewer tools or a shorter system prompt"}
	}
	return nil
}

// mask cuts tool results from before the user last spoke to their beginning and end,
// longest first, until usage is below the flush threshold. They have served their purpose
// and can be reopened. It reports whether it changed anything.
func (m *Manager) mask() bool {
	last := 0
	for i, it := range m.win.items {
		if it.kind == kindTurn && it.turn.Role == strata.RoleUser {
			last = i
		}
	}
	results := slices.DeleteFunc(slices.Clone(m.win.items[:last]), func(it *item) bool { return it.turn.Role != strata.RoleTool })
	return m.shortenAll(results, m.opt.Thresholds.Flush)
}

// shorten cuts long messages outside the last group to their beginning and end, until
// usage is below the compaction threshold. It reports whether it changed anything.
func (m *Manager) shorten() bool {
	groups := m.win.groups()
	if len(groups) < 2 {
		return false
	}
	return m.shortenAll(slices.Clone(m.win.items[:groups[len(groups)-1].start]), m.opt.Thresholds.Compact)
}

// shortenAll shortens items, tool results first and longest first, until usage is below a
// threshold.
func (m *Manager) shortenAll(items []*item, threshold float64) bool {
	limit := max(m.room()/32, minLimit)
	slices.SortStableFunc(items, func(a, b *item) int {
		if ta, tb := a.turn.Role == strata.RoleTool, b.turn.Role == strata.RoleTool; ta != tb {
			if ta {
				return -1
			}
			return 1
		}
		return b.cost - a.cost
	})
	changed := false
	for _, it := range items {
		if m.level() < threshold {
			break
		}
		if it.cost >= 2*limit { // otherwise the gain is too small
			changed = m.shortenItem(it, limit) || changed
		}
	}
	return changed
}

// shortenItem shortens a turn to about limit tokens. It reports whether that helped.
func (m *Manager) shortenItem(it *item, limit int) bool {
	if it.kind != kindTurn || it.limit > 0 && it.limit <= limit {
		return false
	}
	before, was := it.cost, it.limit
	if m.win.shorten(it, limit); it.cost >= before {
		m.win.shorten(it, was) // the marker costs more than is saved
		return false
	}
	m.calibration.Rebase()
	m.emit(Stubbed{Seq: it.from, Before: m.calibration.Scale(before), After: m.calibration.Scale(it.cost)})
	return true
}

// prune leaves out the oldest groups after the first, until usage is below the compaction
// threshold or only the first and last are left. They stay in the ledger, and the next
// compaction summarizes them. It reports whether it changed anything.
func (m *Manager) prune(ctx context.Context) bool {
	groups := m.win.groups()
	if len(groups) > 0 && m.win.items[0].kind == kindGap {
		groups = append([]span{{}}, groups...) // the gap need not be kept
	}
	if len(groups) < 3 {
		return false
	}
	goal := m.below(m.opt.Thresholds.Compact)
	start, end := groups[0].end, groups[0].end
	for _, g := range groups[1 : len(groups)-1] {
		if m.win.cost-m.win.costOf(span{start, end}) <= goal {
			break
		}
		end = g.end
	}
	if end == start || end == start+1 && m.win.items[start].kind == kindGap {
		return false
	}
	m.omit(ctx, start, end)
	return true
}

// collapse makes the rest fit. It shortens the longest messages by no more than necessary
// and, if that is not enough, leaves messages out.
func (m *Manager) collapse(ctx context.Context) {
	limit := m.opt.Thresholds.Prune
	for share := m.room() / 2; m.level() >= limit; share /= 2 {
		share = max(share, minLimit)
		for _, it := range m.win.items {
			if excess := m.win.cost - m.below(limit); it.cost > share && excess > 0 {
				m.shortenItem(it, max(share, it.cost-excess))
			}
		}
		if share == minLimit {
			break
		}
	}
	if last := m.win.groups(); m.level() >= limit && len(last) > 1 {
		m.omit(ctx, 0, last[len(last)-1].start)
	}
	if m.level() >= limit {
		m.omit(ctx, 0, len(m.win.items))
	}
}

// omit replaces the items start to end-1 by a note, which has the lines of their turns
// that must stay word for word.
func (m *Manager) omit(ctx context.Context, start, end int) {
	before := m.total()
	from, to := m.win.items[start].from, m.win.items[end-1].to
	lines, err := m.verbatimUpTo(ctx, to)
	if err != nil {
		m.emit(FellBack{What: "ledger", Why: err.Error(), To: "what must stay word for word is shown with the next summary"})
	}
	lines = slices.DeleteFunc(fitVerbatim(lines, m.verbatimRoom(), m.meter.text), func(l verbatim) bool { return l.Seq < from })
	m.win.replace(start, end, &item{kind: kindGap, from: from, to: to, text: m.gapText(lines, from, to)})
	m.calibration.Rebase()
	m.emit(Pruned{From: from, To: to, Before: before, After: m.total()})
}
