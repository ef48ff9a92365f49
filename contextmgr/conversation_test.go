package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// conversations is how many random conversations are held:
//
//	STRATA_CONVERSATIONS=10000 go test -run TestRandomConversations ./contextmgr
//
// Without it a hundred or so, fewer in short tests, so that every run of the tests holds some. A seed
// that failed is printed; STRATA_SEED=n holds that one alone.
func conversations(t *testing.T) (first, n uint64) {
	read := func(name string, value uint64) uint64 {
		text := os.Getenv(name)
		if text == "" {
			return value
		}
		v, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return v
	}
	if os.Getenv("STRATA_SEED") != "" {
		return read("STRATA_SEED", 0), 1
	}
	if testing.Short() {
		return 1, read("STRATA_CONVERSATIONS", 20)
	}
	return 1, read("STRATA_CONVERSATIONS", 120)
}

// TestRandomConversations holds conversations of 1 to 400 turns with random
// roles, sizes, groups of tool calls, images, restarts and failures of model
// and memory, and checks after each request that it fits and is valid, that the
// window tells every turn exactly once, and that the prefix is stable; and at
// the end that every turn can be reopened and every fact was saved.
func TestRandomConversations(t *testing.T) {
	t.Parallel()
	first, n := conversations(t)
	var sum counts
	for seed := first; seed < first+n; seed++ {
		c := newConversation(t, seed)
		if err := c.run(); err != nil {
			t.Fatalf("STRATA_SEED=%d: %v", seed, err)
		}
		sum.add(c.counts)
	}
	t.Logf("%d conversations from seed %d: %+v", n, first, sum)
	if n >= 100 && (sum.Compactions == 0 || sum.Stubs == 0 || sum.Prunes == 0 || sum.Restarts == 0 || sum.Fallbacks == 0 || sum.Facts == 0 ||
		sum.Readings == 0 || sum.Summaries == 0 || sum.Rests == 0) {
		t.Errorf("the conversations do not reach every measure: %+v", sum)
	}
}

// counts are what happened, so that a test that reaches nothing is seen.
type counts struct{ Turns, Requests, Flushes, Compactions, Stubs, Prunes, Warnings, Fallbacks, Restarts, Facts, Readings, Summaries, Rests int }

func (a *counts) add(b counts) {
	a.Turns += b.Turns
	a.Requests += b.Requests
	a.Flushes += b.Flushes
	a.Compactions += b.Compactions
	a.Stubs += b.Stubs
	a.Prunes += b.Prunes
	a.Warnings += b.Warnings
	a.Fallbacks += b.Fallbacks
	a.Restarts += b.Restarts
	a.Facts += b.Facts
	a.Readings += b.Readings
	a.Summaries += b.Summaries
	a.Rests += b.Rests
}

// conversation is one random conversation.
type conversation struct {
	*harness
	rng  *rand.Rand
	want []strata.Turn // what was appended, by Seq
	said map[int64]string
	counts
	before  []llm.Message // of the last request
	changed bool          // the window was changed since
	// shownGeneration is the snapshot's of the last request.
	shownGeneration int
	compacted       int64
	broken          error    // found in an event
	work            []func() // of the background, not done yet
	inline          bool     // it is done at once
}

