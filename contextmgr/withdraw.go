package contextmgr

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// Withdrawn describes what the user took back.
type Withdrawn struct {
	strata.TurnRange        // zero if there was nothing to take back
	Asked            string // the user's last turn before them, or among them
}

// Withdraw takes the last exchange out of the window: the user's last turn and all that
// follows or, if answer is set, only what follows. A note replaces it. The turns stay in
// the ledger; no facts are extracted from them, and no summary mentions them. The caller
// must take back facts already saved from them. It returns not_found if the window shows
// no user's turn.
func (m *Manager) Withdraw(ctx context.Context, answer bool) (Withdrawn, error) {
	m.lock()
	defer m.unlock()
	if err := m.forget(ctx); err != nil {
		return Withdrawn{}, err
	}
	last := m.win.lastUser()
	if last == nil {
		return Withdrawn{}, &strata.Error{Code: strata.CodeNotFound, Op: "take back", Message: "no exchange is shown that could be taken back"}
	}
	start := slices.Index(m.win.items, last)
	if answer {
		start++
	}
	out := Withdrawn{Asked: last.turn.Text}
	if start == len(m.win.items) {
		return out, nil
	}
	out.TurnRange = strata.TurnRange{From: m.win.items[start].from, To: m.win.last()}
	if m.job != nil { // it may read them
		m.job.cancel()
		m.job = nil
	}
	for _, it := range m.win.items[start:] {
		m.pending = slices.DeleteFunc(m.pending, func(c strata.Candidate) bool { return slices.Contains(c.Sources, it.turn.ID) })
	}
	m.withdrawn = append(m.withdrawn, out.TurnRange)
	m.win.replace(start, len(m.win.items), &item{kind: kindGap, from: out.From, to: out.To,
		text: fenced(tagNote, "", fmt.Sprintf("The user took back the turns %d to %d.", out.From, out.To))})
	m.calibration.Rebase()
	return out, m.save(ctx)
}

// standing returns turns without those that were taken back.
func standing(turns []strata.Turn, withdrawn []strata.TurnRange) []strata.Turn {
	if len(withdrawn) == 0 {
		return turns
	}
	return slices.DeleteFunc(slices.Clone(turns), func(t strata.Turn) bool {
		return slices.ContainsFunc(withdrawn, func(r strata.TurnRange) bool { return r.From <= t.Seq && t.Seq <= r.To })
	})
}

// forget rebuilds the conversation, as after a restart, if part of it was forgotten,
// because window, summary and snapshot may hold that text. The cursor stays, so that
// nothing is learned twice. The error is the ledger's; on error nothing may be sent.
func (m *Manager) forget(ctx context.Context) error {
	ledger, ok := m.opt.Ledger.(Forgetting)
	if !ok {
		return nil
	}
	before, after, forgot, err := ledger.Forgot(ctx)
	if err != nil {
		return fmt.Errorf("ask the ledger what was forgotten: %w", err)
	}
	if !forgot {
		return nil
	}
	if before != "" && before != after {
		m.opt.Snapshot = strings.Replace(m.opt.Snapshot, before, after, 1)
		if m.next != nil {
			*m.next = strings.Replace(*m.next, before, after, 1)
		}
		m.generation++
	}
	m.drop() // its results may hold the text too
	cursor, cal := m.cursor, m.calibration
	m.win = window{meter: m.meter, reopen: m.opt.reopen}
	if err := m.restore(ctx); err != nil {
		return err
	}
	m.cursor, m.calibration = max(m.cursor, cursor), cal
	return m.save(ctx)
}
