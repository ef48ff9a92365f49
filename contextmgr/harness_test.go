package contextmgr

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// harness is a manager with what stands around it.
type harness struct {
	t      *testing.T
	opt    Options
	ledger *fakeLedger
	memory *fakeMemory
	model  *fakeModel
	events []Event
	*Manager
}

// open starts a manager on fakes; change may alter its options.
func open(t *testing.T, change func(*Options)) *harness {
	t.Helper()
	h := &harness{t: t, ledger: &fakeLedger{}, memory: &fakeMemory{}, model: &fakeModel{extract: honestExtract, summarize: honestSummary}}
	h.opt = Options{
		Model: h.model, Window: 2048, Counter: bytesCounter{}, Ledger: h.ledger, Memory: h.memory, Now: clock,
		ExpandTool: "memory_expand", OnEvent: func(e Event) { h.events = append(h.events, e) },
	}
	if change != nil {
		change(&h.opt)
	}
	h.restart()
	return h
}

// restart opens the conversation again, as after a kill.
func (h *harness) restart() {
	h.t.Helper()
	m, err := New(context.Background(), h.opt)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Manager = m
}

// add appends turns and fails the test if that fails.
func (h *harness) add(turns ...strata.Turn) {
	h.t.Helper()
	if err := h.Append(context.Background(), turns...); err != nil {
		h.t.Fatal(err)
	}
}

// chatter appends n exchanges of about 60 tokens each.
func (h *harness) chatter(n int) {
	h.t.Helper()
	for i := range n {
		h.add(say(strata.RoleUser, fmt.Sprintf("Message %d about the harbor, the weather and the boats in it. ", i)+strings.Repeat("More words. ", 5)),
			say(strata.RoleAssistant, fmt.Sprintf("Answer %d: the harbor is calm and the boats lie still. ", i)+strings.Repeat("Fine. ", 5)))
	}
}

// prompt asks for a request, checks that it fits and is valid, and returns it.
func (h *harness) prompt() llm.Request {
	h.t.Helper()
	req, err := h.Prompt(context.Background())
	if err != nil {
		h.t.Fatal(err)
	}
	if err := checkRequest(h.Manager, req); err != nil {
		h.t.Fatal(err)
	}
	return req
}

// send says something to the model and fails the test if that fails.
func (h *harness) send(text string) llm.Reply {
	h.t.Helper()
	r, err := h.Send(context.Background(), text)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// all returns the events of one kind.
func all[T Event](h *harness) []T {
	var out []T
	for _, e := range h.events {
		if want, ok := e.(T); ok {
			out = append(out, want)
		}
	}
	return out
}

// fallbacks are the reasons of the fallbacks of one kind.
func (h *harness) fallbacks(what string) []string {
	var out []string
	for _, e := range all[FellBack](h) {
		if e.What == what {
			out = append(out, e.Why)
		}
	}
	return out
}

// shown is everything a request says, for looking into.
func shown(req llm.Request) string {
	var b strings.Builder
	for _, m := range req.Messages {
		fmt.Fprintf(&b, "%s: %s", m.Role, m.Text)
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " (%s %s %s)", c.ID, c.Name, c.Arguments)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// request returns the tokens of a whole request. The manager keeps the sum as
// it goes; this is what the sum must never be below.
func (m meter) request(req llm.Request) int {
	n := perRequest + m.tools(req.Tools)
	for _, msg := range req.Messages {
		n += m.message(msg)
	}
	return n
}
