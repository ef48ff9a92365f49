// Package contextmgr keeps a conversation within a model's window without
// losing what was said.
//
// It counts what a request costs, extracts facts before they leave, replaces
// old turns by a summary, places recalled memory at the end, and hands out
// requests that fit. It works with any model, any counter, any memory and any
// ledger, or without: then rules extract, sentences of the conversation are
// its summary, and the ledger is in the process.
//
// # Concepts
//
// The ledger keeps every turn; the window is what of it the model sees. The
// budget is the model's context minus a reserve for the answer; all thresholds
// are shares of it, and everything counts: system prompt, snapshot, tools,
// messages, images.
//
//   - At 60 % a flush: facts of every turn that is not covered yet go to
//     memory. A cursor, not a length, says what is covered.
//   - At 70 % masking: results of tools from before the user spoke last are shown by
//     their beginning and end, until the threshold of a flush is met.
//   - If that is not enough a compaction: flush, then a summary takes the place of all but
//     the last messages. Standing rules, corrections, open tasks, paths and ids stay
//     in it word for word and get their room first; the rest has at most half of the
//     tokens of what it replaces. It frees a third of the history, names the turns it
//     covers and how to see them; else it is not made.
//   - Then shortening: long messages outside the last group are shown by their
//     beginning and end.
//   - At 80 % a warning at the end of the request.
//   - At 90 % pruning: all but the first and last groups are left out, save for what
//     must stay word for word; the next compaction summarizes them. What remains is shortened until it fits.
//
// With [Options.Background] the small model works beside the conversation, and no
// message waits for it. At once, rules extract, and the conversation's own sentences
// take the place of what leaves; the model reads the same turns after the answer, and
// what it finds, and its summary, are taken over by a later request. Three useless answers
// in a row (junk, refusals, silence) give it a rest of a minute, which doubles up to an
// hour, while rules do its work.
//
// A group is an assistant's turn with the results of its calls: they are shown
// together or not at all. A message that fits is shown whole when it comes; of one that
// does not, as much as fits: its beginning, its end and the passages between them that
// hold what was asked for.
//
// # Guarantees
//
//   - A turn is in the ledger before it is in the window. If the ledger refuses
//     it, the conversation is unchanged.
//   - A request never exceeds the budget as counted. Counts learn from what the
//     model reports, and from its refusal of a request as too large, after
//     which a smaller one is sent once.
//   - A request is valid for OpenAI and Ollama: the user begins, roles
//     alternate, every result follows its call and every call has a result.
//   - Between two of these measures a request only grows at its end: system prompt,
//     snapshot and history stay byte for byte the same, for the model's cache.
//   - Every turn reaches a flush and, before or when it leaves, a summary. Rules
//     extract always, and a model adds to that. One that fails, hangs, refuses or
//     writes junk is done without, for the current passage, with an event that says why.
//   - Killed at any point, the conversation continues as it was, and no fact is
//     saved twice. Recalled memory is not learned again.
//   - Never two compactions without a new turn between them.
//
// # Errors
//
// All are [strata.Error] or wrap one: invalid (an unknown role, an empty turn,
// contradicting options), too_large (a turn above 16 MiB; system prompt and
// tools that leave no room; a request that the model refused twice),
// unavailable (no model), corrupt (the model answered nothing), and those of
// the ledger and the model. What the manager does on its own behalf, such as
// extraction and recall, never fails a turn: it is reported by an [Event].
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
// A caller with a client of their own uses [Manager.Prompt], [Manager.Append]
// and [Manager.Observe] instead of [Manager.Send].
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

