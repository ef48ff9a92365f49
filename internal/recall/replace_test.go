package recall

import (
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

// learn adds a fact that was learnt from turns.
func (m *memory) learn(t testing.TB, id, text string, sources ...string) {
	m.fact(strata.Fact{ID: id, Scope: global, Text: text, Sources: sources, RecordedAt: noon}, embed(t, text))
}

func TestAFactReplacesTheTurnThatSaysTheSame(t *testing.T) {
	tests := []struct {
		name, said, fact string
		sources          []string
		question         string
		want             []string
	}{
		{"the words of its source", "My cat's name is Whiskerino", "The user's cat is named Whiskerino.", []string{"a1"}, "what is my cat called?", []string{"fact"}},
		{"one sentence of its source", "Good morning! My cat is called Tolstoy. He is long.", "The user's cat is named Tolstoy.", []string{"a1"}, "what is my cat called?", []string{"fact"}},
		{"other words, by a model", "I really cannot stand coriander", "The user dislikes cilantro.", []string{"a1"}, "coriander or cilantro?", []string{"fact"}},
		{"the same words, learnt from nothing", "The build server is called otter", "The build server is called otter.", nil, "what is the build server called?", []string{"fact"}},
		{"a part, and the question asks for the rest", "I wear hearing aids, so I prefer text to calls.", "The user prefers text to calls.", []string{"a1"}, "why do I prefer text to calls?", []string{"fact", "a1"}},
		{"a part, and the question names the rest", "We squash pull requests and we use conventional commits", "We squash pull requests.", []string{"a1"}, "how do we squash pull requests and write commits?", []string{"fact", "a1"}},
		{"another sentence of its source", "I live in Porto. My sister Ada teaches the cello in Trondheim.", "The user lives in Porto.", []string{"a1"}, "where does my sister teach the cello?", []string{"a1"}},
		{"the opposite, learnt from nothing", "I do not eat fennel soup", "The user eats fennel soup.", nil, "fennel soup?", []string{"fact", "a1"}},
		{"one of many turns that a model names", "My cat is sick today", "The user's cat is named Whiskerino.", []string{"a1", "b1", "b2"}, "what is it with my cat?", []string{"fact", "a1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &memory{}
			m.talk("a", "user: "+tt.said)
			m.learn(t, "fact", tt.fact, tt.sources...)
			m.learn(t, "other", "The door of the shed is green")
			got := ids(ask(t, m, strata.Query{Text: tt.question}))
			slices.Sort(got)
			slices.Sort(tt.want)
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q found %q, want %q", tt.question, got, tt.want)
			}
			equal := dedupKey(tt.said) == dedupKey(tt.fact) // then one is shown in any case
			if got := ids(ask(t, m, strata.Query{Text: tt.question, Search: true})); !equal && !slices.Contains(got, "a1") {
				t.Errorf("a search finds %q without the turn", got)
			}
		})
	}
}

func TestTheFactTakesThePlaceOfItsTurn(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: The quince jam recipe needs a lemon, a cinnamon stick and quince", "user: quince trees")
	m.learn(t, "fact", "The user's recipe for jam needs a lemon, a cinnamon stick and quince.", "a1")
	m.learn(t, "between", "The quince tree stands by the lemon tree in the garden of the recipe author")
	turns := ask(t, m, strata.Query{Text: "quince jam recipe lemon", Kinds: []strata.Kind{strata.KindTurn}})
	r := ask(t, m, strata.Query{Text: "quince jam recipe lemon"})
	h := first(t, r)
	if h.ID != "fact" || h.Score < turns.Hits[0].Score {
		t.Errorf("first %s with %.3f, want the fact with no less than the turn's %.3f", h.ID, h.Score, turns.Hits[0].Score)
	}
	w := h.Why
	if sum := w.Words + w.Vector + w.Around + w.Parent + w.Recency + w.Salience + w.Order; sum-h.Score > 1e-9 || h.Score-sum > 1e-9 {
		t.Errorf("the parts add up to %v, not %v", sum, h.Score)
	}
}

// A fact that does not rank replaces nothing.
func TestATurnStandsWhereItsFactIsNoHit(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: The heron database lives on the Frankfurt cluster")
	retired := noon
	m.fact(strata.Fact{ID: "fact", Scope: global, Text: "The heron database lives on the Frankfurt cluster.", Sources: []string{"a1"}, RecordedAt: noon.Add(-time.Hour), RetiredAt: &retired}, nil)
	if got := ids(ask(t, m, strata.Query{Text: "where does the heron database live?"})); !slices.Equal(got, []string{"a1"}) {
		t.Errorf("found %q", got)
	}
}

