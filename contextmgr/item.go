package contextmgr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/llm"
)

// kind says what an item of the window shows.
type kind int

const (
	kindTurn    kind = iota // a turn, whole or shortened
	kindSummary             // a summary of turns
	kindGap                 // a note that turns are not shown
)

// item is one part of the window. It renders to exactly one message.
type item struct {
	kind kind
	// from and to are the first and last Seq that it shows; equal for a turn.
	from, to int64
	// group is shared by an assistant's turn and the results of its calls, which are only
	// shown together.
	group int64

	turn   strata.Turn // of a turn
	ids    []string    // of an assistant: the ids of its calls, not empty and unique
	open   []bool      // of an assistant: which calls have no result yet
	callID string      // of a tool result: the call it answers; empty: none in the window
	limit  int         // of a turn: the tokens it was shortened to; 0 if whole
	ask    string      // of a turn: the question when it was shortened
	note   note        // of a user's turn: what was recalled for it

	text string // as shown: a turn's text, whole or shortened; a summary; a gap
	cost int    // tokens before calibration, including placeholders for missing results
	// noteCost is the part of cost that the note takes.
	noteCost int
}

// note is recalled memory shown after a user's turn.
type note struct {
	ids  []string
	text string // the fenced block
}

// missingText replaces a result that is missing because the turn was interrupted:
// protocols reject a call without a result.
const missingText = "(no result was recorded)"

// message renders the item.
func (it *item) message() llm.Message {
	if it.kind != kindTurn {
		return llm.Message{Role: strata.RoleUser, Text: it.text}
	}
	t := it.turn
	msg := llm.Message{Role: t.Role, Text: it.text, Images: t.Images}
	if it.limit > 0 {
		msg.Images = nil
	}
	switch {
	case t.Role == strata.RoleAssistant:
		msg.Images = nil
		msg.Calls = it.calls()
	case t.Role == strata.RoleTool && it.callID != "":
		msg.CallID, msg.Tool = it.callID, t.Tool
	case t.Role == strata.RoleTool:
		msg.Role, msg.Text = strata.RoleUser, "[result of an earlier call of "+fence.Line(t.Tool)+"]\n"+fence.Text(it.text)
	case t.Role == strata.RoleUser && t.Speaker != "":
		msg.Text = t.Speaker + ": " + it.text
	case t.Role != strata.RoleUser:
		msg.Role, msg.Text = strata.RoleUser, "["+fence.Line(string(t.Role))+"]\n"+it.text
	}
	if it.note.text != "" {
		msg.Text += "\n\n" + it.note.text
	}
	return msg
}

// calls returns the calls as shown: all have ids, and those of a shortened turn lose long
// arguments.
func (it *item) calls() []strata.ToolCall {
	calls := slices.Clone(it.turn.Calls)
	for i := range calls {
		calls[i].ID = it.ids[i]
		if it.limit > 0 && len(calls[i].Arguments) > 64 {
			calls[i].Arguments = fmt.Sprintf(`{"omitted":"%d bytes"}`, len(calls[i].Arguments))
		}
	}
	return calls
}

// missing returns placeholders for the results that its calls lack.
func (it *item) missing() []llm.Message {
	var out []llm.Message
	for i, open := range it.open {
		if open {
			out = append(out, llm.Message{
				Role: strata.RoleTool, Text: missingText, CallID: it.ids[i], Tool: it.turn.Calls[i].Name,
			})
		}
	}
	return out
}

// measure computes the cost.
func (it *item) measure(m meter) {
	it.cost, it.noteCost = m.message(it.message()), m.text(it.note.text)
	for _, msg := range it.missing() {
		it.cost += m.message(msg)
	}
}

// show sets the text of a turn: whole if limit is 0, otherwise shortened to about limit
// tokens.
func (it *item) show(m meter, limit int, reopen string) {
	it.limit = limit
	it.text = whole(it.turn)
	if limit > 0 {
		it.text = cut{limit, m.text, it.from, reopen, len(it.turn.Images), it.ask}.excerpt(it.text)
	}
	it.measure(m)
}

// whole returns the full text of a turn as a model reads it.
func whole(t strata.Turn) string {
	if t.Role != strata.RoleTool {
		return t.Text
	}
	text := t.Text
	if strings.TrimSpace(text) == "" {
		text = "(no output)"
	}
	if t.Failed {
		text = "[the call failed] " + text
	}
	return text
}

// callIDs returns a unique id for every call of a turn: the model's own if it gave one
// that no other call of the turn has.
func callIDs(t strata.Turn) []string {
	ids := make([]string, len(t.Calls))
	for i, c := range t.Calls {
		ids[i] = c.ID
		if c.ID == "" || slices.Contains(ids[:i], c.ID) {
			ids[i] = fmt.Sprintf("call_%d_%d", t.Seq, i+1)
		}
	}
	return ids
}