func newConversation(t *testing.T, seed uint64) *conversation {
	c := &conversation{rng: rand.New(rand.NewPCG(seed, 1)), said: make(map[int64]string)}
	sizes := []int{1280, 2048, 4096, 8192, 8192, 16384}
	c.harness = open(t, func(o *Options) {
		o.Window = sizes[c.rng.IntN(len(sizes))]
		o.System = strings.Repeat("Be kind. ", c.rng.IntN(20))
		o.Snapshot = strings.Repeat("- a line of the snapshot\n", c.rng.IntN(120))
		o.Tools = []llm.Tool{{Name: "look", Description: "looks something up", Parameters: []byte(`{"type":"object"}`)}}
		o.MaxCalls = 1 + c.rng.IntN(24)
		o.Background = c.rng.IntN(2) == 0
		o.spawn = c.spawn
		if c.rng.IntN(8) == 0 {
			o.Model = nil
		}
	})
	c.opt.OnEvent = c.event
	c.restart()
	c.memory.hits = c.hits
	c.model.extract = func(ctx context.Context, piece string) (string, error) {
		return c.answer(ctx, piece, honestExtract)
	}
	c.model.summarize = func(ctx context.Context, material string) (string, error) {
		return c.answer(ctx, material, honestSummary)
	}
	c.memory.effect = func(string) error {
		if c.rng.IntN(10) == 0 {
			return errors.New("the memory is busy")
		}
		return nil
	}
	return c
}

// spawn has the background work when the conversation likes.
func (c *conversation) spawn(work func()) {
	if c.inline {
		work()
		return
	}
	c.work = append(c.work, work)
}

// catchUp does what the background has to do.
func (c *conversation) catchUp() {
	for _, work := range c.work {
		work()
	}
	c.work = nil
}

// answer is the honest one, or one of the ways in which models fail.
func (c *conversation) answer(ctx context.Context, material string, honest func(context.Context, string) (string, error)) (string, error) {
	switch c.rng.IntN(20) {
	case 0:
		return "", errDown
	case 1:
		return "I'm sorry, but I cannot help with that request.", nil
	case 2:
		return "xq zzkw " + strings.Repeat("blorp ", c.rng.IntN(400)), nil
	case 3:
		return prompt.Instructions() + promptSummarize, nil
	case 4:
		return material + material, nil
	case 5:
		return `{"operations": [{"op": "add", "fact": 0, "text": "John Doe likes invented things", "type": "user", "turn": 1, "quote": "invented things"}]}`, nil
	case 6:
		return "", nil
	case 7:
		return `{"operations": [`, nil
	}
	return honest(ctx, material)
}

func (c *conversation) hits(r RecallRequest) ([]strata.Hit, error) {
	if c.rng.IntN(6) == 0 {
		return nil, errors.New("the memory does not answer")
	}
	var out []strata.Hit
	for range c.rng.IntN(4) {
		id := fmt.Sprintf("fact_%d", c.rng.IntN(50))
		out = append(out, strata.Hit{ID: id, Text: strings.Repeat("A memory of old. ", 1+c.rng.IntN(40))})
	}
	return out, nil
}

// event counts, and checks what only an event tells.
func (c *conversation) event(e Event) {
	switch e := e.(type) {
	case FlushStarted:
		c.Flushes++
	case CompactionStarted:
		if last := c.win.last(); last <= c.compacted && c.broken == nil {
			c.broken = fmt.Errorf("a second compaction at turn %d without a new one", last)
		} else {
			c.compacted = last
		}
	case Compacted:
		c.Compactions++
		c.changed = true
		if e.Freed < mustFree && c.broken == nil {
			c.broken = fmt.Errorf("a compaction freed %.3f", e.Freed)
		}
	case Stubbed:
		c.Stubs++
		c.changed = true
	case Pruned:
		c.Prunes++
		c.changed = true
	case SnapshotCut:
		c.changed = true
	case Summarized:
		c.Summaries++
		c.changed = true
	case Read:
		c.Readings++
	case Rests:
		c.Rests++
	case Warned:
		c.Warnings++
	case FellBack:
		c.Fallbacks++
	}
}

func (c *conversation) run() error {
	for n := 1 + c.rng.IntN(400); len(c.want) < n; {
		if err := c.step(n - len(c.want)); err != nil {
			return err
		}
		if c.broken != nil {
			return c.broken
		}
	}
	return c.finish()
}

