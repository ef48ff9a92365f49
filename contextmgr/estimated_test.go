package contextmgr

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/llm"
)

// tableCounter is a counter whose table is loaded when somebody waits for it, or when
// ready is set.
type tableCounter struct{ ready, waited bool }

func (c *tableCounter) Ready() bool { return c.ready }

func (c *tableCounter) Count(s string) int {
	c.waited = c.waited || !c.ready
	c.ready = true
	return bytesCounter{}.Count(s)
}

// sums checks that what is kept of the costs is what a fresh count gives.
func sums(t *testing.T, m *Manager, counter Counter) {
	t.Helper()
	meter := newMeter(m.opt)
	meter.counter = counter
	want := 0
	for _, it := range m.win.items {
		fresh := *it
		fresh.measure(meter)
		if want += fresh.cost; it.cost != fresh.cost || it.noteCost != fresh.noteCost {
			t.Errorf("turn %d costs %d, of that the note %d; want %d and %d", it.from, it.cost, it.noteCost, fresh.cost, fresh.noteCost)
		}
	}
	if m.win.cost != want {
		t.Errorf("the window costs %d, want %d", m.win.cost, want)
	}
	if base := perRequest + bridgeCost(meter) + meter.tools(m.opt.Tools) + meter.text(m.opt.System) + perMessage; m.base != base {
		t.Errorf("what is fixed costs %d, want %d", m.base, base)
	}
}

// Until the counter's table is loaded a conversation is estimated and nobody waits. When
// the table is there everything is counted anew, and shown as it was.
func TestEstimateServesUntilTheTableIsLoaded(t *testing.T) {
	counter := &tableCounter{}
	h := open(t, func(o *Options) {
		o.Counter, o.System, o.Snapshot, o.Window = counter, "Be brief.", "The cat is called Whiskerino.", 8192
	})
	h.chatter(3)
	h.add(say(strata.RoleUser, "And what is my cat called?"))
	before := h.prompt()
	if counter.waited {
		t.Error("a short conversation waited for the table")
	}
	sums(t, h.Manager, token.Estimate{})
	counter.ready = true
	after := h.prompt()
	sums(t, h.Manager, bytesCounter{})
	if shown(after) != shown(before) {
		t.Errorf("the request changed when the table was loaded:\n%s\nbefore\n%s", shown(after), shown(before))
	}
	if u := h.Usage(); u.Total != h.total() || h.asked != h.fixed+h.win.cost {
		t.Errorf("the request is counted as %d, the usage as %d, want %d", h.asked, u.Total, h.fixed+h.win.cost)
	}
}

// What is cut looks the same whether the table was loaded when it was cut or not, and
// after a restart.
func TestNothingIsCutByAnEstimate(t *testing.T) {
	long := strings.Repeat("A line of the build's output, which nobody will ever read.\n", 2000)
	request := func(counter Counter) (string, *harness) {
		h := open(t, func(o *Options) { o.Counter, o.Snapshot = counter, strings.Repeat("A fact of the snapshot. ", 300) })
		h.chatter(2)
		h.add(say(strata.RoleUser, long))
		return shown(h.prompt()), h
	}
	want, _ := request(bytesCounter{})
	got, h := request(&tableCounter{})
	if got != want {
		t.Errorf("cut while the table was loading:\n%s\nwant\n%s", got, want)
	}
	sums(t, h.Manager, bytesCounter{})
	h.opt.Counter = &tableCounter{}
	h.restart()
	if again := shown(h.prompt()); again != want {
		t.Errorf("after a restart:\n%s\nwant\n%s", again, want)
	}
}

// A report of the model is learned in the counter's tokens, not in estimated ones.
func TestReportsAreNotLearnedFromAnEstimate(t *testing.T) {
	counter := &tableCounter{}
	h := open(t, func(o *Options) { o.Counter, o.Window = counter, 8192 })
	h.add(say(strata.RoleUser, strings.Repeat("Zürich, Übung, Ärger. ", 40)))
	req := h.prompt()
	meter := newMeter(h.opt)
	meter.counter = bytesCounter{}
	h.Observe(t.Context(), llm.Usage{Prompt: meter.request(req)})
	if f := h.calibration.Factor(); f > 1.05 {
		t.Errorf("the factor is %.2f where the counter counts as the model", f)
	}
	sums(t, h.Manager, bytesCounter{})
}
