package contextmgr

import (
	"context"
	"fmt"

	"github.com/strata-memory/strata"
)

// restore rebuilds the window from the saved state and the ledger. A state that is not
// usable is set aside, and the window is rebuilt from the ledger alone.
func (m *Manager) restore(ctx context.Context) error {
	raw, err := m.opt.Ledger.LoadState(ctx)
	if err != nil {
		return fmt.Errorf("load the conversation's state: %w", err)
	}
	var s state
	if raw != nil {
		if s, err = decodeState(raw); err == nil {
			err = m.checkLedger(ctx, s)
		}
		if strata.CodeOf(err) == strata.CodeCanceled {
			return err
		}
		if err != nil {
			reason := err.Error()
			if err := m.opt.Ledger.SetStateAside(ctx, reason); err != nil {
				return fmt.Errorf("set the conversation's state aside: %w", err)
			}
			m.emit(StateSetAside{Reason: reason})
			s = state{}
			return m.rebuild(ctx, s, m.opt.Thresholds.Compact)
		}
	}
	return m.rebuild(ctx, s, restoreMost)
}

// restoreMost is the maximum size of the window while a conversation is restored, in
// budgets. No window in use is larger, except for turns appended since the last request;
// there is no point in loading more only to drop it again.
const restoreMost = 2

// checkLedger returns an error if the ledger lacks turns that the state names.
func (m *Manager) checkLedger(ctx context.Context, s state) error {
	if s.Last == 0 {
		return nil
	}
	turns, err := m.opt.Ledger.Turns(ctx, s.Last-1, 1)
	if err != nil {
		return fmt.Errorf("read turn %d: %w", s.Last, err)
	}
	if len(turns) == 0 || turns[0].Seq != s.Last {
		return fmt.Errorf("the state tells of turn %d, which the ledger does not have", s.Last)
	}
	return nil
}

// rebuild reads the turns into the window and shows them as the state says. Whenever the
// window exceeds most budgets, its oldest groups become sentences of the summary.
func (m *Manager) rebuild(ctx context.Context, s state, most float64) error {
	m.cursor, m.summarized, m.compacted, m.recalled, m.prepared = s.Cursor, s.Summarized, s.Compacted, s.Recalled, s.Prepared
	m.flushed, m.pending, m.pendingTo, m.summary, m.verbatim = s.Flushed, s.Pending, s.PendingTo, s.Summary, s.Verbatim
	m.withdrawn = s.Withdrawn
	m.readTo = m.cursor
	if s.Unread > 0 {
		m.readTo = min(m.cursor, s.Unread-1)
	}
	m.calibration = s.Fitted
	m.bound()
	m.assemblePrefix()
	m.calibration = s.Learned
	m.bound()
	m.savedCal = m.calibration

	if len(s.Kept) > 0 {
		m.countExactly()
	}
	limits := make(map[int64]savedLimit, len(s.Kept))
	for _, k := range s.Kept {
		limits[k.Seq] = k
	}
	notes := make(map[int64]note, len(s.Notes))
	for _, n := range s.Notes {
		notes[n.Seq] = note{ids: n.IDs, text: n.Text}
	}
	show := func(t strata.Turn) {
		if t.Seq > s.Last {
			m.admit(ctx, t)
			return
		}
		it := m.win.append(t, limits[t.Seq].Tokens, limits[t.Seq].Ask)
		if it.note = notes[t.Seq]; it.note.text != "" {
			m.win.remeasure(it)
		}
	}
	if err := m.read(ctx, s.Blocks, show, func() { m.fold(most) }); err != nil {
		return err
	}
	if len(m.win.items) > 0 {
		m.emit(Restored{Turns: len(m.win.items), Covered: m.summarized})
	}
	return nil
}

// read passes the turns of the ledger to show, in order. Turns that a block replaces are
// skipped and the block is shown instead. It calls paged after every page.
func (m *Manager) read(ctx context.Context, blocks []savedBlock, show func(strata.Turn), paged func()) error {
	for after, end := int64(0), false; !end; {
		if len(blocks) > 0 && blocks[0].From == after+1 {
			after, blocks = m.putBlock(blocks[0]), blocks[1:]
		}
		turns, err := m.opt.Ledger.Turns(ctx, after, page)
		if err != nil {
			return fmt.Errorf("read turns after %d: %w", after, err)
		}
		end = len(turns) == 0 && len(blocks) == 0
		if len(blocks) > 0 { // up to the next block only
			turns, _ = splitAt(turns, blocks[0].From-1)
			if len(turns) == 0 {
				after, blocks = m.putBlock(blocks[0]), blocks[1:]
			}
		}
		for _, t := range turns {
			show(t)
			after = t.Seq
		}
		paged()
	}
	return nil
}

// putBlock shows a saved summary or gap and returns the last turn it covers.
func (m *Manager) putBlock(b savedBlock) int64 {
	it := &item{kind: kindGap, from: b.From, to: b.To, text: b.Text}
	if b.Summary {
		it.kind = kindSummary
	}
	m.win.replace(len(m.win.items), len(m.win.items), it)
	return b.To
}

// fold turns the oldest groups into sentences of the summary if the window exceeds most
// budgets, until half of that is free. The last group stays.
func (m *Manager) fold(most float64) {
	if m.win.cost > m.below(most) {
		m.countExactly()
	}
	if m.win.cost <= m.below(most) {
		return
	}
	goal := m.below(most)/2 - m.narrativeMost() - m.verbatimRoom()
	groups := m.win.groups()
	left, end, told := m.win.cost, 0, true
	var turns []strata.Turn
	for _, g := range groups[:len(groups)-1] {
		if left <= goal {
			break
		}
		left -= m.win.costOf(g)
		end = g.end
		for _, it := range m.win.items[g.start:g.end] {
			if it.kind == kindTurn {
				turns = append(turns, it.turn)
			}
			told = told && it.kind != kindGap
		}
	}
	if end == 0 {
		return
	}
	from, to := m.win.items[0].from, m.win.items[end-1].to
	m.verbatim = fitVerbatim(addVerbatim(m.verbatim, strata.Turn{}, turns, m.shortened), m.verbatimMost(), m.meter.text)
	lines := fitVerbatim(m.verbatim, m.verbatimRoom(), m.meter.text)
	m.summary = digest(m.summary, turns, saidVerbatim(lines), m.narrativeMost(), m.meter.text)
	if told { // otherwise the next compaction reads the gap's turns from the ledger
		m.summarized = to
	}
	m.calibration.Rebase()
	m.win.replace(0, end, &item{kind: kindSummary, from: from, to: to, text: m.summaryText(lines, m.summary, from, to)})
}
