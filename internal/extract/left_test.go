package extract

import (
	"fmt"
	"slices"
	"testing"

	"github.com/strata-memory/strata"
)

// What is left out of a conversation is named with the reason, and what is kept is what
// it was without asking.
func TestExplain(t *testing.T) {
	said := []struct{ text, want string }{
		{"Hello there!", LeftGreeting}, {"Thanks so much", LeftGreeting}, {"What time is it in Lima?", LeftQuestion},
		{"Maybe I will move to Oslo", LeftUnsure}, {"I wish I had a boat", LeftUnsure}, {"I'm tired right now", LeftPassing},
		{"Tom says the deploy is on Friday", LeftOthers}, {"In my novel the king lives in a cave", LeftInvented},
		{"It was bigger than that one", LeftPointing}, {"The meeting dragged on", LeftGeneral}, {"My cat's name is Whiskerino", ""},
	}
	var turns []strata.Turn
	for _, s := range said {
		turns = append(turns, strata.Turn{ID: "turn_" + s.text, Role: strata.RoleUser, Text: s.text})
	}
	earlier := []strata.Turn{{ID: "before", Role: strata.RoleUser, Text: "Good morning"}}
	found, left := Explain(earlier, turns)
	if want := After(earlier, turns); fmt.Sprint(found) != fmt.Sprint(want) || len(found) != 1 {
		t.Errorf("found %v\nwant  %v", found, want)
	}
	for _, s := range said {
		text, want := s.text, s.want
		i := slices.IndexFunc(left, func(l Left) bool { return l.Source == "turn_"+text })
		switch {
		case want == "":
		case i < 0:
			t.Errorf("%q is not among what is left out", text)
		case left[i].Reason != want:
			t.Errorf("%q is left out as %q, want %q", text, left[i].Reason, want)
		}
	}
	if slices.ContainsFunc(left, func(l Left) bool { return l.Source == "before" || l.Source == "turn_My cat's name is Whiskerino" }) {
		t.Errorf("left out: %+v", left)
	}
}