func TestATurnOfASupersededFactIsMarkedAndComesAfter(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: We deploy the shop on Tuesdays, deploy day is Tuesday")
	retired := noon
	m.fact(strata.Fact{ID: "old", Scope: global, Text: "We deploy the shop on Tuesdays.", Sources: []string{"a1"}, RetiredAt: &retired, SupersededBy: "new", RecordedAt: noon.Add(-time.Hour)}, nil)
	m.fact(strata.Fact{ID: "new", Scope: global, Text: "The shop is deployed on Wednesdays now.", Supersedes: "old", RecordedAt: noon}, nil)
	r := ask(t, m, strata.Query{Text: "on which day do we deploy the shop?"})
	if got := ids(r); !slices.Equal(got, []string{"new", "a1"}) {
		t.Fatalf("found %q", got)
	}
	if h := r.Hits[1]; h.OlderThan != "new" || len(h.Notes) == 0 {
		t.Errorf("the turn is not marked: %+v", h)
	}
}

func TestQuestionsAndMemoryToolsAreNoAnswers(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: what is my cat called?", "user: what is my cat called, and does she bite the postman?")
	m.turn(strata.Turn{ID: "call", Scope: global, Session: "a", Seq: 3, Role: strata.RoleAssistant, Calls: []strata.ToolCall{{Name: "memory_recall", Arguments: `{"query":"what is my cat called"}`}}}, nil)
	m.turn(strata.Turn{ID: "result", Scope: global, Session: "a", Seq: 4, Role: strata.RoleTool, Tool: "mcp__strata__memory_recall", Text: "1. the cat is called Tom"}, nil)
	m.turn(strata.Turn{ID: "file", Scope: global, Session: "a", Seq: 5, Role: strata.RoleTool, Tool: "read_file", Text: "cat: called Whiskerino"}, nil)
	got := ids(ask(t, m, strata.Query{Text: "what is my cat called"}))
	slices.Sort(got)
	if want := []string{"a2", "file"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := ids(ask(t, m, strata.Query{Text: "what is my cat called", Search: true})); len(got) != 5 {
		t.Errorf("a search finds %q", got)
	}
}

// A message that recalls by itself does not find itself, whatever it says.
func TestAMessageDoesNotFindItself(t *testing.T) {
	m := &memory{}
	m.talk("a", "user: deploy the payment gateway to staging", "user: the payment gateway runs on staging port 9443")
	q := strata.Query{Text: "Deploy the payment gateway to staging!", Automatic: true}
	if got := ids(ask(t, m, q)); slices.Contains(got, "a1") {
		t.Errorf("it found %q", got)
	}
	q.Automatic = false
	if got := ids(ask(t, m, q)); !slices.Contains(got, "a1") {
		t.Errorf("who asks on purpose found %q", got)
	}
}

func TestAFactOfADeeperScopeHidesThoseOfItsSlot(t *testing.T) {
	agent := strata.ForAgentIn("w1", "ada")
	view := strata.ViewOf("w1", "ada")
	m := &memory{}
	put := func(id string, scope strata.Scope, typ strata.Type, text string) {
		m.fact(strata.Fact{ID: id, Scope: scope, Type: typ, Text: text, Entity: "deploy", Attribute: "Day", RecordedAt: noon}, nil)
	}
	put("global", global, strata.TypeProject, "We deploy on Mondays.")
	put("workspace", project, strata.TypeProject, "We deploy on Tuesdays.")
	m.talk("a", "user: We deploy on Mondays, whatever anybody says")
	m.passages[0].item.Fact.Sources = []string{"a1"}
	q := strata.Query{Text: "when do we deploy?", View: view}
	if got := ids(ask(t, m, q)); !slices.Contains(got, "workspace") || slices.Contains(got, "global") {
		t.Errorf("found %q", got)
	}
	for _, all := range []strata.Query{{Text: q.Text, View: view, All: true}, {Text: q.Text, View: view, Search: true}} {
		r := ask(t, m, all)
		i := slices.Index(ids(r), "global")
		if i < 0 || len(r.Hits[i].Notes) == 0 {
			t.Errorf("found %q, want the hidden one with a note", ids(r))
		}
	}
	// What the view does not show stands in front of nothing.
	put("private", agent, strata.TypeUser, "I deploy on Sundays.")
	view.Session = strata.SessionGroup
	if got := ids(ask(t, m, strata.Query{Text: q.Text, View: view})); !slices.Contains(got, "workspace") || slices.Contains(got, "private") {
		t.Errorf("a group finds %q", got)
	}
	if got := ids(ask(t, m, strata.Query{Text: q.Text, View: global.View()})); !slices.Contains(got, "global") {
		t.Errorf("a view without the deeper scope finds %q", got)
	}
}
