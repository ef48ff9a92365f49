package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// reaper kills a conversation at its n-th effect, before or after it happens:
// from then on nothing reaches ledger or memory any more, as after kill -9.
type reaper struct {
	left  int
	after bool // the n-th effect happens, but nobody is told
	dead  bool
}

var errDead = errors.New("killed")

func (r *reaper) effect(string) error {
	if r.dead {
		return errDead
	}
	if r.left--; r.left == 0 && !r.after {
		r.dead = true
		return errDead
	}
	return nil
}

func (r *reaper) done(string) error {
	if r.left == 0 && r.after {
		r.dead = true
		return errDead
	}
	return nil
}

// killLedger is a ledger that also dies after its effects.
type killLedger struct {
	*fakeLedger
	reaper *reaper
}

func (l killLedger) Append(ctx context.Context, turns []strata.Turn) ([]strata.Turn, error) {
	kept, err := l.fakeLedger.Append(ctx, turns)
	if err == nil {
		err = l.reaper.done("append")
	}
	return kept, err
}

func (l killLedger) SaveState(ctx context.Context, state []byte) error {
	err := l.fakeLedger.SaveState(ctx, state)
	if err == nil {
		err = l.reaper.done("state")
	}
	return err
}

// TestKilledAtEveryEffect holds a conversation with flushes and compactions,
// kills it at each of its effects, restarts and goes on. Every turn must be
// there once, the window must tell all of them, and every fact must have been
// saved once, although the model words it differently each time.
func TestKilledAtEveryEffect(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		for _, recording := range []bool{false, true} {
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprintf("background=%t/recording=%t/after=%t", background, recording, after),
					func(t *testing.T) { killAtEach(t, background, recording, after) })
			}
		}
	}
}

func killAtEach(t *testing.T, background, recording, after bool) {
	const exchanges = 45
	n := 1
	for ; ; n++ {
		r := &reaper{left: n, after: after}
		h := killable(t, r, recording, background)
		talk(h, exchanges)
		if !r.dead {
			break // the whole conversation has fewer effects
		}
		before := len(h.ledger.turns)
		r.dead, r.left = false, -1
		h.restart()
		if len(h.ledger.turns) != before {
			t.Fatalf("kill %d: a restart wrote turns", n)
		}
		talk(h, exchanges)
		if err := h.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		if err := intact(h, exchanges); err != nil {
			t.Fatalf("killed at effect %d, after it: %v: %v", n, after, err)
		}
	}
	if n < 60 {
		t.Errorf("the conversation has %d effects only", n)
	}
}

// killable is a conversation with a model that never says the same fact twice
// in the same words.
func killable(t *testing.T, r *reaper, recording, background bool) *harness {
	h := open(t, func(o *Options) {
		o.Background, o.spawn = background, func(work func()) { work() }
	})
	h.ledger.effect, h.memory.effect, h.memory.after = r.effect, r.effect, r.done
	h.opt.Ledger = killLedger{h.ledger, r}
	if recording { // what is recalled is new in each state
		h.opt.Ledger = &recordingLedger{killLedger: killLedger{h.ledger, r}}
		h.memory.hits = oneHit
	}
	wording := 0
	h.model.extract = func(ctx context.Context, piece string) (string, error) {
		answer, err := honestExtract(ctx, piece)
		wording++
		return strings.ReplaceAll(answer, "name is", fmt.Sprintf("name (word%d) is", wording)), err
	}
	h.restart()
	return h
}

// talk goes on where the ledger stands, until something fails or all is said.
func talk(h *harness, exchanges int) {
	for {
		turns := len(h.ledger.turns)
		if turns == 2*exchanges {
			return
		}
		var err error
		if turns%2 == 0 {
			_, err = h.Send(ctx, fmt.Sprintf("My cat's name is Tom%d. %s", turns, strings.Repeat("And more words. ", 6)))
		} else {
			_, err = h.Continue(ctx)
		}
		if err != nil {
			return
		}
	}
}

var named = regexp.MustCompile(`Tom\d+`)

