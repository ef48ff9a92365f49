// Package contextmgr keeps a conversation within a model's window without
// losing what was said.
//
// It counts the cost of a request, extracts facts from turns before they leave the
// window, replaces old turns by a summary, places recalled memory at the end, and
// produces requests that fit. It works with any model, counter, memory and ledger, or
// without: then rules extract facts, summaries consist of sentences of the conversation,
// and the ledger is kept in the process.
//
// # Concepts
//
// The ledger keeps every turn; the window is the part that the model sees. The budget is
// the model's context minus a reserve for the answer. All thresholds are shares of the
// budget, and everything counts: system prompt, snapshot, tools, messages, images.
//
//   - At 60 %, flush: facts of every turn that is not covered yet go to memory. A cursor,
//     not a length, says which turns are covered.
//   - At 70 %, mask: tool results from before the user last spoke are cut to their beginning
//     and end, until usage is below the flush threshold.
//   - If that is not enough, compact: flush, then replace all but the last messages by a
//     summary. Standing rules, corrections, open tasks, paths and ids stay in it word for
//     word and get their room first; the rest gets at most half of the tokens it replaces. A
//     compaction frees at least a third of the history, or it is not made. The summary names
//     the turns it covers and says how to see them.
//   - Then shorten: long messages outside the last group are cut to their beginning and end.
//   - At 80 %, warn the model at the end of the request.
//   - At 90 %, prune: leave out all but the first and last groups, except for what must stay
//     word for word. The next compaction summarizes them. The rest is shortened until it
//     fits.
//
// With [Options.Background] the small model works in the background, and no message waits
// for it. Rules extract facts at once, and sentences of the conversation replace the
// turns that leave. The model reads the same turns after the answer; a later request
// takes over its facts and its summary. After three useless answers in a row (junk,
// refusals, silence) the model rests for a minute, which doubles up to an hour, while
// rules do its work.
//
// A group is an assistant's turn with the results of its calls: they are shown together
// or not at all. A new message that fits is shown whole; of one that does not fit, the
// beginning, the end and the passages in between that match the question, as far as there
// is room.
//
// # Guarantees
//
//   - A turn is in the ledger before it is in the window. If the ledger refuses it, the
//     conversation is unchanged.
//   - A request never exceeds the budget as counted. Counts learn from the usage that the
//     model reports, and from a refusal of a request as too large, after which a smaller one
//     is sent once.
//   - A request is valid for OpenAI and Ollama: the user begins, roles alternate, every
//     result follows its call and every call has a result.
//   - Between two of the measures above a request only grows at its end: system prompt,
//     snapshot and history stay identical to the byte, for the model's cache.
//   - Every turn is flushed and, by the time it leaves, summarized. Rules always extract; a
//     model adds to that. If the model fails, hangs, refuses or writes junk, the current
//     passage is done without it, and an event says why.
//   - Killed at any point, the conversation continues as it was, and no fact is saved twice.
//     Recalled memory is not learned again.
//   - Two compactions never follow each other without a new turn in between.
//
// # Errors
//
// All are a [strata.Error] or wrap one: invalid (an unknown role, an empty turn,
// contradictory options), too_large (a turn above 16 MiB; system prompt and tools that
// leave no room; a request that the model refused twice), unavailable (no model), corrupt
// (an empty answer of the model), and those of the ledger and the model. What the manager
// does on its own, such as extraction and recall, never fails a turn: an [Event] reports
// its errors.
//
// # Example
//
//	m, err := contextmgr.New(ctx, contextmgr.Options{Model: chat, Window: 8192, Memory: memory, Ledger: ledger})
//	reply, err := m.Send(ctx, "My cat's name is Whiskerino")
//	for len(reply.Message.Calls) > 0 {
//		for _, call := range reply.Message.Calls {
//			err = m.Append(ctx, strata.Turn{Role: strata.RoleTool, CallID: call.ID, Tool: call.Name, Text: run(call)})
//		}
//		reply, err = m.Continue(ctx)
//	}
//
// A caller with its own client uses [Manager.Prompt], [Manager.Append] and
// [Manager.Observe] instead of [Manager.Send].
package contextmgr

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/text/token"
)

