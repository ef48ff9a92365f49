package contextmgr

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/extract/prompt"
)

const (
	// page is how many turns are read from the ledger at once.
	page = 200
	// lookback is how many turns before the cursor are read again, so that a
	// correction finds what it corrects.
	lookback = 8
)

// flush extracts and saves facts from every turn that is not covered yet. It reads the
// ledger, so it does not depend on what the window shows. Its only error is that of the
// caller's context. Other failures are reported as events, and the next flush reads the
// turns that remain.
func (m *Manager) flush(ctx context.Context) error {
	if m.opt.Memory == nil || m.cursor >= m.win.last() && len(m.pending) == 0 {
		return nil
	}
	from := m.cursor
	m.emit(FlushStarted{From: from + 1, To: m.win.last()})
	var done []strata.Decision
	byModel, err := m.flushAll(ctx, &done)
	m.flushed = true
	if ledger, ok := m.opt.Ledger.(Extracting); ok && m.cursor > from {
		_ = ledger.Extracted(ctx, m.cursor, byModel) // on failure they are read twice, which is harmless
	}
	if !m.opt.Background {
		m.readTo = m.cursor
	}
	m.emit(FlushFinished{To: m.cursor, Decisions: done, Err: err})
	m.reportRest()
	return ctx.Err()
}

// flushAll does the work of flush. It reports whether a model has read all the turns.
func (m *Manager) flushAll(ctx context.Context, done *[]strata.Decision) (byModel bool, err error) {
	if err := m.savePending(ctx, done); err != nil { // left by a killed process
		return false, err
	}
	h := m.helper()
	if m.opt.Background { // the model reads after the rules
		h = m.rules()
	}
	byModel = h.model != nil
	limit := m.chunkLimit(prompt.Instructions())
	for m.cursor < m.win.last() {
		start := max(m.cursor-lookback, 0)
		turns, err := m.opt.Ledger.Turns(ctx, start, page)
		if err != nil {
			return false, fmt.Errorf("read turns after %d: %w", start, err)
		}
		old, fresh := splitAt(turns, m.cursor)
		if len(fresh) == 0 {
			return false, fmt.Errorf("read turns after %d: the ledger ends before turn %d", m.cursor, m.win.last())
		}
		saved := m.savedByTools(turns)
		before := m.forExtraction(old)
		for _, b := range batches(m.forExtraction(fresh), limit, m.meter.text) {
			found, read, err := m.extract(ctx, h, before, b)
			if err != nil {
				return false, err
			}
			byModel = byModel && read
			if err := m.commit(ctx, saved.Without(found), b.last(), done); err != nil {
				return false, err
			}
			before = b.turns[max(len(b.turns)-lookback, 0):]
		}
		if end := fresh[len(fresh)-1].Seq; end > m.cursor { // the last turns have nothing to extract
			if err := m.commit(ctx, nil, end, done); err != nil {
				return false, err
			}
		}
	}
	return byModel, nil
}

// splitAt splits turns into those up to seq and those after it.
func splitAt(turns []strata.Turn, seq int64) (old, fresh []strata.Turn) {
	i := slices.IndexFunc(turns, func(t strata.Turn) bool { return t.Seq > seq })
	if i < 0 {
		return turns, nil
	}
	return turns[:i], turns[i:]
}

// extract finds what a batch changes in memory, by rules and with the model if there is
// one. byModel says whether the model read it. The error is that of the caller's context.
func (m *Manager) extract(ctx context.Context, h *helper, before []strata.Turn, b batch) (found []strata.Candidate, byModel bool, err error) {
	m.extracted = true
	found = extract.After(before, b.turns)
	if h.model != nil {
		if found, err = m.readWith(ctx, h, b, found); ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		byModel = err == nil
		if err != nil {
			m.emit(FellBack{What: "extraction", Why: err.Error(), To: fmt.Sprintf("rules for the turns %d to %d", b.turns[0].Seq, b.last())})
		}
	}
	for i := range found {
		found[i].RequestID = extract.RequestID(found[i])
	}
	return found, byModel, nil
}

// readWith adds what the model finds in a batch to what the rules found. It asks the
// model even if memory cannot supply related facts.
func (m *Manager) readWith(ctx context.Context, h *helper, b batch, found []strata.Candidate) ([]strata.Candidate, error) {
	if err := h.ready(); err != nil {
		return found, err
	}
	known, err := m.opt.Memory.RelatedFacts(ctx, b.turns, prompt.MaxFacts)
	if err != nil && ctx.Err() == nil {
		m.emit(FellBack{What: "memory", Why: err.Error(), To: "the model reads without what memory holds"})
	}
	all, dropped, err := h.facts(ctx, b, nil, known, found)
	if len(dropped) > 0 && err == nil {
		m.emit(Dropped{Model: h.model.Model(), Why: dropped})
	}
	return all, err
}

// commit saves facts and moves the cursor in an order that survives a kill: the state
// holds the facts before memory is asked to take them, and repeating their request ids
// after a restart changes nothing. So a second extraction, which might word them
// differently, is not needed.
func (m *Manager) commit(ctx context.Context, found []strata.Candidate, to int64, done *[]strata.Decision) error {
	failpoint.Hit(failpoint.FlushExtracted)
	m.pending, m.pendingTo = found, to
	if len(found) > 0 {
		if err := m.save(ctx); err != nil {
			m.pending = nil
			return err
		}
		failpoint.Hit(failpoint.FlushPending)
	}
	return m.savePending(ctx, done)
}

// savePending saves the pending facts, if any, and moves the cursor.
func (m *Manager) savePending(ctx context.Context, done *[]strata.Decision) error {
	if len(m.pending) > 0 {
		decisions, err := m.saveFacts(ctx, m.pending)
		*done = append(*done, decisions...)
		if err != nil {
			m.emit(FellBack{What: "memory", Why: err.Error(), To: "the facts wait for the next flush"})
			return err
		}
		failpoint.Hit(failpoint.FlushSaved)
	}
	m.cursor = max(m.cursor, m.pendingTo)
	m.pending = nil
	return m.save(ctx)
}

// saveFacts gives facts to memory. If memory refuses the batch because of one fact, they
// are saved one by one, so that it does not block the others.
func (m *Manager) saveFacts(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	decisions, err := m.opt.Memory.Save(ctx, cs)
	if err == nil || !refusal(err) {
		return decisions, err
	}
	decisions = nil
	for _, c := range cs {
		d, err := m.opt.Memory.Save(ctx, []strata.Candidate{c})
		if err != nil && !refusal(err) {
			return decisions, err
		}
		if err != nil {
			m.emit(FellBack{What: "memory", Why: err.Error(), To: "this fact is left out"})
		}
		decisions = append(decisions, d...)
	}
	return decisions, nil
}

// refusal reports whether an error is about the facts rather than the memory.
func refusal(err error) bool {
	switch strata.CodeOf(err) {
	case strata.CodeInvalid, strata.CodeTooLarge, strata.CodeRejectedSecret, strata.CodeForgotten, strata.CodeScopeRequired,
		strata.CodeConflict, strata.CodeNotFound: // the target has changed or is gone
		return true
	}
	return false
}

// chunkLimit is how many tokens of text, as counted, fit the small model's window beside
// the instructions and the answer.
func (m *Manager) chunkLimit(instructions string) int {
	half := m.calibration.Unscale(m.opt.SmallWindow) / 2
	return max(half-m.meter.text(instructions), 64)
}
