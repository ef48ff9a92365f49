package bench

import (
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
)

func TestSessionsRankWhereTheirBestTurnDoes(t *testing.T) {
	c := Collection{
		Documents: []Document{
			{ID: "a", Session: "s1", Scope: "c"}, {ID: "b", Session: "s1", Scope: "c"}, {ID: "x", Session: "s1", Scope: "d"},
			{ID: "talk#1", Session: "s2"}, {ID: "fact"},
		},
		Relevant: map[string]map[string]int{"q": {"a": 1, "b": 2, "talk": 1, "fact": 1}},
	}
	answers, judged := c.Judge(UnitSession, []Answer{{Ranked: ranked("x", "b", "a", "talk#1", "fact")}})
	if got := documents(answers[0]); got != "d/s1 c/s1 talk fact" {
		t.Errorf("ranked %s", got)
	}
	if w := judged["q"]; len(w) != 3 || w["c/s1"] != 2 || w["fact"] != 1 || w["talk"] != 1 {
		t.Errorf("judged %v", w)
	}
}

func TestWhatWasSaidAfterTheQuestionIsLeftOut(t *testing.T) {
	c := Collection{Documents: []Document{
		{ID: "a#0"}, {ID: "b#0"}, {ID: "b#1"}, {ID: "c#0"}, {ID: "a#1"},
	}}
	for asked, want := range map[string]string{"": "c#0 b#1 a#1 b#0", "b": "a#1", "c": "b#1 a#1 b#0", "nowhere": "c#0 b#1 a#1 b#0"} {
		answers, _ := c.Judge(UnitDocument, []Answer{{Query: Query{AskedIn: asked}, Ranked: ranked("c#0", "b#1", "a#1", "b#0", "b#1")}})
		if got := documents(answers[0]); got != want {
			t.Errorf("asked in %q: %s, want %s", asked, got, want)
		}
	}
}

func TestJudgeKeepsTheFirst(t *testing.T) {
	var c Collection
	var a Answer
	for i := range 2 * Depth {
		id := string(rune('A' + i))
		c.Documents = append(c.Documents, Document{ID: id})
		a.Ranked = append(a.Ranked, Ranked{Document: id})
	}
	if answers, _ := c.Judge(UnitDocument, []Answer{a}); len(answers[0].Ranked) != Depth || answers[0].Ranked[0].Document != "A" {
		t.Errorf("%d are left", len(answers[0].Ranked))
	}
}

func TestUnit(t *testing.T) {
	turns := Collection{Documents: []Document{{ID: "s#1"}}, Relevant: map[string]map[string]int{"q": {"s#1": 1}}}
	sessions := Collection{Documents: turns.Documents, Relevant: map[string]map[string]int{"q": {"s": 1}}}
	tests := []struct {
		c            Collection
		wanted, unit Unit // an empty unit: an error
	}{
		{turns, "", UnitDocument}, {turns, UnitDocument, UnitDocument}, {turns, UnitSession, UnitSession}, {turns, "word", ""},
		{sessions, "", UnitSession}, {sessions, UnitSession, UnitSession}, {sessions, UnitDocument, ""},
	}
	for _, tt := range tests {
		unit, err := tt.c.Unit(tt.wanted)
		if unit != tt.unit || (err != nil) != (tt.unit == "") {
			t.Errorf("%v, %q: %q, %v", tt.c.Relevant, tt.wanted, unit, err)
		}
		if err != nil && strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%q: %v", tt.wanted, err)
		}
	}
}

// documents lists what an answer holds.
func documents(a Answer) string {
	var ids []string
	for _, r := range a.Ranked {
		ids = append(ids, r.Document)
	}
	return strings.Join(ids, " ")
}

func TestSessionID(t *testing.T) {
	var got []string
	for _, d := range []Document{{ID: "x/y#2", Session: "z"}, {ID: "a", Session: "s", Scope: "c"}, {ID: "a", Session: "s"}, {ID: "a", Scope: "c"}} {
		got = append(got, SessionID(d))
	}
	if !slices.Equal(got, []string{"x/y", "c/s", "s", "a"}) {
		t.Errorf("sessions %v", got)
	}
}
