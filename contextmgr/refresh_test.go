package contextmgr

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

// believed is a memory that says what became of its facts.
type believed struct {
	*fakeMemory
	now map[string]strata.Hit
	err error
}

func (b *believed) Current(_ context.Context, ids []string) (map[string]strata.Hit, error) {
	out := make(map[string]strata.Hit)
	for _, id := range ids {
		if h, ok := b.now[id]; ok {
			out[id] = h
		}
	}
	return out, b.err
}

// What was recalled is read in the prompt as memory believes it now: an edited fact in
// its new words, the one that took a fact's place instead of it, and nothing of what
// was retired.
func TestRecalledFactsAreReadAsTheyAreBelievedNow(t *testing.T) {
	fact := func(id, text string) strata.Hit { return strata.Hit{ID: id, Kind: strata.KindFact, Text: text} }
	memory := &believed{fakeMemory: &fakeMemory{}}
	recalled := []strata.Hit{
		fact("fact_a", "The ferry leaves at nine."), fact("fact_b", "The harbor master is Ines."), fact("fact_c", "The crane is broken."),
		{ID: "turn_d", Kind: strata.KindTurn, Role: strata.RoleUser, Text: "The ferry left at nine then."},
	}
	memory.hits = func(RecallRequest) ([]strata.Hit, error) { return recalled, nil }
	memory.now = map[string]strata.Hit{"fact_a": recalled[0], "fact_b": recalled[1], "fact_c": recalled[2]}
	h := open(t, func(o *Options) { o.Memory, o.Window = memory, 8192 })
	h.add(say(strata.RoleUser, "When does the ferry leave?"))
	first := shown(h.prompt())
	if again := shown(h.prompt()); again != first {
		t.Fatalf("nothing was edited, and the prompt changed from\n%s\nto\n%s", first, again)
	}

	memory.hits = nil
	memory.now = map[string]strata.Hit{"fact_a": fact("fact_a", "The ferry leaves at eight."), "fact_b": fact("fact_e", "The harbor master is Tomás."), "fact_e": fact("fact_e", "The harbor master is Tomás.")}
	h.add(say(strata.RoleAssistant, "At nine."), say(strata.RoleUser, "Sure?"))
	for _, name := range []string{"at once", "after a restart"} {
		text := shown(h.prompt())
		for _, want := range []string{"[fact fact_a] The ferry leaves at eight.", "[fact fact_e] The harbor master is Tomás.", "The ferry left at nine then."} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s: %q is not in:\n%s", name, want, text)
			}
		}
		for _, old := range []string{"leaves at nine", "Ines", "crane"} {
			if strings.Contains(text, old) {
				t.Errorf("%s: %q is still in:\n%s", name, old, text)
			}
		}
		h.restart()
	}

	memory.err = errors.New("the store is busy")
	if text := shown(h.prompt()); !strings.Contains(text, "leaves at eight") || len(h.fallbacks("recall")) == 0 {
		t.Errorf("after a failure:\n%s", text)
	}
}

// A note all of whose facts were retired is gone.
func TestANoteOfRetiredFactsIsGone(t *testing.T) {
	memory := &believed{fakeMemory: &fakeMemory{}}
	hit := strata.Hit{ID: "fact_a", Kind: strata.KindFact, Text: "The ferry leaves at nine."}
	memory.hits = func(RecallRequest) ([]strata.Hit, error) { return []strata.Hit{hit}, nil }
	memory.now = map[string]strata.Hit{"fact_a": hit}
	h := open(t, func(o *Options) { o.Memory = memory })
	h.add(say(strata.RoleUser, "When does the ferry leave?"))
	h.prompt()
	memory.now = nil
	if text := shown(h.prompt()); strings.Contains(text, "ferry leaves") || strings.Contains(text, tagRecall+">") {
		t.Errorf("the prompt is\n%s", text)
	}
	h.restart()
	h.prompt()
}

// Facts that were merged into one are read once.
func TestFactsThatBecameOneAreReadOnce(t *testing.T) {
	memory := &believed{fakeMemory: &fakeMemory{}}
	fact := func(id, text string) strata.Hit { return strata.Hit{ID: id, Kind: strata.KindFact, Text: text} }
	recalled := []strata.Hit{fact("fact_a", "The ferry leaves at nine."), fact("fact_b", "The ferry leaves from the old pier.")}
	memory.hits = func(RecallRequest) ([]strata.Hit, error) { return recalled, nil }
	memory.now = map[string]strata.Hit{"fact_a": recalled[0], "fact_b": recalled[1]}
	h := open(t, func(o *Options) { o.Memory = memory })
	h.add(say(strata.RoleUser, "When does the ferry leave?"))
	h.prompt()
	one := fact("fact_c", "The ferry leaves the old pier at nine.")
	memory.now = map[string]strata.Hit{"fact_a": one, "fact_b": one, "fact_c": one}
	if text := shown(h.prompt()); strings.Count(text, one.Text) != 1 {
		t.Errorf("the prompt is\n%s", text)
	}
}