// Manager keeps one conversation within a model's window. Its methods may be called from
// several goroutines and run one at a time, except [Manager.Usage], which never waits.
type Manager struct {
	opt Options // fixed at creation

	gauge atomic.Pointer[Usage]

	mu          sync.Mutex // guards everything below
	meter       meter
	estimated   bool // the meter estimates until the counter's table is loaded
	base        int  // cost of a request without snapshot and history, before calibration
	tools       int  // cost of the tool definitions
	win         window
	calibration token.Calibration
	savedCal    token.Calibration // calibration in the saved state
	unsaved     bool              // a change that a restart must reproduce is not in the saved state yet
	fitted      token.Calibration // calibration when the snapshot was fitted
	snapshot    string            // as shown
	system      string            // the system message
	fixed       int               // cost of everything but the history
	asked       int               // cost of the last request, before calibration
	next        *string
	// generation counts snapshots from 1
	generation int
	warned     bool // warned since the level was last below the threshold

	cursor     int64  // the last turn whose facts are saved
	readTo     int64  // the last turn that the small model has read or need not read
	flushed    bool   // in this cycle
	extracted  bool   // rules have read turns since the manager was created
	summary    string // the text of the summary so far, without its frame
	verbatim   []verbatim
	summarized int64 // the last turn that the summary covers
	compacted  int64 // the last turn at the time of the last compaction
	recalled   int64 // the last turn for which memory was queried
	prepared   int64 // the last turn of the last request
	pending    []strata.Candidate
	pendingTo  int64 // the cursor once memory has the pending facts

	withdrawn []strata.TurnRange // turns that the user took back

	breaker breaker
	resting bool   // whether the last event said that the small model rests
	job     *job   // background work of the small model
	draft   *draft // the summary it is to write to replace an extract
}

// New returns a manager that continues the conversation in the ledger. Errors are
// [strata.Error] with invalid (the options contradict each other) or too_large (system
// prompt and tools leave no room), or those of the ledger.
func New(ctx context.Context, o Options) (*Manager, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	m := &Manager{opt: o, meter: newMeter(o), generation: 1, breaker: breaker{now: o.Now}}
	if m.estimated = !token.Ready(o.Counter); m.estimated {
		m.meter.counter = token.Estimate{}
	}
	m.win = window{meter: m.meter, reopen: o.reopen}
	m.measureFixed()
	if err := m.checkFixed(); err != nil {
		return nil, err
	}
	if err := m.restore(ctx); err != nil {
		return nil, err
	}
	m.publish()
	return m, nil
}

// reopen returns a phrase that says how to see turns that are not shown.
func (o Options) reopen(from, to int64) string {
	if o.ExpandTool == "" {
		return "the ledger keeps them"
	}
	return fmt.Sprintf(`see them with %s {"from": %d, "to": %d}`, o.ExpandTool, from, to)
}

func (m *Manager) lock() {
	m.mu.Lock()
	if m.estimated && token.Ready(m.opt.Counter) {
		m.countExactly()
	}
}

func (m *Manager) unlock() {
	m.publish()
	m.mu.Unlock()
}

func (m *Manager) emit(e Event) { m.opt.OnEvent(e) }

// Append adds turns to the conversation: any known role, images, calls and tool results.
// Only role and content must be set. The turns are in the ledger when Append returns. If
// the ledger refuses them, Append returns its error and the conversation is unchanged.
// The next request brings the window below its thresholds.
func (m *Manager) Append(ctx context.Context, turns ...strata.Turn) error {
	m.lock()
	defer m.unlock()
	return m.append(ctx, turns...)
}

func (m *Manager) append(ctx context.Context, turns ...strata.Turn) error {
	if len(turns) == 0 {
		return nil
	}
	clean := make([]strata.Turn, len(turns))
	for i, t := range turns {
		var err error
		if clean[i], err = m.clean(t); err != nil {
			return err
		}
	}
	appended, err := m.record(ctx, clean)
	if err != nil {
		return fmt.Errorf("record %d turns: %w", len(turns), err)
	}
	if err := checkAppended(appended, len(turns), m.win.last()); err != nil {
		return err
	}
	failpoint.Hit(failpoint.TurnRecorded)
	changed := false
	for _, t := range appended {
		if t.Role == strata.RoleUser {
			changed = m.adoptSnapshot() || changed
		}
		changed = m.admit(ctx, t) || changed
	}
	if changed {
		_ = m.save(ctx) // an event reports a failure; the same turn is cut the same way after a restart
	}
	return nil
}

// record appends turns to the ledger, together with the state if that has unsaved
// changes. If the ledger refuses the state, it still appends the turns.
func (m *Manager) record(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	ledger, ok := m.opt.Ledger.(Recording)
	if !ok || !m.unsaved {
		m.saveIfChanged(ctx)
		return m.opt.Ledger.Append(ctx, turns)
	}
	body, err := json.Marshal(m.state()) // the ledger checks it for secrets
	if raw := seal(body); err == nil && len(raw) <= maxState {
		appended, err := ledger.AppendWithState(ctx, turns, raw)
		if err == nil {
			m.saved()
			return appended, nil
		}
		if !refused(err) {
			return nil, err
		}
	}
	m.saveIfChanged(ctx)
	return m.opt.Ledger.Append(ctx, turns)
}

// refused reports whether an error may be about the state alone and guarantees that
// nothing was written: after any other error the turns might be there.
func refused(err error) bool {
	switch strata.CodeOf(err) {
	case strata.CodeForgotten, strata.CodeRejectedSecret, strata.CodeTooLarge, strata.CodeInvalid, strata.CodeFull:
		return true
	}
	return false
}

