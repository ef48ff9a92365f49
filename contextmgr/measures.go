package contextmgr

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
)

// maintain brings the window below its thresholds, with one measure after the
// other until one was enough: flush, masking old results of tools, compaction,
// shortening long messages, pruning, squeezing what is left. After it the request fits. Its error is that
// of the caller's context, or says that nothing can make the request fit.
func (m *Manager) maintain(ctx context.Context, force bool) error {
	t := m.opt.Thresholds
	if force || m.level() >= t.Flush {
		m.countExactly()
	}
	if m.win.last() == m.prepared && !force && m.level() < t.Prune {
		return nil // what was recalled for the last turn is no reason to have others leave
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
	if m.level() > 1 { // the snapshot was fitted when less was known of the counts
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

// mask shows the results of tools that were read before the user spoke last by their
// beginning and end, the longest first, until the threshold of a flush is met: they
// can be reopened, and served their purpose. It reports whether it changed anything.
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

// shorten replaces long messages outside the last group by their beginning and
// end, until the compaction threshold is met. It reports whether it changed anything.
func (m *Manager) shorten() bool {
	groups := m.win.groups()
	if len(groups) < 2 {
		return false
	}
	return m.shortenAll(slices.Clone(m.win.items[:groups[len(groups)-1].start]), m.opt.Thresholds.Compact)
}

// shortenAll shortens items, results of tools first and the longest of these, until a
// threshold is met.
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
		if it.cost >= 2*limit { // else it says too little less
			changed = m.shortenItem(it, limit) || changed
		}
	}
	return changed
}

// shortenItem shows a turn in about limit tokens. It reports whether that made it
// shorter.
func (m *Manager) shortenItem(it *item, limit int) bool {
	if it.kind != kindTurn || it.limit > 0 && it.limit <= limit {
		return false
	}
	before, was := it.cost, it.limit
	if m.win.shorten(it, limit); it.cost >= before {
		m.win.shorten(it, was) // the marker takes more than it saves
		return false
	}
	m.calibration.Rebase()
	m.emit(Stubbed{Seq: it.from, Before: m.calibration.Scale(before), After: m.calibration.Scale(it.cost)})
	return true
}

// prune leaves out the oldest groups after the first, until the compaction
// threshold is met or only the first and the last are left. They stay in the
// ledger, and the next compaction summarizes them. It reports whether
// it changed anything.
func (m *Manager) prune(ctx context.Context) bool {
	groups := m.win.groups()
	if len(groups) > 0 && m.win.items[0].kind == kindGap {
		groups = append([]span{{}}, groups...) // it is nothing to keep
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

// collapse makes what is left fit: it shortens the longest messages, by no more than
// what is too much, and when that is not enough, leaves messages out.
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

// omit puts a note in the place of the items start to end-1, with what must stay of their
// turns word for word.
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
