package bench_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/contextmgr"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/local"
)

// chatTurns is the length of a long chat, in messages.
const chatTurns = 5000

// A chat of 5,000 turns in a window of 8,192 tokens, with the embedded memory
// as ledger and memory and a model that answers at once.
func BenchmarkChat(b *testing.B) {
	for _, recall := range []bool{false, true} {
		b.Run(fmt.Sprintf("recall=%t", recall), func(b *testing.B) {
			for b.Loop() {
				c := longChat(b, recall)
				b.ReportMetric(c.perSecond, "turns/s")
				b.ReportMetric(float64(c.cpu.Nanoseconds()), "cpu-ns/turn")
				b.ReportMetric(float64(c.early.Nanoseconds()), "early-ns/turn")
				b.ReportMetric(float64(c.late.Nanoseconds()), "late-ns/turn")
				b.ReportMetric(float64(c.late)/float64(c.early), "late/early")
				b.ReportMetric(c.heapEarly, "heap-MB-at-1000")
				b.ReportMetric(c.heapLate, "heap-MB-at-5000")
				b.ReportMetric(c.rss, "rss-MiB")
				b.ReportMetric(float64(c.compactions), "compactions")
				b.ReportMetric(float64(c.facts), "facts")
			}
		})
	}
}

// chatFigures are what a long chat measured.
type chatFigures struct {
	perSecond float64
	// early and late are the median times of a turn: of the turns 500 to 1,000
	// and of the last 500.
	early, late time.Duration
	// heapEarly and heapLate are the live heap at turn 1,000 and at the end,
	// rss the resident memory at the end, in MB.
	heapEarly, heapLate, rss float64
	// cpu is the processor time of a turn: unlike the others it says little of
	// what else runs on the machine.
	cpu                   time.Duration
	compactions, recalled int
	facts                 int64
	// callsEarly and callsLate are the calls of ledger and memory in the turns
	// 500 to 1,000 and in the last 500.
	callsEarly, callsLate int
}

func longChat(tb testing.TB, recall bool) chatFigures {
	tb.Helper()
	ctx := context.Background()
	mem, err := local.Open(ctx, filepath.Join(tb.TempDir(), "home"))
	if err != nil {
		tb.Fatal(err)
	}
	defer mem.Close()
	talk, err := mem.Talk(ctx, engine.TalkOptions{Session: "long"})
	if err != nil {
		tb.Fatal(err)
	}
	var c chatFigures
	counted := &countedTalk{Conversation: talk}
	mgr, err := contextmgr.New(ctx, contextmgr.Options{
		Model: instant{}, Window: 8192, System: "You are a helpful assistant.", Snapshot: talk.Snapshot().Text,
		Ledger: counted, Memory: counted, NoRecall: !recall,
		OnEvent: func(e contextmgr.Event) {
			switch e := e.(type) {
			case contextmgr.Compacted:
				c.compactions++
			case contextmgr.Recalled:
				c.recalled++
			case contextmgr.FellBack:
				tb.Errorf("%s fell back to %s: %s", e.What, e.To, e.Why)
			}
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	took := make([]time.Duration, 0, chatTurns/2)
	var apart time.Duration // spent on measuring
	start, worked := time.Now(), processorTime()
	for n := range chatTurns / 2 {
		said := question(n)
		begin := time.Now()
		if _, err := mgr.Send(ctx, said); err != nil {
			tb.Fatal(err)
		}
		took = append(took, time.Since(begin)/2)
		switch n + 1 {
		case 250, chatTurns/2 - 250:
			counted.calls = 0
		case 500:
			c.callsEarly = counted.calls
		case chatTurns / 2:
			c.callsLate = counted.calls
		}
		if n == 500 {
			begin := time.Now()
			c.heapEarly = liveHeap()
			apart += time.Since(begin)
		}
	}
	c.perSecond = chatTurns / (time.Since(start) - apart).Seconds()
	c.cpu = (processorTime() - worked) / chatTurns
	c.early, c.late = middle(took[250:500]), middle(took[len(took)-250:])
	stats, err := mem.Stats(ctx, strata.Global().View())
	if err != nil {
		tb.Fatal(err)
	}
	c.facts = stats[0].Facts
	c.heapLate, c.rss = liveHeap(), float64(resident(tb))/(1<<20)
	return c
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

// A chat of 5,000 turns takes no more memory than one of 1,000, and no more
// calls of the store for a turn.
func TestALongChatStaysFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("a long chat")
	}
	c := longChat(t, false)
	t.Logf("heap %.1f MB at turn 1,000 and %.1f at the end, %d compactions, %d calls early and %d late",
		c.heapEarly, c.heapLate, c.compactions, c.callsEarly, c.callsLate)
	// Prepared statements and the cache of term counts fill up meanwhile.
	if c.heapLate > c.heapEarly+8 {
		t.Errorf("the heap grew from %.1f to %.1f MB", c.heapEarly, c.heapLate)
	}
	// A window of 8,192 holds some 110 of these turns, and keeps half.
	if c.compactions < 25 || c.compactions > 100 {
		t.Errorf("%d compactions", c.compactions)
	}
	if float64(c.callsLate) > 1.2*float64(c.callsEarly) {
		t.Errorf("%d calls early, %d late", c.callsEarly, c.callsLate)
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
	type fact struct {
		Text  string  `json:"text"`
		Type  string  `json:"type"`
		Turns []int64 `json:"turns"`
	}
	facts := []fact{}
	for line := range strings.Lines(material) {
		number, rest, _ := strings.Cut(strings.TrimPrefix(line, "["), "] user: ")
		said, _, ok := strings.Cut(rest, ", because")
		if seq, err := strconv.ParseInt(number, 10, 64); ok && err == nil && len(facts) < 60 {
			facts = append(facts, fact{Text: said + ".", Type: "project", Turns: []int64{seq}})
		}
	}
	out, err := json.Marshal(map[string]any{"facts": facts})
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

func middle(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2]
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
