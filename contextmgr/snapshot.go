package contextmgr

import (
	"fmt"

	"github.com/strata-memory/strata"
)

// SetSnapshot replaces the frozen memory after the system prompt by a new generation. It
// is shown from the user's next turn on, because changing it costs the model its cache of
// the whole prompt.
func (m *Manager) SetSnapshot(text string) {
	m.lock()
	defer m.unlock()
	m.next = &text
}

// adoptSnapshot starts a new generation if one is waiting, and reports whether it did.
func (m *Manager) adoptSnapshot() bool {
	if m.next == nil {
		return false
	}
	m.opt.Snapshot, m.next = *m.next, nil
	m.generation++
	m.assemblePrefix()
	return true
}

// checkFixed returns an error if system prompt and tools leave too little room.
func (m *Manager) checkFixed() error {
	most := int(fixedShare * float64(m.budget()))
	if m.base > most {
		m.countExactly()
	}
	if m.base <= most {
		return nil
	}
	return &strata.Error{Code: strata.CodeTooLarge, Op: "open context manager",
		Message: fmt.Sprintf("system prompt and tools take %d tokens; %d is half of the window without the reserve", m.base, most),
		Hint:    "use a larger window, fewer tools or a shorter system prompt"}
}

// assemblePrefix builds the system message. It shortens a snapshot that would leave too
// little room for the conversation.
func (m *Manager) assemblePrefix() {
	m.calibration.Rebase()
	m.fitted = m.calibration
	text := m.opt.Snapshot
	most := m.calibration.Unscale(int(fixedShare * float64(m.budget())))
	if len(text) > most-m.base { // a token has at least one byte
		m.countExactly()
	}
	before, room := m.meter.text(text), most-m.base
	if before > room {
		const mark = "\n[… the rest is left out: it does not fit the window …]"
		text = trimTo(text, max(room-m.meter.text(mark)-1, 0), m.meter.text)
		if text != "" {
			text += mark
		}
		m.emit(SnapshotCut{Before: before, After: m.meter.text(text)})
	}
	m.snapshot, m.system = text, joinTexts(m.opt.System, text)
	m.measurePrefix()
}
