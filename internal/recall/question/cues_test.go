package question

import "testing"

func TestWantsTime(t *testing.T) {
	for q, want := range map[string]bool{
		"When did Ada move?": true, "how long did it take": true, "which year was it": true, "Wann war das?": true,
		"What did Ada do when it rained?": false, "who moved": false,
	} {
		if got := Analyze(q, noon).WantsTime; got != want {
			t.Errorf("WantsTime(%q) = %v", q, got)
		}
	}
}

func TestCuesOfAText(t *testing.T) {
	const s = "Did YOU go there last week?\na photo of my cat"
	if c := CuesOf(s); !c.Time || !c.FirstPerson || !Asks(s) {
		t.Errorf("cues %+v, asks %v", c, Asks(s))
	}
	const other = "Is it? Yes."
	if c := CuesOf(other); c != (Cues{}) || Asks(other) {
		t.Errorf("cues %+v, asks %v", c, Asks(other))
	}
}
