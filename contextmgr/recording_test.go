package contextmgr

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// recordingLedger is a ledger that makes turns and states durable at once.
type recordingLedger struct {
	killLedger
	recorded int
	fail     error // nothing is written
}

func (l *recordingLedger) AppendWithState(ctx context.Context, turns []strata.Turn, state []byte) ([]strata.Turn, error) {
	if l.fail != nil {
		return nil, l.fail
	}
	if err := l.before("record"); err != nil {
		return nil, err
	}
	effect := l.effect
	l.effect = nil // one effect in all
	defer func() { l.effect = effect }()
	kept, err := l.fakeLedger.Append(ctx, turns)
	if err == nil {
		err = l.fakeLedger.SaveState(ctx, state)
	}
	l.recorded++
	if err == nil {
		err = l.reaper.done("record")
	}
	return kept, err
}

// oneHit is a memory that stands in no window yet.
func oneHit(r RecallRequest) ([]strata.Hit, error) {
	return []strata.Hit{{ID: fmt.Sprint("fact_", r.Turn), Text: "It rained."}}, nil
}

func recordingHarness(t *testing.T) (*harness, *recordingLedger) {
	h := open(t, nil)
	ledger := &recordingLedger{killLedger: killLedger{h.ledger, &reaper{left: -1}}}
	h.opt.Ledger, h.memory.hits = ledger, oneHit
	h.restart()
	return h, ledger
}

// What was recalled for a turn is saved with its answer, in one go.
func TestTheStateIsSavedWithTheAnswer(t *testing.T) {
	h, ledger := recordingHarness(t)
	states := 0
	h.ledger.effect = func(name string) error {
		if name == "state" {
			states++
		}
		return nil
	}
	for n := range 3 {
		if _, err := h.Send(ctx, fmt.Sprint("Does it rain today? ", n)); err != nil {
			t.Fatal(err)
		}
	}
	if ledger.recorded != 3 || states != 0 {
		t.Errorf("%d answers with their state, %d states by themselves", ledger.recorded, states)
	}
	before := render(h.win.items)
	h.restart()
	if after := render(h.win.items); len(after) != len(before) || !strings.Contains(after[4].Text, "It rained.") || !sameMessage(after[4], before[4]) {
		t.Errorf("after a restart %+v, before %+v", after, before)
	}
}

// A state that is refused takes no answer with it; an answer that may be there
// already is not written a second time.
func TestARefusedStateTakesNoAnswerWithIt(t *testing.T) {
	h, ledger := recordingHarness(t)
	ledger.fail = &strata.Error{Code: strata.CodeForgotten, Message: "something was forgotten"}
	if _, err := h.Send(ctx, "Does it rain?"); err != nil || len(h.ledger.turns) != 2 {
		t.Fatalf("%d turns, %v", len(h.ledger.turns), err)
	}
	if !strings.Contains(string(h.ledger.state), "It rained.") {
		t.Error("the state was not saved by itself")
	}
	ledger.fail = errors.New("the disk broke")
	if _, err := h.Send(ctx, "And now?"); !errors.Is(err, ledger.fail) {
		t.Errorf("got %v", err)
	}
	if len(h.ledger.turns) != 3 || h.win.last() != 3 {
		t.Errorf("%d turns in the ledger, the window ends at %d", len(h.ledger.turns), h.win.last())
	}
	ledger.fail = nil
	if _, err := h.Continue(ctx); err != nil || len(h.ledger.turns) != 4 {
		t.Errorf("%d turns, %v", len(h.ledger.turns), err)
	}
}
