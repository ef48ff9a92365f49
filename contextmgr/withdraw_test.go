package contextmgr

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestAnExchangeIsTakenBack(t *testing.T) {
	h := open(t, nil)
	h.send("My cat's name is Marlin.")
	h.send("My dog's name is Rex.")
	got, err := h.Withdraw(ctx, false)
	if err != nil || got.From != 3 || got.To != 4 || got.Asked != "My dog's name is Rex." {
		t.Fatalf("took back %+v, %v", got, err)
	}
	for range 2 { // the same after a restart
		text := shown(h.prompt())
		if strings.Contains(text, "Rex") || !strings.Contains(text, "Marlin") || !strings.Contains(text, "took back the turns 3 to 4") {
			t.Errorf("shown:\n%s", text)
		}
		h.restart()
	}
	if err := h.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if saved := strings.Join(h.memory.texts(), " "); !strings.Contains(saved, "Marlin") || strings.Contains(saved, "Rex") {
		t.Errorf("saved: %s", saved)
	}
	h.chatter(25)
	h.prompt()
	if len(all[Compacted](h)) == 0 {
		t.Fatal("nothing was compacted")
	}
	if told := strings.Join(h.model.materials(promptSummarize), "\n"); strings.Contains(told, "Rex") {
		t.Error("a summary tells of what was taken back")
	}
	checkAllTold(t, h)
	if n := len(h.ledger.turns); n < 54 || h.ledger.turns[2].Text != "My dog's name is Rex." {
		t.Errorf("the ledger has %d turns", n)
	}
}

func TestAnAnswerIsTakenBack(t *testing.T) {
	h := open(t, nil)
	h.send("How are the boats?")
	if got, err := h.Withdraw(ctx, true); err != nil || got.From != 2 || got.To != 2 {
		t.Fatalf("took back %+v, %v", got, err)
	}
	if _, err := h.Continue(ctx); err != nil {
		t.Fatal(err)
	}
	if text := shown(h.prompt()); strings.Count(text, "Understood.") != 1 || !strings.Contains(text, "How are the boats?") {
		t.Errorf("shown:\n%s", text)
	}
}

func TestNothingToTakeBack(t *testing.T) {
	h := open(t, nil)
	if _, err := h.Withdraw(ctx, false); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("an empty conversation: %v", err)
	}
	h.add(say(strata.RoleUser, "Hello"))
	if got, err := h.Withdraw(ctx, true); err != nil || got.To != 0 {
		t.Errorf("a message without an answer: %+v, %v", got, err)
	}
}