// intact reports a turn or a fact that is lost or there twice.
func intact(h *harness, exchanges int) error {
	if n := len(h.ledger.turns); n != 2*exchanges {
		return fmt.Errorf("%d turns", n)
	}
	next := int64(1)
	for _, it := range h.win.items {
		if it.from != next {
			return fmt.Errorf("the window tells turn %d after %d", it.from, next-1)
		}
		next = it.to + 1
	}
	if next != int64(2*exchanges)+1 {
		return fmt.Errorf("the window ends at turn %d", next-1)
	}
	facts := make(map[string]int)
	for _, text := range h.memory.texts() {
		facts[named.FindString(text)]++
	}
	for i := 0; i < 2*exchanges; i += 2 {
		if name := fmt.Sprintf("Tom%d", i); facts[name] != 1 {
			return fmt.Errorf("%s was saved %d times", name, facts[name])
		}
	}
	return nil
}

// TestKilledConversationLooksTheSame kills a conversation at each effect of one
// compaction and compares what the model would see: it is the conversation
// before the compaction, or after it.
func TestKilledConversationLooksTheSame(t *testing.T) {
	whole := open(t, nil)
	whole.chatter(23)
	before := render(whole.win.items)
	whole.prompt()
	after := render(whole.win.items)
	if slices.EqualFunc(before, after, sameMessage) {
		t.Fatal("nothing was compacted")
	}
	for n := 1; ; n++ {
		h := open(t, nil)
		h.chatter(23)
		r := &reaper{left: n}
		h.ledger.effect, h.memory.effect = r.effect, r.effect
		_, _ = h.Prompt(ctx)
		if !r.dead {
			if n < 3 {
				t.Errorf("a compaction with %d effects", n-1)
			}
			return
		}
		h.ledger.effect, h.memory.effect = nil, nil
		h.restart()
		got := render(h.win.items)
		if !slices.EqualFunc(got, before, sameMessage) && !slices.EqualFunc(got, after, sameMessage) {
			t.Errorf("killed at effect %d, the conversation is a third one", n)
		}
	}
}

// A ledger without room refuses the turn and leaves everything as it was.
func TestFullLedgerRefusesTheTurn(t *testing.T) {
	h := open(t, nil)
	h.chatter(3)
	before, usage := render(h.win.items), h.Usage()
	full := &strata.Error{Code: strata.CodeFull, Op: "append turns", Message: "no room on the disk"}
	h.ledger.effect = func(string) error { return full }
	if _, err := h.Send(ctx, "One more."); strata.CodeOf(err) != strata.CodeFull {
		t.Errorf("Send returns %v", err)
	}
	if err := h.Append(ctx, say(strata.RoleUser, "One more.")); strata.CodeOf(err) != strata.CodeFull {
		t.Errorf("Append returns %v", err)
	}
	if !slices.EqualFunc(before, render(h.win.items), sameMessage) || h.Usage() != usage {
		t.Error("the conversation changed")
	}
	h.ledger.effect = nil
	if r := h.send("Is there room again?"); r.Message.Text == "" {
		t.Error("no answer once there is room")
	}
}

// A state that cannot be saved is no reason to stop: the ledger has the turns.
func TestUnsavedStateIsNoLoss(t *testing.T) {
	h := open(t, nil)
	h.add(say(strata.RoleUser, "My cat's name is Whiskerino."))
	h.ledger.effect = func(name string) error {
		if name == "state" {
			return errors.New("no room")
		}
		return nil
	}
	h.chatter(25)
	h.prompt()
	if len(h.fallbacks("state")) == 0 || len(all[Compacted](h)) == 0 {
		t.Fatalf("events: %v", h.events)
	}
	if len(h.memory.saved) != 0 {
		t.Error("facts were saved that a restart would save again")
	}
	h.ledger.effect = nil
	h.restart()
	h.prompt()
	if len(h.memory.saved) != 1 {
		t.Errorf("saved %q", h.memory.texts())
	}
}

// The answer that could not be recorded is returned with the error.
func TestUnrecordedAnswerIsReturned(t *testing.T) {
	h := open(t, nil)
	n := 0
	h.ledger.effect = func(string) error {
		if n++; n == 2 {
			return &strata.Error{Code: strata.CodeFull, Message: "no room"}
		}
		return nil
	}
	r, err := h.Send(ctx, "Hello")
	if strata.CodeOf(err) != strata.CodeFull || r.Message.Text != "Understood." {
		t.Errorf("%q, %v", r.Message.Text, err)
	}
	if h.win.last() != 1 {
		t.Errorf("the window has %d turns", h.win.last())
	}
}

var _ llm.Chat = (*fakeModel)(nil)
