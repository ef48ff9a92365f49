package contextmgr

import (
	"slices"

	"github.com/strata-memory/strata"
)

// window is the part of the conversation that the model sees: items in the order of the
// turns they show. It maintains the sum of their costs.
type window struct {
	meter  meter
	reopen func(from, to int64) string // says how to see turns again
	items  []*item
	cost   int // tokens before calibration
	group  int64
}

// append adds a turn at the end. If limit is not 0, the turn is shortened to limit tokens
// by the question ask.
func (w *window) append(t strata.Turn, limit int, ask string) *item {
	it := &item{kind: kindTurn, from: t.Seq, to: t.Seq, turn: t, ask: ask}
	caller := w.caller()
	switch {
	case t.Role == strata.RoleAssistant && len(t.Calls) > 0:
		it.ids = callIDs(t)
		it.open = slices.Repeat([]bool{true}, len(t.Calls))
	case t.Role == strata.RoleTool && caller != nil:
		it.callID = caller.answer(t)
	}
	if it.callID != "" {
		it.group = caller.group
		w.remeasure(caller)
	} else {
		w.group++
		it.group = w.group
	}
	it.show(w.meter, limit, w.reopen(it.from, it.to))
	w.items = append(w.items, it)
	w.cost += it.cost
	return it
}

// caller returns the assistant's turn whose calls a result at the end of the
// window would answer, or nil.
func (w *window) caller() *item {
	for _, it := range slices.Backward(w.items) {
		if it.open != nil {
			return it
		}
		if it.callID == "" {
			return nil
		}
	}
	return nil
}

// answer finds the open call that a result answers, by id or else by tool, and returns
// the id of the call; empty if there is none.
func (it *item) answer(t strata.Turn) string {
	at := -1
	for i, c := range it.turn.Calls {
		if !it.open[i] {
			continue
		}
		if t.CallID != "" && (c.ID == t.CallID || it.ids[i] == t.CallID) {
			at = i
			break
		}
		if at < 0 && (c.Name == t.Tool || t.CallID == "" && t.Tool == "") {
			at = i
		}
	}
	if at < 0 {
		return ""
	}
	it.open[at] = false
	return it.ids[at]
}

// remeasure counts an item again after a change.
func (w *window) remeasure(it *item) {
	w.cost -= it.cost
	it.measure(w.meter)
	w.cost += it.cost
}

// shorten shortens a turn to about limit tokens, or shows it whole if limit is 0.
func (w *window) shorten(it *item, limit int) {
	w.cost -= it.cost
	if it.ask == "" {
		it.ask = w.asked(it)
	}
	it.show(w.meter, limit, w.reopen(it.from, it.to))
	w.cost += it.cost
}

// sinceUser returns the cost of the user's last turn and what follows it.
func (w *window) sinceUser() int {
	n := 0
	for _, it := range slices.Backward(w.items) {
		n += it.cost
		if it.kind == kindTurn && it.turn.Role == strata.RoleUser {
			break
		}
	}
	return n
}

// asked returns the question that a turn answers: the ends of the user's turn before it;
// for a user's turn, its own.
func (w *window) asked(it *item) string {
	for _, before := range slices.Backward(w.items[:slices.Index(w.items, it)+1]) {
		if t := before.turn; before.kind == kindTurn && t.Role == strata.RoleUser {
			return cutAfter(t.Text, maxAsk/2) + "\n" + cutBefore(t.Text, maxAsk/2)
		}
	}
	return ""
}

// replace replaces the items i to j-1 by one item.
func (w *window) replace(i, j int, it *item) {
	w.group++
	it.group = w.group
	it.measure(w.meter)
	w.items = slices.Replace(w.items, i, j, it)
	w.recount()
}

func (w *window) recount() {
	w.cost = 0
	for _, it := range w.items {
		w.cost += it.cost
	}
}

// groups returns the half-open ranges of items that belong together, in order.
func (w *window) groups() []span {
	var out []span
	for i, it := range w.items {
		if n := len(out); n > 0 && w.items[i-1].group == it.group {
			out[n-1].end = i + 1
			continue
		}
		out = append(out, span{i, i + 1})
	}
	return out
}

// span is a half-open range of items.
type span struct{ start, end int }

// costOf returns the cost of a range of items.
func (w *window) costOf(s span) int {
	n := 0
	for _, it := range w.items[s.start:s.end] {
		n += it.cost
	}
	return n
}

// last returns the Seq of the last turn; 0 for an empty window.
func (w *window) last() int64 {
	if len(w.items) == 0 {
		return 0
	}
	return w.items[len(w.items)-1].to
}

// lastUser returns the last turn of the user, or nil.
func (w *window) lastUser() *item {
	for _, it := range slices.Backward(w.items) {
		if it.kind == kindTurn && it.turn.Role == strata.RoleUser {
			return it
		}
	}
	return nil
}

// shown returns the turns in the window, whole or shortened.
func (w *window) shown() []strata.TurnRange {
	var out []strata.TurnRange
	for _, it := range w.items {
		if it.kind != kindTurn {
			continue
		}
		if n := len(out); n > 0 && out[n-1].To == it.from-1 {
			out[n-1].To = it.to
			continue
		}
		out = append(out, strata.TurnRange{From: it.from, To: it.to})
	}
	return out
}

// seen returns the ids of the memories in the window.
func (w *window) seen() []string {
	var out []string
	for _, it := range w.items {
		out = append(out, it.note.ids...)
	}
	return out
}
