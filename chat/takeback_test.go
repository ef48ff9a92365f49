package chat_test

import (
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/models/llmtest/scripted"
	"github.com/strata-memory/strata/internal/tools/scriptedmodel/mind"
)

// What was saved of an exchange goes back with it, whether extracted or by a tool.
func TestUndoTakesBackWhatWasSaved(t *testing.T) {
	w := newWorld(t, scripted.Ollama, mind.Mind{}.Answer)
	a := w.agent(nil)
	facts := func() (texts []string) {
		list, err := w.mem.Facts(t.Context(), strata.Global().View(), strata.FactFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range list {
			texts = append(texts, f.Text)
		}
		return texts
	}
	send(t, a, "My cat's name is Whiskerino")
	send(t, a, "My dog's name is Bruno")
	send(t, a, "Remember that the tower has nine bells.")
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := facts(); len(got) != 3 {
		t.Fatalf("saved %q", got)
	}
	for _, left := range []int{2, 1} {
		got, err := a.Undo(t.Context())
		if err != nil || len(got.Reverted) != 1 || len(got.Kept) != 0 || got.To == 0 {
			t.Fatalf("took back %+v, %v", got, err)
		}
		if got := facts(); len(got) != left {
			t.Errorf("left in memory: %q", got)
		}
	}
	if got := facts(); len(got) != 1 || !strings.Contains(got[0], "Whiskerino") {
		t.Errorf("left in memory: %q", got)
	}
	if got := send(t, a, "What is my dog's name?"); strings.Contains(got.Text, "name is Bruno") && got.Calls == 0 {
		t.Errorf("the prompt still tells: %+v", got)
	}
	if n := len(turns(t, a)); n < 8 {
		t.Errorf("the record has %d turns", n)
	}
}

func TestRetryAsksAnew(t *testing.T) {
	w := newWorld(t, scripted.OpenAI, inTurn(scripted.Say("The first answer."), scripted.Say("The second.")))
	a := w.agent(nil)
	send(t, a, "How are the boats?")
	got, err := a.Retry(t.Context())
	if err != nil || got.Text != "The second." {
		t.Fatalf("%+v, %v", got, err)
	}
	var said []string
	for _, m := range lastAnswered(w).Messages {
		said = append(said, m.Text)
	}
	if all := strings.Join(said, "\n"); strings.Contains(all, "The first answer.") || !strings.Contains(all, "How are the boats?") {
		t.Errorf("the model was asked:\n%s", all)
	}
}
