package contextmgr

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/prompt"
	"github.com/strata-memory/strata/llm"
)

// slowHelper is a small model whose calls wait until they are let go, or for good.
type slowHelper struct {
	asked chan struct{} // a call has come
	let   chan struct{} // closed: calls are answered
	calls atomic.Int64
	junk  atomic.Bool
}

func newSlowHelper() *slowHelper {
	return &slowHelper{asked: make(chan struct{}, 1000), let: make(chan struct{})}
}

func (s *slowHelper) Model() string { return "slow" }

func (s *slowHelper) Chat(ctx context.Context, req llm.Request, _ func(llm.Delta) error) (llm.Reply, error) {
	s.calls.Add(1)
	s.asked <- struct{}{}
	select {
	case <-s.let:
	case <-ctx.Done():
		return llm.Reply{}, ctx.Err()
	}
	answer := honestSummary
	if req.Messages[0].Text == prompt.Instructions() {
		answer = honestExtract
	}
	if s.junk.Load() {
		return reply("I cannot help with that."), nil
	}
	text, err := answer(ctx, req.Messages[1].Text)
	return reply(text), err
}

// beside is a conversation whose helper works beside it.
func beside(t *testing.T, s *slowHelper, change func(*Options)) *harness {
	return open(t, func(o *Options) {
		o.Small, o.Background = s, true
		if change != nil {
			change(o)
		}
	})
}

// settled waits until the work under way is done; the next request takes it over.
func (h *harness) settled() {
	if h.job != nil {
		<-h.job.done
	}
}

// A message that triggered a flush or a compaction waited for every call of the helper.
// Here no call ever ends while the conversation goes on: were there any wait, the test
// would hang.
func TestNoMessageWaitsForTheHelper(t *testing.T) {
	s := newSlowHelper()
	h := beside(t, s, func(o *Options) { o.Window = 8192 })
	for range 220 {
		h.send("My cat's name is Marlin. " + strings.Repeat("More words. ", 12))
		checkAllTold(t, h)
	}
	if len(all[FlushFinished](h)) == 0 || len(all[Compacted](h)) < 2 {
		t.Fatalf("%d flushes and %d compactions", len(all[FlushFinished](h)), len(all[Compacted](h)))
	}
	<-s.asked
	if n := s.calls.Load(); n != 1 {
		t.Errorf("%d calls are under way", n)
	}
	if covered := h.Usage().Covered; covered == 0 || h.cursor < covered {
		t.Errorf("turns up to %d left the window, facts are saved up to %d", covered, h.cursor)
	}
	if !slices.ContainsFunc(h.memory.texts(), func(s string) bool { return strings.Contains(s, "Marlin") }) {
		t.Errorf("rules have saved %q", h.memory.texts())
	}

	close(s.let) // now the helper has answered
	for range 50 {
		h.settled()
		h.prompt()
		if h.job == nil && h.draft == nil && h.readTo == h.cursor {
			break
		}
	}
	if h.draft != nil || h.readTo < h.cursor {
		t.Errorf("the model has read up to %d of %d; a summary is wanted: %t", h.readTo, h.cursor, h.draft != nil)
	}
	if len(all[Summarized](h)) == 0 || !strings.HasPrefix(h.summary, "They spoke of") {
		t.Errorf("the extract stayed: %q", h.summary)
	}
	if text := shown(h.prompt()); !strings.Contains(text, "They spoke of") {
		t.Errorf("the summary is not shown:\n%s", text)
	}
	reads := all[Read](h)
	if len(reads) == 0 || reads[0].From != 1 {
		t.Errorf("read %+v", reads)
	}
	checkAllTold(t, h)
}

// checkAllTold fails the test unless the window tells every turn once.
func checkAllTold(t *testing.T, h *harness) {
	t.Helper()
	c := &conversation{harness: h, want: h.ledger.turns}
	if err := c.checkWindow(); err != nil {
		t.Fatal(err)
	}
}

// What the helper was at when the process ended is read after a restart, and a flush
// waits for it.
func TestTheHelperGoesOnAfterARestart(t *testing.T) {
	s := newSlowHelper()
	h := beside(t, s, nil)
	for len(all[FlushFinished](h)) == 0 {
		h.send("My cat's name is Marlin. " + strings.Repeat("More words. ", 12))
	}
	<-s.asked
	h.drop()
	h.restart()
	if h.readTo >= h.cursor {
		t.Fatalf("after the restart turn %d of %d counts as read", h.readTo, h.cursor)
	}
	close(s.let)
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if last := h.Usage().Last; h.cursor != last || h.readTo != last {
		t.Errorf("saved up to turn %d, read up to %d, of %d", h.cursor, h.readTo, last)
	}
	if !slices.Contains(h.memory.texts(), "User's cat's name is Marlin.") {
		t.Errorf("saved %q", h.memory.texts())
	}
}

func TestAFlushWaitsNoLongerThanItsCaller(t *testing.T) {
	h := beside(t, newSlowHelper(), nil)
	h.chatter(3)
	stopped, stop := context.WithCancel(ctx)
	h.opt.spawn = func(work func()) { go work(); stop() }
	h.restart()
	if err := h.Flush(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("the flush ended with %v", err)
	}
	if h.cursor != 6 {
		t.Errorf("facts are saved up to turn %d", h.cursor)
	}
	h.drop()
}