// Manager holds one conversation within a model's window. Its methods may be
// called from several goroutines; they take turns, save for [Manager.Usage],
// which never waits.
type Manager struct {
	opt Options // fixed at creation

	gauge atomic.Pointer[Usage]

	mu          sync.Mutex // guards everything below
	meter       meter
	estimated   bool // the meter estimates, until the counter's table is loaded
	base        int  // cost of a request without snapshot and history, before calibration
	tools       int  // cost of the tool definitions
	win         window
	calibration token.Calibration
	savedCal    token.Calibration // cal as the saved state has it
	unsaved     bool              // something that a restart must show is not in the saved state yet
	fitted      token.Calibration // cal when the snapshot was fitted
	snapshot    string            // as it is shown
	system      string            // the first message
	fixed       int               // cost of everything but the history
	asked       int               // cost of the last request, before calibration
	next        *string
	// generation counts snapshots from 1
	generation int
	warned     bool // and not below the threshold since

	cursor     int64  // the last turn whose facts are saved
	readTo     int64  // the last turn that the small model has read, or need not
	flushed    bool   // in this cycle
	extracted  bool   // rules have read turns since the start
	summary    string // the text of the summary so far, without its frame
	verbatim   []verbatim
	summarized int64 // the last turn that the summary covers
	compacted  int64 // the last turn there was at the last compaction
	recalled   int64 // the last turn for which memory was asked
	prepared   int64 // the last turn of the last request
	pending    []strata.Candidate
	pendingTo  int64 // the cursor once memory has what is pending

	withdrawn []strata.TurnRange // turns that the user took back

	breaker breaker
	resting bool   // of the small model, as the last event told
	job     *job   // what the small model works at beside the conversation
	draft   *draft // the summary that it is to write in the place of an extract
}

// New returns a manager for the conversation in the ledger, which continues where
// it stood. Errors are [strata.Error] with invalid (the options contradict each
// other) or too_large (system prompt and tools leave no room), or those of the
// ledger.
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

// reopen says how turns that are not shown can be seen.
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

// Append adds turns to the conversation: any role but unknown ones, images,
// calls and results of tools. Only role and content need to be set. They are in
// the ledger when it returns; when the ledger refuses them, its error is
// returned and the conversation is unchanged. The window is brought below its
// thresholds when the next request is made.
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

// record gives turns to the ledger, and with them the state if something in it
// is new. A state that is refused takes no turn with it.
func (m *Manager) record(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	ledger, ok := m.opt.Ledger.(Recording)
	if !ok || !m.unsaved {
		m.saveIfChanged(ctx)
		return m.opt.Ledger.Append(ctx, turns)
	}
	body, err := json.Marshal(m.state()) // the ledger looks for secrets in it
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

// refused reports whether an error may speak of a state alone, and says for
// certain that nothing was written: after any other the turns might be there.
func refused(err error) bool {
	switch strata.CodeOf(err) {
	case strata.CodeForgotten, strata.CodeRejectedSecret, strata.CodeTooLarge, strata.CodeInvalid, strata.CodeFull:
		return true
	}
	return false
}

// clean returns a turn that any ledger and model can take, or says why not.
// Bytes that are no text become U+FFFD: tools return what they like.
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

// checkAppended reports a ledger that did not append what was asked.
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

// admit shows a new turn, whole if it fits beside a summary of what was said before and
// what must stay of that word for word, and else as much of it as does. Beside a turn of
// the user what is recalled for it must fit, too, and beside others what has been said
// since the user spoke. It reports whether it was shortened.
func (m *Manager) admit(ctx context.Context, t strata.Turn) bool {
	said := m.win.sinceUser()
	it := m.win.append(t, 0, "")
	most := m.mostOf(ctx, it, said)
	if it.cost > most && m.estimated {
		m.countExactly()
		most = m.mostOf(ctx, it, m.win.sinceUser()-it.cost)
	}
	if it.cost <= most {
		return false
	}
	return m.shortenItem(it, most)
}

// mostOf is what a new turn may cost, if so much has been said since the user spoke.
func (m *Manager) mostOf(ctx context.Context, it *item, said int) int {
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

// Fits is how many tokens the result of a tool may have that is appended now and to be
// shown whole.
func (m *Manager) Fits(ctx context.Context) int {
	m.lock()
	defer m.unlock()
	room := m.room() - minSummary - m.keptCost(ctx, m.win.last())
	return max(room-min(m.win.sinceUser(), room/2), 0)
}

// Compact replaces the older turns by a summary now, whatever the thresholds
// say. It returns the zero Compacted when there is nothing to gain, or no new
// turn since the last time.
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
// user took back. What is asked of memory on the model's behalf leaves them out.
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