// step appends a group of turns and asks for a request, or restarts.
func (c *conversation) step(left int) error {
	if c.rng.IntN(40) == 0 {
		c.work = nil
		return c.reopenSame()
	}
	if c.rng.IntN(3) == 0 {
		c.catchUp()
	}
	group := c.group()
	group = group[:min(len(group), left)]
	if err := c.Append(context.Background(), group...); err != nil {
		return err
	}
	for _, t := range group {
		c.want = append(c.want, t)
		if strings.HasPrefix(t.Text, "My ") {
			c.said[int64(len(c.want))] = t.Text
		}
	}
	c.Turns += len(group)
	if c.rng.IntN(10) == 0 {
		c.SetSnapshot(strings.Repeat("- another line\n", c.rng.IntN(200)))
	}
	if c.rng.IntN(4) == 0 {
		return nil // several appends before the next request
	}
	req, err := c.Prompt(context.Background())
	if err != nil {
		return err
	}
	c.Requests++
	if err := c.check(req); err != nil {
		return fmt.Errorf("turn %d: %w", len(c.want), err)
	}
	switch n := c.rng.IntN(200); {
	case n < 6:
		c.Observe(context.Background(), llm.Usage{Prompt: c.meter.request(req) * (60 + c.rng.IntN(120)) / 100})
		c.changed = true
	case n == 6:
		if req, err = c.Refused(context.Background()); err != nil {
			return err
		}
		c.changed = true
		return c.check(req)
	case n < 14:
		again, err := c.Prompt(context.Background())
		if err != nil {
			return err
		}
		if !slices.EqualFunc(req.Messages, again.Messages, sameMessage) {
			return errors.New("the same request twice differs")
		}
	}
	return nil
}

// group is what one party says, or an assistant's calls with their results,
// some of them missing, doubled or without a call.
func (c *conversation) group() []strata.Turn {
	switch c.rng.IntN(10) {
	case 0, 1, 2:
		if c.rng.IntN(3) == 0 {
			text := fmt.Sprintf("My cat's name is Marlin%d. %s", len(c.want), c.words())
			return []strata.Turn{say(strata.RoleUser, text)}
		}
		t := say(strata.RoleUser, "u "+c.words())
		if c.rng.IntN(6) == 0 {
			t.Images = []strata.Image{{MediaType: "image/webp", Data: []byte("not really")}}
		}
		return []strata.Turn{t}
	case 3, 4, 5:
		return []strata.Turn{say(strata.RoleAssistant, "a "+c.words())}
	case 6:
		return []strata.Turn{say(strata.RoleSystem, "s "+c.words())}
	case 7:
		return []strata.Turn{{Role: strata.RoleTool, Text: c.words(), CallID: "lost", Tool: "look"}}
	}
	caller := strata.Turn{Role: strata.RoleAssistant}
	var results []strata.Turn
	for i := range 1 + c.rng.IntN(4) {
		call := strata.ToolCall{ID: fmt.Sprintf("call%d", i), Name: "look", Arguments: `{"q":"` + strings.Repeat("x", c.rng.IntN(200)) + `"}`}
		if c.rng.IntN(5) == 0 {
			call.ID = ""
		}
		caller.Calls = append(caller.Calls, call)
		for range []int{1, 1, 1, 1, 1, 1, 1, 0, 2}[c.rng.IntN(9)] {
			results = append(results, strata.Turn{Role: strata.RoleTool, Text: c.words(), CallID: call.ID, Tool: call.Name, Failed: c.rng.IntN(9) == 0})
		}
	}
	return append([]strata.Turn{caller}, results...)
}

// words is a text of a random size, now and then larger than the window.
func (c *conversation) words() string {
	n := c.rng.IntN(40)
	switch c.rng.IntN(80) {
	case 0:
		n = c.opt.Window * (1 + c.rng.IntN(3)) / 3
	case 1, 2, 3, 4:
		n = c.opt.Window / 12
	}
	return strings.Repeat("some words ", n) + "end"
}