// Memory that refuses what the model found takes it later.
func TestFactsOfTheHelperWaitForMemory(t *testing.T) {
	s := newSlowHelper()
	close(s.let)
	h := beside(t, s, func(o *Options) { o.spawn = func(work func()) { work() } })
	for len(all[FlushFinished](h)) == 0 {
		h.send("My cat's name is Marlin. " + strings.Repeat("More words. ", 12))
	}
	h.memory.effect = func(string) error { return errors.New("the memory is busy") }
	h.send("And now?")
	if slices.Contains(h.memory.texts(), "User's cat's name is Marlin.") {
		t.Fatal("a busy memory has saved")
	}
	h.memory.effect = nil
	h.restart()
	h.send("And now?")
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(h.memory.texts(), "User's cat's name is Marlin.") {
		t.Errorf("saved %q", h.memory.texts())
	}
}

// What was forgotten while the helper read it is not saved.
func TestWhatIsForgottenMeanwhileIsNotSaved(t *testing.T) {
	s := newSlowHelper()
	ledger := &forgettingLedger{}
	h := beside(t, s, nil)
	ledger.fakeLedger = h.ledger
	h.opt.Ledger = ledger
	h.restart()
	for len(all[FlushFinished](h)) == 0 {
		h.send("My cat's name is Marlin. " + strings.Repeat("More words. ", 12))
	}
	<-s.asked
	for i := range h.ledger.turns {
		h.ledger.turns[i].Text, h.ledger.turns[i].Forgotten = "", true
	}
	ledger.forgot = true
	job := h.job
	saved := len(h.memory.saved)
	close(s.let)
	<-job.done
	h.send("And now?")
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if n := len(h.memory.saved); n != saved {
		t.Errorf("saved after it was forgotten: %q", h.memory.texts()[saved:])
	}
}

// forgettingLedger is a ledger of which something was forgotten.
type forgettingLedger struct {
	*fakeLedger
	forgot bool
}

func (l *forgettingLedger) Forgot(context.Context) (before, after string, forgot bool, err error) {
	forgot, l.forgot = l.forgot, false
	return "", "", forgot, nil
}

// A helper that answers junk was asked again in every cycle.
func TestAHelperThatAnswersJunkIsLeftAlone(t *testing.T) {
	for _, background := range []bool{false, true} {
		s := newSlowHelper()
		s.junk.Store(true)
		close(s.let)
		var now atomic.Int64 // seconds
		h := beside(t, s, func(o *Options) {
			o.Background, o.spawn = background, func(work func()) { work() }
			o.Now = func() time.Time { return clock().Add(time.Duration(now.Load()) * time.Second) }
		})
		say := func() {
			h.send("My cat's name is Marlin. " + strings.Repeat("More words. ", 12))
			if err := h.Flush(ctx); err != nil {
				t.Fatal(err)
			}
		}
		for len(all[Rests](h)) == 0 {
			say()
		}
		rest := all[Rests](h)[0]
		if rest.Model != "slow" || rest.Why == "" || !rest.Until.Equal(clock().Add(firstRest)) {
			t.Errorf("%+v", rest)
		}
		if u := h.Usage(); !u.Rests.Equal(rest.Until) || u.Why != rest.Why {
			t.Errorf("the usage says it rests until %s, for %q", u.Rests, u.Why)
		}
		calls := s.calls.Load()
		for range 20 {
			say()
		}
		if n := s.calls.Load(); n != calls {
			t.Errorf("background %t: asked %d times while it should rest", background, n-calls)
		}
		now.Add(int64(firstRest/time.Second) + 1)
		say()
		if n := s.calls.Load() - calls; n == 0 || n > 2 {
			t.Errorf("background %t: asked %d times after its rest; one answer has two calls", background, n)
		}
		if until := h.Usage().Rests; !until.Equal(h.opt.Now().Add(2 * firstRest)) {
			t.Errorf("the second rest lasts until %s", until)
		}
		now.Add(int64(2*firstRest/time.Second) + 1)
		s.junk.Store(false)
		say()
		if got := all[Resumed](h); len(got) != 1 || !h.Usage().Rests.IsZero() {
			t.Errorf("background %t: resumed %v, rests until %s", background, got, h.Usage().Rests)
		}
		if h.cursor != h.Usage().Last {
			t.Errorf("facts are saved up to turn %d of %d", h.cursor, h.Usage().Last)
		}
	}
}

// A rest does not grow without end, and one good answer ends the counting.
func TestRestsAreBounded(t *testing.T) {
	now := clock()
	b := &breaker{now: func() time.Time { return now }}
	bad := &strata.Error{Code: strata.CodeCorrupt, Message: "junk"}
	for range 40 {
		b.record(bad)
	}
	if until, why := b.resting(); !until.Equal(now.Add(longestRest)) || !strings.Contains(why, "junk") {
		t.Errorf("rests until %s for %q", until, why)
	}
	b.record(nil)
	for range breakAfter - 1 {
		b.record(bad)
	}
	if b.open() {
		t.Error("rests before enough answers in a row were useless")
	}
}
