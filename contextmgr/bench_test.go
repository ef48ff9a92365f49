package contextmgr

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// prose is text of about n bytes that tokenizes as English does.
func prose(rng *rand.Rand, n int) string {
	words := strings.Fields("the harbor of Bergen lies between seven mountains and the ferries leave every morning for islands where people keep sheep fish and write long letters about weather budgets and software that nobody deployed on Friday")
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[rng.IntN(len(words))])
		b.WriteByte(' ')
	}
	return b.String()
}

// long is a manager whose history has about 100,000 cl100k tokens.
func long(b *testing.B) *Manager {
	rng := rand.New(rand.NewPCG(1, 2))
	m, err := New(context.Background(), Options{Window: 1 << 20, Ledger: &fakeLedger{}, System: "Be brief."})
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; m.Usage().History < 100_000; i++ {
		role := []strata.Role{strata.RoleUser, strata.RoleAssistant}[i%2]
		if err := m.Append(context.Background(), say(role, prose(rng, 1000))); err != nil {
			b.Fatal(err)
		}
	}
	return m
}

// Appending and counting a turn of 1,000 characters to a history of 100,000
// tokens.
func BenchmarkAppend(b *testing.B) {
	m := long(b)
	text := prose(rand.New(rand.NewPCG(3, 4)), 1000)
	items, cost := slices.Clone(m.win.items), m.win.cost
	for b.Loop() {
		if err := m.Append(context.Background(), say(strata.RoleUser, text)); err != nil {
			b.Fatal(err)
		}
		m.win.items, m.win.cost = append(m.win.items[:0], items...), cost
	}
	b.ReportMetric(float64(m.Usage().History), "history-tokens")
}

// Assembling the request of a history of 100,000 tokens.
func BenchmarkPrompt(b *testing.B) {
	m := long(b)
	for b.Loop() {
		if _, err := m.Prompt(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// Counting such a history anew, for comparison: what every turn would cost if
// costs were not kept.
func BenchmarkCountAnew(b *testing.B) {
	m := long(b)
	req, err := m.Prompt(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		m.meter.request(req)
	}
}

// A chat of 5,000 turns in a window of 8,192 tokens with a scripted model.
func BenchmarkChat5000(b *testing.B) {
	for b.Loop() {
		c := chat(b, 5000)
		b.ReportMetric(c.perSecond, "turns/s")
		b.ReportMetric(float64(c.early.Microseconds()), "µs/turn-500-to-1000")
		b.ReportMetric(float64(c.late.Microseconds()), "µs/turn-last-500")
		b.ReportMetric(float64(c.late)/float64(c.early), "late/early")
		b.ReportMetric(float64(c.heap)/(1<<20), "MB-heap-growth")
	}
}

// chatted is what a long chat measured.
type chatted struct {
	perSecond   float64
	early, late time.Duration // median time of a turn, 500 to 1,000 and last 500
	heap        int64         // growth of the heap over the last three quarters, ledger and memory included
	items       int           // the most in the window
	state       int           // the largest state, in bytes
}

func chat(tb testing.TB, turns int) chatted {
	rng := rand.New(rand.NewPCG(5, 6))
	model := &scripted{answer: func(n int) string { return fmt.Sprintf("Noted, number %d. ", n) + prose(rng, 120) }}
	ledger := &fakeLedger{}
	m, err := New(context.Background(), Options{Model: model, Ledger: ledger, Memory: &fakeMemory{}, Now: clock, System: "Be brief."})
	if err != nil {
		tb.Fatal(err)
	}
	var c chatted
	var took []time.Duration
	var heap int64
	start := time.Now()
	for i := range turns / 2 {
		text := fmt.Sprintf("Question %d about the plan. ", i) + prose(rng, 200)
		before := time.Now()
		if _, err := m.Send(context.Background(), text); err != nil {
			tb.Fatal(err)
		}
		took = append(took, time.Since(before))
		c.items = max(c.items, len(m.win.items))
		c.state = max(c.state, len(ledger.state))
		if i == turns/8 { // a quarter of the exchanges
			heap = inUse()
		}
	}
	c.perSecond = float64(turns) / time.Since(start).Seconds()
	c.early = median(took[250:500]) // an exchange is two turns
	c.late = median(took[len(took)-250:])
	c.heap = inUse() - heap
	return c
}

func median(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
}

func inUse() int64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// scripted is a model that answers at once and keeps nothing.
type scripted struct {
	answer func(n int) string
	n      int
}

func (*scripted) Model() string { return "scripted" }

func (s *scripted) Chat(ctx context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	switch req.Messages[0].Text {
	case prompt.Instructions():
		text, err := honestExtract(ctx, req.Messages[1].Text)
		return reply(text), err
	case promptSummarize:
		text, err := honestSummary(ctx, req.Messages[1].Text)
		return reply(text), err
	}
	s.n++
	r := reply(s.answer(s.n))
	return r, nil
}

// TestLongChatStaysSmall holds a chat of 2,000 turns: what the window and its
// state hold does not grow with it. BenchmarkChat5000 holds the whole one and
// measures the times.
func TestLongChatStaysSmall(t *testing.T) {
	c := chat(t, 2000)
	t.Logf("%.0f turns a second, %v a turn early, %v late, %d items and %d bytes of state at most", c.perSecond, c.early, c.late, c.items, c.state)
	if c.items > 200 || c.state > 64<<10 {
		t.Errorf("%d items, %d bytes of state", c.items, c.state)
	}
}
