package contextmgr

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text/token"
)

const (
	stateVersion = 1
	// maxState is the largest state that is read or written, in bytes. The window bounds
	// the size of a state, so a larger one is damaged.
	maxState = 4 << 20
)

// state is the part of the window that cannot be rebuilt from the ledger's turns. Turns
// that it does not mention are shown whole.
type state struct {
	// Last is the Seq of the last turn that was in the window.
	Last int64 `json:"last"`
	// Cursor is the last turn whose facts are saved, Summarized the last one that the
	// summary covers, Compacted the last one at the time of the last compaction, Recalled
	// the last one for which memory was queried.
	Cursor     int64 `json:"cursor"`
	Summarized int64 `json:"summarized,omitempty"`
	Compacted  int64 `json:"compacted,omitempty"`
	Recalled   int64 `json:"recalled,omitempty"`
	Prepared   int64 `json:"prepared,omitempty"`
	Flushed    bool  `json:"flushed,omitempty"` // in this cycle
	// Unread is the first turn whose facts are saved as found by rules but which the
	// small model has yet to read; 0: none.
	Unread int64 `json:"unread,omitempty"`
	// Withdrawn are turns that the user took back.
	Withdrawn []strata.TurnRange `json:"withdrawn,omitempty"`
	// Pending are facts that memory may not have yet, PendingTo is the cursor once it has
	// them.
	Pending   []strata.Candidate `json:"pending,omitempty"`
	PendingTo int64              `json:"pending_to,omitempty"`
	// Summary is the text of the summary so far, without its frame.
	Summary string `json:"summary,omitempty"`
	// Verbatim are the lines that the summary keeps word for word.
	Verbatim []verbatim `json:"verbatim,omitempty"`
	// Blocks replace turns that are not shown, in order.
	Blocks []savedBlock `json:"blocks,omitempty"`
	// Kept are the turns shown shortened, Notes the recalled memory.
	Kept  []savedLimit `json:"kept,omitempty"`
	Notes []savedNote  `json:"notes,omitempty"`
	// Learned is the calibration, Fitted the calibration when the snapshot was last
	// fitted: the same snapshot must look the same after a restart.
	Learned token.Calibration `json:"learned"`
	Fitted  token.Calibration `json:"fitted"`
}

type savedBlock struct {
	From    int64  `json:"from"`
	To      int64  `json:"to"`
	Summary bool   `json:"summary,omitempty"`
	Text    string `json:"text"`
}

type savedLimit struct {
	Seq    int64 `json:"seq"`
	Tokens int   `json:"tokens"`
	// Ask is the question at that time, by which passages are chosen.
	Ask string `json:"ask,omitempty"`
}

type savedNote struct {
	Seq  int64    `json:"seq"`
	IDs  []string `json:"ids"`
	Text string   `json:"text"`
}

// envelope carries a state with its version and checksum.
type envelope struct {
	Version int             `json:"version"`
	SHA256  string          `json:"sha256"` // of State, in hexadecimal
	State   json.RawMessage `json:"state"`
}

// encode returns the encoded state for saving.
func (s state) encode() ([]byte, error) {
	body, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("encode state: %w", err)
	}
	// Redact before the checksum is made. Text from two turns, neither of which holds a
	// secret, may form one together in a summary or a fact.
	if clean, n := secrets.RedactJSON(string(body)); n > 0 {
		// Keep the form that Marshal leaves unchanged.
		var escaped bytes.Buffer
		json.HTMLEscape(&escaped, []byte(clean))
		body = escaped.Bytes()
	}
	return seal(body), nil
}

// seal puts an encoded state into its envelope, as Marshal would, without parsing it
// again.
func seal(body []byte) []byte {
	return fmt.Appendf(nil, `{"version":%d,"sha256":"%x","state":%s}`, stateVersion, sha256.Sum256(body), body)
}

