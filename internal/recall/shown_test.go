package recall

import (
	"slices"
	"testing"

	"github.com/strata-memory/strata"
	"pgregory.net/rapid"
)

func TestWhatTheConversationShowsIsNoHit(t *testing.T) {
	m := &memory{}
	m.talk("now", "user: the marmot lives under the shed", "assistant: a marmot, how nice", "user: weather?", "user: where does the marmot live?")
	m.talk("before", "user: the marmot moved out from under the shed in May")
	tests := []struct {
		name string
		q    strata.Query
		want []string
	}{
		{"nobody asks", strata.Query{}, []string{"before1", "now1", "now2"}},
		{"the turn that asks", strata.Query{Session: "now", Turn: 4}, []string{"before1", "now1", "now2"}},
		{"a window", strata.Query{Session: "now", Turn: 4, Shown: []strata.TurnRange{{From: 2, To: 4}}}, []string{"before1", "now1"}},
		{"two parts", strata.Query{Session: "now", Shown: []strata.TurnRange{{From: 1, To: 1}, {From: 4, To: 4}}}, []string{"before1", "now2"}},
		{"all of it", strata.Query{Session: "now", Shown: []strata.TurnRange{{From: 1, To: 4}}}, []string{"before1"}},
		{"of no session", strata.Query{Shown: []strata.TurnRange{{From: 1, To: 4}}}, []string{"before1", "now1", "now2"}},
		{"a session that is not there", strata.Query{Session: "other", Shown: []strata.TurnRange{{From: 1, To: 4}}}, []string{"before1", "now1", "now2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Text, tt.q.All = "where does the marmot live", true
			var got []string
			for _, h := range ask(t, m, tt.q).Hits {
				if h.ID != "now3" && h.ID != "now4" || tt.q.Turn > 0 && h.Session == "now" && h.Seq >= tt.q.Turn {
					got = append(got, h.ID)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

// The question is in the ledger before it is asked: a word that is misspelt in it is
// in no other passage.
func TestAMisspeltQuestionDoesNotFindItself(t *testing.T) {
	m := &memory{}
	m.talk("now", "user: where is the telescpoe?")
	m.fact(strata.Fact{ID: "fact", Scope: global, Text: "The telescope is in the attic", RecordedAt: noon}, nil)
	q := strata.Query{Text: "where is the telescpoe?", Session: "now", Turn: 1, Automatic: true}
	if got := ids(ask(t, m, q)); !slices.Equal(got, []string{"fact"}) {
		t.Errorf("found %q", got)
	}
}

// Whatever is shown, no turn of it is a hit, and what is not shown is found as if the
// rest were not there.
func TestShownTurnsAreAsIfTheyWereNotThere(t *testing.T) {
	words := []string{"marmot", "shed", "attic", "cello", "boat", "river"}
	rapid.Check(t, func(t *rapid.T) {
		all, without := &memory{}, &memory{}
		from := rapid.Int64Range(1, 12).Draw(t, "from")
		to := rapid.Int64Range(from, 12).Draw(t, "to")
		for seq := int64(1); seq <= rapid.Int64Range(1, 12).Draw(t, "turns"); seq++ {
			said := ""
			for _, w := range rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "said") {
				said += w + " "
			}
			turn := strata.Turn{ID: string(rune('a' + seq)), Scope: global, Session: "s", Seq: seq, Role: strata.RoleUser, Text: said, At: noon, RecordedAt: noon}
			all.turn(turn, nil)
			if seq < from || seq > to {
				without.turn(turn, nil)
			}
		}
		text := rapid.SampledFrom(words).Draw(t, "asked") + " " + rapid.SampledFrom(words).Draw(t, "asked")
		find := func(m *memory, shown []strata.TurnRange) map[string]bool {
			q := strata.Query{View: global.View(), Text: text, Session: "s", Shown: shown, All: true, Search: true, Limit: 100}
			r, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(text), Now: noon})
			if err != nil {
				t.Fatal(err)
			}
			texts := make(map[string]bool)
			for _, h := range r.Hits {
				if len(shown) > 0 && from <= h.Seq && h.Seq <= to {
					t.Fatalf("turn %d is shown, and found", h.Seq)
				}
				texts[dedupKey(h.Text)] = true
			}
			return texts
		}
		got, want := find(all, []strata.TurnRange{{From: from, To: to}}), find(without, nil)
		for s := range want {
			if !got[s] {
				t.Fatalf("%q is not found beside what is shown", s)
			}
		}
	})
}
