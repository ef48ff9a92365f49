package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/bench"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/local"
)

// chatTurns is the length of a long chat, in messages.
const chatTurns = 5000

// The stretches of a long chat that are compared, in messages: what a turn costs
// late and early.
const (
	earlyFrom, earlyTo = 500, 1000
	lateFrom           = chatTurns - 500
)

// A chat of 5,000 turns in a window of 8,192 tokens, with the embedded memory
// as ledger and memory and a model that answers at once.
//
// late/early is the median time of a turn of the last 500 over that of the turns
// 500 to 1,000. The two stretches lie most of the run apart: on a machine whose
// speed changes meanwhile it tells of that, too. BenchmarkChatInTurns compares
// the same stretches side by side.
func BenchmarkChat(b *testing.B) {
	for _, recall := range []bool{false, true} {
		b.Run(fmt.Sprintf("recall=%t", recall), func(b *testing.B) {
			for b.Loop() {
				c := longChat(b, recall)
				b.ReportMetric(c.perSecond, "turns/s")
				b.ReportMetric(float64(c.cpu.Nanoseconds()), "cpu-ns/turn")
				c.early.report(b, "early")
				c.late.report(b, "late")
				b.ReportMetric(c.late.time/c.early.time, "late/early")
				b.ReportMetric(c.heapEarly, "heap-MB-at-1000")
				b.ReportMetric(c.heapLate, "heap-MB-at-5000")
				b.ReportMetric(c.rss, "rss-MiB")
				b.ReportMetric(float64(c.compactions), "compactions")
				b.ReportMetric(float64(c.facts), "facts")
			}
		})
	}
}

// What a turn costs late in a chat and early, measured in turns: of two chats in
// two homes one stands at turn 500 and the other at turn 4,500, and each says
// something after the other, 250 times. Whatever slows the machine meanwhile
// slows both. late/early is that of the medians of time, cpu-late/early that of
// processor time, which other programs disturb least.
func BenchmarkChatInTurns(b *testing.B) {
	for _, recall := range []bool{false, true} {
		b.Run(fmt.Sprintf("recall=%t", recall), func(b *testing.B) {
			for b.Loop() {
				early, late := chatsInTurns(b, recall)
				early.report(b, "early")
				late.report(b, "late")
				b.ReportMetric(late.time/early.time, "late/early")
				b.ReportMetric(late.cpu/early.cpu, "cpu-late/early")
			}
		})
	}
}

// chatsInTurns talks in two chats from the beginnings of the two stretches to
// the end of both.
func chatsInTurns(tb testing.TB, recall bool) (early, late turnCost) {
	tb.Helper()
	young, old := openChat(tb, recall), openChat(tb, recall)
	defer young.close()
	defer old.close()
	young.talk(earlyFrom)
	old.talk(lateFrom)
	for n := 0; young.turns < earlyTo; n++ {
		pair := []*longTalk{young, old}
		if n%2 == 1 { // neither is always the first
			slices.Reverse(pair)
		}
		for _, c := range pair {
			c.talk(c.turns + 2)
		}
	}
	return young.cost(earlyFrom, earlyTo), old.cost(lateFrom, chatTurns)
}

// turnCost are the medians of what a turn costs.
type turnCost struct {
	time, cpu float64 // nanoseconds; cpu is that of the whole process
	allocs    float64 // objects
	calls     int     // of ledger and memory, in all turns
}

func (c turnCost) report(b *testing.B, stretch string) {
	b.ReportMetric(c.time, stretch+"-ns/turn")
	b.ReportMetric(c.cpu, "cpu-"+stretch+"-ns/turn")
	b.ReportMetric(c.allocs, stretch+"-allocs/turn")
}

// chatFigures are what a long chat measured.
type chatFigures struct {
	perSecond   float64
	early, late turnCost
	// heapEarly and heapLate are the live heap at turn 1,000 and at the end,
	// rss the resident memory at the end, in MB.
	heapEarly, heapLate, rss float64
	// cpu is the processor time of a turn, all included: unlike the others it
	// says little of what else runs on the machine.
	cpu         time.Duration
	compactions int
	facts       int64
}

func longChat(tb testing.TB, recall bool) (f chatFigures) {
	tb.Helper()
	c := openChat(tb, recall)
	defer c.close()
	began, worked := time.Now(), processorTime()
	c.talk(earlyTo)
	took := time.Since(began)
	f.heapEarly = liveHeap()
	began = time.Now()
	c.talk(chatTurns)
	took += time.Since(began)
	f.perSecond, f.cpu = chatTurns/took.Seconds(), (processorTime()-worked)/chatTurns
	f.early, f.late = c.cost(earlyFrom, earlyTo), c.cost(lateFrom, chatTurns)
	f.compactions = c.compactions
	stats, err := c.mem.Stats(context.Background(), strata.Global().View())
	if err != nil {
		tb.Fatal(err)
	}
	f.facts = stats[0].Facts
	f.heapLate, f.rss = liveHeap(), float64(bench.AnonymousMemory())/(1<<20)
	return f
}