// decodeState decodes a saved state and checks it as far as possible without the ledger.
func decodeState(raw []byte) (state, error) {
	if len(raw) > maxState {
		return state{}, fmt.Errorf("the state has %d bytes; %d is the most", len(raw), maxState)
	}
	var e envelope
	if err := json.Unmarshal(raw, &e); err != nil {
		return state{}, fmt.Errorf("the state is damaged: %w", err)
	}
	if e.Version != stateVersion {
		return state{}, fmt.Errorf("the state has version %d; this program knows %d", e.Version, stateVersion)
	}
	if sum := sha256.Sum256(e.State); hex.EncodeToString(sum[:]) != e.SHA256 {
		return state{}, errors.New("the state is damaged: its checksum differs")
	}
	var s state
	if err := json.Unmarshal(e.State, &s); err != nil {
		return state{}, fmt.Errorf("the state is damaged: %w", err)
	}
	return s, s.check()
}

// check returns an error if numbers contradict each other.
func (s state) check() error {
	before := int64(0)
	for _, b := range s.Blocks {
		if b.From <= before || b.To < b.From || b.To > s.Last {
			return fmt.Errorf("the state is damaged: a block covers the turns %d to %d", b.From, b.To)
		}
		before = b.To
	}
	for _, seq := range []int64{s.Cursor, s.Summarized, s.Compacted, s.Recalled, s.Prepared, s.PendingTo, s.Unread} {
		if seq < 0 || seq > s.Last {
			return fmt.Errorf("the state is damaged: it names turn %d of %d", seq, s.Last)
		}
	}
	return nil
}

// state collects what must be saved.
func (m *Manager) state() state {
	s := state{
		Last: m.win.last(), Cursor: m.cursor, Summarized: m.summarized, Compacted: m.compacted, Recalled: m.recalled, Prepared: m.prepared,
		Flushed: m.flushed, Withdrawn: m.withdrawn, Pending: m.pending, Summary: m.summary, Verbatim: m.verbatim, Learned: m.calibration, Fitted: m.fitted,
	}
	if len(m.pending) > 0 {
		s.PendingTo = m.pendingTo
	}
	if m.readTo < m.cursor {
		s.Unread = m.readTo + 1
	}
	for _, it := range m.win.items {
		if it.kind != kindTurn {
			s.Blocks = append(s.Blocks, savedBlock{From: it.from, To: it.to, Summary: it.kind == kindSummary, Text: it.text})
			continue
		}
		if it.limit > 0 {
			s.Kept = append(s.Kept, savedLimit{Seq: it.from, Tokens: it.limit, Ask: it.ask})
		}
		if it.note.text != "" {
			s.Notes = append(s.Notes, savedNote{Seq: it.from, IDs: it.note.ids, Text: it.note.text})
		}
	}
	return s
}

// save stores the state. A failure is reported as an event and an error. The conversation
// can go on, because an older state and the ledger lead to the same result.
func (m *Manager) save(ctx context.Context) error {
	raw, err := m.encode()
	if err == nil {
		err = m.opt.Ledger.SaveState(ctx, raw)
	}
	if err == nil {
		m.saved()
	}
	if err != nil {
		err = fmt.Errorf("save the conversation's state: %w", err)
		m.emit(FellBack{What: "state", Why: err.Error(), To: "the state before it and the ledger"})
	}
	return err
}

// encode returns the encoded state, unless it is too large.
func (m *Manager) encode() ([]byte, error) {
	raw, err := m.state().encode()
	if err == nil && len(raw) > maxState {
		err = fmt.Errorf("the state has %d bytes; %d is the most", len(raw), maxState)
	}
	return raw, err
}

// saved notes that the ledger has the current state.
func (m *Manager) saved() { m.savedCal, m.unsaved = m.calibration, false }

// saveIfChanged saves the state if it has unsaved changes. Memory recalled for a turn and
// counts learned from the usage of its answer are saved with the answer or just before
// it, and also without an answer, even if the caller has given up waiting.
func (m *Manager) saveIfChanged(ctx context.Context) {
	if m.unsaved {
		m.unsaved = false                      // tried once; a failure waits for the next change
		_ = m.save(context.WithoutCancel(ctx)) // an event reports a failure; the older state serves
	}
}