// clean returns a turn that any ledger and model accepts, or says why it cannot. Bytes
// that are not text become U+FFFD, since tools may return anything.
func (m *Manager) clean(t strata.Turn) (strata.Turn, error) {
	const op = "append turn"
	if err := t.Role.Validate(); err != nil {
		return t, err
	}
	if len(t.Text) > strata.MaxTurnBytes {
		return t, &strata.Error{Code: strata.CodeTooLarge, Op: op, Message: "the turn is longer than 16 MiB", Hint: "split it, or name a file"}
	}
	if t.Role == strata.RoleUser && strings.TrimSpace(t.Text) == "" && len(t.Images) == 0 {
		return t, strata.Invalid(op, "the turn is empty", "say something, or show an image")
	}
	if t.Role == strata.RoleAssistant && strings.TrimSpace(t.Text) == "" && len(t.Calls) == 0 {
		return t, strata.Invalid(op, "the assistant's turn is empty", "leave it out, and ask the model again")
	}
	if !utf8.ValidString(t.Text) || strings.ContainsRune(t.Text, 0) {
		t.Text = strings.ReplaceAll(strings.ToValidUTF8(t.Text, "\uFFFD"), "\x00", "\uFFFD")
	}
	if t.At.IsZero() {
		t.At = m.opt.Now()
	}
	return t, nil
}

// checkAppended returns an error if the ledger did not append what it was given.
func checkAppended(appended []strata.Turn, want int, last int64) error {
	ok := len(appended) == want
	for _, t := range appended {
		ok = ok && t.Seq > last
		last = t.Seq
	}
	if ok {
		return nil
	}
	return &strata.Error{Code: strata.CodeInternal, Op: "record turns", Message: "the ledger returned other turns than it was given"}
}

// admit shows a new turn. It shows it whole if it fits beside a summary of the earlier
// turns with the lines that stay word for word, and otherwise shortens it. A user's turn
// must also leave room for recalled memory, other turns for what was said since the user
// spoke. admit reports whether it shortened the turn.
func (m *Manager) admit(ctx context.Context, t strata.Turn) bool {
	said := m.win.sinceUser()
	it := m.win.append(t, 0, "")
	most := m.maxCostOf(ctx, it, said)
	if it.cost > most && m.estimated {
		m.countExactly()
		most = m.maxCostOf(ctx, it, m.win.sinceUser()-it.cost)
	}
	if it.cost <= most {
		return false
	}
	return m.shortenItem(it, most)
}

// maxCostOf returns what a new turn may cost, given the cost of what was said since the user
// spoke.
func (m *Manager) maxCostOf(ctx context.Context, it *item, said int) int {
	most := m.room() - minSummary
	switch {
	case it.turn.Role != strata.RoleUser:
		most -= min(said, most/2)
	case m.opt.Memory != nil && !m.opt.NoRecall:
		most -= m.opt.RecallTokens
	}
	if it.cost > most-m.verbatimRoom() {
		most -= m.keptCost(ctx, it.from-1)
	}
	return max(most, minLimit)
}

// Fits returns the maximum size in tokens of a tool result that would be shown whole if
// appended now.
func (m *Manager) Fits(ctx context.Context) int {
	m.lock()
	defer m.unlock()
	room := m.room() - minSummary - m.keptCost(ctx, m.win.last())
	return max(room-min(m.win.sinceUser(), room/2), 0)
}

// Compact replaces the older turns by a summary now, whatever the thresholds. It returns
// the zero Compacted if that gains nothing or there is no new turn since the last time.
func (m *Manager) Compact(ctx context.Context) (Compacted, error) {
	m.lock()
	defer m.unlock()
	if err := m.forget(ctx); err != nil {
		return Compacted{}, err
	}
	m.countExactly()
	if err := m.settle(ctx, true); err != nil {
		return Compacted{}, err
	}
	return m.compact(ctx, true, false)
}

// Shown returns the turns that the model sees, whole or shortened, and those that the
// user took back. Queries of memory on the model's behalf leave these out.
func (m *Manager) Shown() []strata.TurnRange {
	m.lock()
	defer m.unlock()
	return m.shown()
}

func (m *Manager) shown() []strata.TurnRange {
	out := append(m.win.shown(), m.withdrawn...)
	slices.SortFunc(out, func(a, b strata.TurnRange) int { return cmp.Compare(a.From, b.From) })
	return out
}

// Flush extracts and saves the facts of every turn that is not covered yet, as
// at the end of a session. It waits for the small model.
func (m *Manager) Flush(ctx context.Context) error {
	m.lock()
	defer m.unlock()
	if err := m.forget(ctx); err != nil {
		return err
	}
	if err := m.flush(ctx); err != nil {
		return err
	}
	return m.settle(ctx, false)
}