// longTalk is a long chat under way.
type longTalk struct {
	testing.TB
	mem         *engine.Engine
	mgr         *contextmgr.Manager
	counted     *countedTalk
	turns       int
	spent       []turnCost // one of each message of the user and its answer
	compactions int
}

func openChat(tb testing.TB, recall bool) *longTalk {
	tb.Helper()
	ctx := context.Background()
	opened, err := local.Open(ctx, filepath.Join(tb.TempDir(), "home"))
	if err != nil {
		tb.Fatal(err)
	}
	mem := opened.Engine()
	talk, err := mem.Talk(ctx, sessions.Options{Session: "long"})
	if err != nil {
		tb.Fatal(err)
	}
	c := &longTalk{TB: tb, mem: mem, counted: &countedTalk{Conversation: talk}}
	c.mgr, err = contextmgr.New(ctx, contextmgr.Options{
		Model: instant{}, Window: 8192, System: "You are a helpful assistant.", Snapshot: talk.Snapshot().Text,
		Ledger: c.counted, Memory: c.counted, NoRecall: !recall,
		OnEvent: func(e contextmgr.Event) {
			switch e := e.(type) {
			case contextmgr.Compacted:
				c.compactions++
			case contextmgr.FellBack:
				tb.Errorf("%s fell back to %s: %s", e.What, e.To, e.Why)
			}
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func (c *longTalk) close() {
	if err := c.mem.Close(); err != nil {
		c.Error(err)
	}
}

// talk goes on until the chat has so many turns.
func (c *longTalk) talk(turns int) {
	c.Helper()
	ctx := context.Background()
	for ; c.turns < turns; c.turns += 2 {
		said := question(c.turns / 2)
		calls, allocs, cpu, began := c.counted.calls, allocated(), processorTime(), time.Now()
		if _, err := c.mgr.Send(ctx, said); err != nil {
			c.Fatal(err)
		}
		took := time.Since(began)
		c.spent = append(c.spent, turnCost{
			time: float64(took.Nanoseconds()) / 2, cpu: float64((processorTime() - cpu).Nanoseconds()) / 2,
			allocs: float64(allocated()-allocs) / 2, calls: c.counted.calls - calls,
		})
	}
}

// cost is what a turn cost between two turns.
func (c *longTalk) cost(from, to int) (out turnCost) {
	spent := c.spent[from/2 : to/2]
	of := func(part func(turnCost) float64) float64 {
		list := make([]float64, len(spent))
		for i, s := range spent {
			list[i] = part(s)
		}
		slices.Sort(list)
		return list[len(list)/2]
	}
	for _, s := range spent {
		out.calls += s.calls
	}
	out.time = of(func(s turnCost) float64 { return s.time })
	out.cpu = of(func(s turnCost) float64 { return s.cpu })
	out.allocs = of(func(s turnCost) float64 { return s.allocs })
	return out
}

// countedTalk counts the calls of a conversation, each of which is at least one
// transaction of the store.
type countedTalk struct {
	*engine.Conversation
	calls int
}

func (c *countedTalk) Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	c.calls++
	return c.Conversation.Append(ctx, turns)
}

func (c *countedTalk) AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error) {
	c.calls++
	return c.Conversation.AppendWithState(ctx, turns, state)
}

func (c *countedTalk) Turns(ctx context.Context, after int64, limit int) ([]strata.Turn, error) {
	c.calls++
	return c.Conversation.Turns(ctx, after, limit)
}

func (c *countedTalk) SaveState(ctx context.Context, state []byte) error {
	c.calls++
	return c.Conversation.SaveState(ctx, state)
}

func (c *countedTalk) Save(ctx context.Context, cs []strata.Candidate) ([]strata.Decision, error) {
	c.calls++
	return c.Conversation.Save(ctx, cs)
}

func (c *countedTalk) Recall(ctx context.Context, r contextmgr.RecallRequest) ([]strata.Hit, error) {
	c.calls++
	return c.Conversation.Recall(ctx, r)
}

// A chat of 5,000 turns takes no more memory than one of 1,000, and a turn no
// more calls of the store. How many objects a turn makes is told and not judged:
// what follows in the background counts too, whenever it runs.
func TestALongChatStaysFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("a long chat")
	}
	for _, recall := range []bool{false, true} {
		t.Run(fmt.Sprintf("recall=%t", recall), func(t *testing.T) {
			c := longChat(t, recall)
			t.Logf("heap %.1f MB at turn 1,000 and %.1f at the end, %d compactions; early %d calls and %.0f objects a turn, late %d and %.0f",
				c.heapEarly, c.heapLate, c.compactions, c.early.calls, c.early.allocs, c.late.calls, c.late.allocs)
			// Prepared statements and the cache of term counts fill up meanwhile.
			if c.heapLate > c.heapEarly+8 {
				t.Errorf("the heap grew from %.1f to %.1f MB", c.heapEarly, c.heapLate)
			}
			// A window of 8,192 holds some 110 of these turns, 54 with what is
			// recalled for them, and keeps half: 5,000 turns fill it 185 times.
			if c.compactions < 25 || c.compactions > 185 {
				t.Errorf("%d compactions", c.compactions)
			}
			if float64(c.late.calls) > 1.2*float64(c.early.calls) {
				t.Errorf("%d calls early, %d late", c.early.calls, c.late.calls)
			}
		})
	}
}

