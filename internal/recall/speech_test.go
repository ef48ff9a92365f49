package recall

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
)

// talk adds a session of turns like "user: hello". Whoever is neither a user nor an
// assistant is a person among people. The ids are those of the session and the place.
func (m *memory) talk(session string, turns ...string) {
	for i, s := range turns {
		who, said, _ := strings.Cut(s, ": ")
		t := strata.Turn{
			ID: fmt.Sprintf("%s%d", session, i+1), Scope: global, Session: session, Seq: int64(i + 1),
			Role: strata.RoleUser, Text: said, RecordedAt: noon,
		}
		switch who {
		case "user":
		case "assistant":
			t.Role = strata.RoleAssistant
		default:
			t.Speaker = who
		}
		m.turn(t, nil)
	}
}

// ids are those of the hits.
func ids(r Ranking) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

const (
	kitchenBudget = "user: The budget for my kitchen is 9,000 euros, can you help?"
	kitchenAdvice = "assistant: For a kitchen, split the budget. Half of a kitchen budget goes into the cabinets of the kitchen, " +
		"a quarter of the budget into appliances, and some budget stays for what a kitchen needs last."
)

func TestWhatAPersonSaysComesBeforeWhatAnAssistantExplains(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: Hello there", "assistant: Hello! What shall we do?", kitchenBudget, kitchenAdvice)
	if got := ids(askWords(t, m, "What is the budget of my kitchen?")); len(got) < 2 || got[0] != "a3" {
		t.Errorf("got %q, want what the person said first", got)
	}
	// A question that goes on from the answer finds the answer.
	if got := ids(askWords(t, m, "How did you say to split the kitchen budget?")); len(got) < 2 || got[0] != "a4" {
		t.Errorf("got %q, want what the assistant said first", got)
	}
}

func TestATurnThatAsksIsWorthAsMuchToAnAssistant(t *testing.T) {
	score := func(who, end string) float64 {
		m := &memory{}
		m.talk("a", who+": Could my bicycle be repaired in Ghent"+end)
		return first(t, askWords(t, m, "bicycle Ghent")).Score
	}
	if asks, says := score("user", "?"), score("user", "."); asks != says {
		t.Errorf("a question to an assistant scores %.3f, a statement %.3f", asks, says)
	}
	if asks, says := score("Ada", "?"), score("Ada", "."); asks >= says {
		t.Errorf("a question among people scores %.3f, a statement %.3f", asks, says)
	}
}

// Who is named and speaks to an assistant is read like one who is not named, whether or
// not the question finds anything in what the assistant says.
func TestANamedPersonMaySpeakToAnAssistant(t *testing.T) {
	score := func(end, reply string) float64 {
		m := &memory{}
		m.talk("a", "Ada: Could my bicycle be repaired in Ghent"+end, reply)
		return first(t, askWords(t, m, "bicycle Ghent")).Score
	}
	for _, reply := range []string{"assistant: A bicycle can be repaired anywhere.", "assistant: Gladly."} {
		if asks, says := score("?", reply), score(".", reply); asks != says {
			t.Errorf("before %q a question scores %.3f, a statement %.3f", reply, asks, says)
		}
	}
	if asks, says := score("?", "Ben: Gladly."), score(".", "Ben: Gladly."); asks >= says {
		t.Errorf("before another person a question scores %.3f, a statement %.3f", asks, says)
	}
}

// All turns of a session count it alike.
func TestASessionHasOneWeight(t *testing.T) {
	m := &memory{}
	m.talk("a", "Ada: My bicycle is in Ghent.", "assistant: A bicycle is of use in Ghent.", "Ben: My bicycle is in Ghent, too.")
	r := askWords(t, m, "bicycle Ghent")
	if len(r.Hits) != 3 {
		t.Fatalf("found %q", ids(r))
	}
	for _, h := range r.Hits[1:] {
		if h.Why.Parent != r.Hits[0].Why.Parent {
			t.Errorf("the session counts %.3f for %s and %.3f for %s", h.Why.Parent, h.ID, r.Hits[0].Why.Parent, r.Hits[0].ID)
		}
	}
}

