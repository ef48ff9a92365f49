package contextmgr

import (
	"context"
	"fmt"
	"strings"
)

// forget rebuilds the conversation, as after a restart, when something of
// it was forgotten: the window, the summary and the snapshot may hold it. The
// cursor stays, so that nothing is learned twice. The error is the ledger's:
// what may have been forgotten must not be sent.
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
	m.drop() // what is made of what was said may hold it, too
	cursor, cal := m.cursor, m.calibration
	m.win = window{meter: m.meter, reopen: m.opt.reopen}
	if err := m.restore(ctx); err != nil {
		return err
	}
	m.cursor, m.calibration = max(m.cursor, cursor), cal
	return m.save(ctx)
}