// people and places make the messages of the chat differ.
var (
	people = strings.Fields("Amira Bjorn Chiara Dmitri Esther Farid Greta Hugo Ingrid Jamal Keiko Lorenzo Malika Noor Oskar Priya")
	places = strings.Fields("Bergen Lisbon Nairobi Oaxaca Tromso Utrecht Valencia Windhoek Xiamen Yerevan Zagreb Porto Quito Riga")
	things = strings.Fields("ferry ledger pump harvest turbine archive lantern orchard printer bridge kiln sensor violin quarry")
)

// question is the n-th message of the user.
func question(n int) string {
	who, where, what := people[n%len(people)], places[n*7%len(places)], things[n*11%len(things)]
	switch {
	case n%16 == 0: // a fact
		return fmt.Sprintf("%s moved the %s to %s on day %d, because the old place was too damp. Where should the spare parts go now?", who, what, where, n)
	case n%4 == 1:
		return fmt.Sprintf("The %s in %s failed again at step %d. %s looked at the log and saw a timeout after 30 seconds, then a retry that worked. What do you make of it?", what, where, n, who)
	case n%4 == 2:
		return fmt.Sprintf("My colleague %s prefers the %s from %s. Please plan the visit number %d so that we see both, and keep it short.", who, what, where, n)
	}
	return fmt.Sprintf("What did we say about the %s in %s?", what, where)
}

// instant is a model that answers at once, and honestly where it is to extract
// or to summarize.
type instant struct{}

func (instant) Model() string { return "instant" }

func (instant) Chat(_ context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	last := req.Messages[len(req.Messages)-1].Text
	size := 0
	for _, m := range req.Messages {
		size += len(m.Text)
	}
	var text string
	switch {
	case req.Schema != nil:
		text = factsOf(last)
	case strings.HasPrefix(req.Messages[0].Text, "You shorten"):
		text = summaryOf(last)
	default:
		words := strings.Fields(last)
		text = fmt.Sprintf("Noted. Of %d words the most telling are %s. I would begin with the first point, then check the second, and report what I found by the end of the day.",
			len(words), strings.Join(words[:min(len(words), 12)], " "))
	}
	var out llm.Reply
	out.Message.Role, out.Message.Text, out.Stop = "assistant", text, llm.StopEnd
	out.Usage = llm.Usage{Prompt: size / 4, Completion: len(text) / 4}
	return out, nil
}

// factsOf are the moves that the material tells, as the schema wants them.
func factsOf(material string) string {
	operations := []map[string]any{}
	for line := range strings.Lines(material) {
		number, rest, _ := strings.Cut(strings.TrimPrefix(line, "["), "] user: ")
		said, _, ok := strings.Cut(rest, ", because")
		if seq, err := strconv.ParseInt(number, 10, 64); ok && err == nil && len(operations) < 60 {
			operations = append(operations, map[string]any{
				"op": "add", "fact": 0, "text": said + ".", "type": "project", "turn": seq, "quote": said,
			})
		}
	}
	out, err := json.Marshal(map[string]any{"operations": operations})
	if err != nil {
		return ""
	}
	return string(out)
}

// summaryOf is the beginning of every few lines of the material.
func summaryOf(material string) string {
	var out strings.Builder
	n := 0
	for line := range strings.Lines(material) {
		if n++; n%4 == 0 && out.Len() < 1200 {
			out.WriteString(line[:min(len(line), 100)] + "\n")
		}
	}
	return out.String()
}

// allocated is how many objects the process has made.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// processorTime is what the process has used of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// liveHeap is the heap that is in use, in MB.
func liveHeap() float64 {
	runtime.GC()
	runtime.GC() // the first one leaves what finalizers held
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return float64(s.HeapAlloc) / (1 << 20)
}