// What somebody says counts less only where the question names somebody else.
func TestOthersCountLessWhereTheQuestionNamesSomebody(t *testing.T) {
	words := func(asked string, other float64) float64 {
		m := &memory{}
		m.talk("a", "Ada: My bicycle is in Ghent.", "Ben: Mine is in Bruges.")
		w := DefaultWeights()
		w.Other = other
		q := strata.Query{View: global.View(), Text: asked}
		r, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(asked), Now: noon, Weights: &w})
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(ids(r), "a1")
		if at < 0 {
			t.Fatalf("%q found %q", asked, ids(r))
		}
		return r.Hits[at].Why.Words
	}
	for asked, less := range map[string]bool{"the bicycle in Ghent": false, "Ada's bicycle in Ghent": false, "is the bicycle of Ben in Ghent?": true} {
		if half, whole := words(asked, 0.5), words(asked, 1); (half < whole) != less {
			t.Errorf("%q: the words of Ada count %.3f, and %.3f where all count alike", asked, half, whole)
		}
	}
}

// What replies to a question is read with it more than what follows a statement.
func TestAReplyIsReadWithItsQuestion(t *testing.T) {
	around := func(end string) float64 {
		m := &memory{}
		m.talk("a", "Ada: The bicycle is kept in Ghent"+end, "Ben: By the green door, as always.")
		r := askWords(t, m, "bicycle Ghent")
		at := slices.Index(ids(r), "a2")
		if at < 0 {
			t.Fatalf("found %q", ids(r))
		}
		return r.Hits[at].Why.Around
	}
	if asked, told := around("?"), around("."); asked <= told {
		t.Errorf("after a question the words around count %.3f, after a statement %.3f", asked, told)
	}
}

func TestSessionsAreRankedOnceEach(t *testing.T) {
	words := []string{"kitchen", "budget", "garden", "tiles", "plan", "hello"}
	rapid.Check(t, func(t *rapid.T) {
		m := &memory{}
		for s := range rapid.IntRange(1, 6).Draw(t, "sessions") {
			var turns []string
			for range rapid.IntRange(1, 8).Draw(t, "turns") {
				who := rapid.SampledFrom([]string{"user", "assistant", "Ada"}).Draw(t, "who")
				said := rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(t, "said")
				turns = append(turns, who+": "+strings.Join(said, " "))
			}
			m.talk(string(rune('a'+s)), turns...)
		}
		m.fact(strata.Fact{ID: "fact", Scope: global, Text: "the kitchen plan", RecordedAt: noon}, nil)
		q := strata.Query{View: global.View(), Text: "the plan of the kitchen", Sessions: true, Limit: 20}
		r, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(q.Text), Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		var sessions []string
		for _, h := range r.Hits {
			if h.Kind != strata.KindTurn || h.Score < 0 || h.Score > 1 {
				t.Fatalf("a %s with score %v", h.Kind, h.Score)
			}
			if slices.Contains(sessions, h.Session) {
				t.Fatalf("session %s is ranked twice", h.Session)
			}
			sessions = append(sessions, h.Session)
		}
		q.Sessions, q.Limit, q.Kinds = false, 1000, []strata.Kind{strata.KindTurn} // evidence weighs words by what is looked through
		all, err := Find(t.Context(), m, Request{Query: q, Analysis: analyze(q.Text), Now: noon})
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all.Hits {
			// Of sessions whose best turns have the same text one is shown.
			if h.Kind == strata.KindTurn && !slices.Contains(sessions, h.Session) && !slices.Contains(texts(r), h.Text) {
				t.Fatalf("session %s is missing: it has %q; %v; %v", h.Session, h.Text, ids(r), ids(all))
			}
		}
	})
}
