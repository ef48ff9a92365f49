package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/store"
)

var global = strata.Global()

// embed gives texts the vectors of the embedder that is always there.
func embed(t testing.TB, s string) []float32 {
	t.Helper()
	v, err := builtin.New().Embed(context.Background(), []string{s})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

// facts returns a memory that holds these facts in the global scope, recorded
// one hour after the other until noon.
func facts(t testing.TB, texts ...string) *memory {
	m := &memory{}
	for i, s := range texts {
		f := strata.Fact{
			ID: fmt.Sprintf("fact_%d", i), Scope: global, Type: strata.TypeProject, Category: "general", Text: s,
			RecordedAt: noon.Add(-time.Duration(len(texts)-i) * time.Hour),
		}
		m.fact(f, embed(t, FactText(f)))
	}
	return m
}

// ask recalls with words and vectors.
func ask(t testing.TB, m store.Reader, q strata.Query) Ranking {
	t.Helper()
	if len(q.View.Scopes) == 0 {
		q.View = global.View()
	}
	r, err := Find(context.Background(), m, Request{
		Query: q, Analysis: analyze(q.Text), Model: fakeModel, Vector: embed(t, q.Text), Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// askWords recalls by words alone.
func askWords(t testing.TB, m store.Reader, text string) Ranking {
	t.Helper()
	r, err := Find(context.Background(), m, Request{
		Query: strata.Query{View: global.View(), Text: text}, Analysis: analyze(text), Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func texts(r Ranking) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Text)
	}
	return out
}

func first(t testing.TB, r Ranking) strata.Hit {
	t.Helper()
	if len(r.Hits) == 0 {
		t.Fatal("nothing was found")
	}
	return r.Hits[0]
}

var office = []string{
	"The kitchen is cleaned on Fridays",
	"Lunch is served at noon in the canteen",
	"The build needs Go 1.26",
	"Staging runs on three small machines",
	"The cat of the office is called Tiger",
}

func TestOneFactIsFoundHoweverItIsAskedFor(t *testing.T) {
	const fact = "The billing service stores invoices in PostgreSQL 16."
	m := facts(t, append([]string{fact}, office...)...)
	for _, question := range []string{
		"billing invoices", "which database does the billing service use?", "where do we keep invoices",
		"PostgreSQL", "postgres", "INVOICE",
	} {
		t.Run(question, func(t *testing.T) {
			if got := first(t, ask(t, m, strata.Query{Text: question})).Text; got != fact {
				t.Errorf("with vectors found %q", got)
			}
			if got := first(t, askWords(t, m, question)).Text; got != fact {
				t.Errorf("by words found %q", got)
			}
		})
	}
}

func TestHitsAreOrderedByScore(t *testing.T) {
	m := facts(t, "tea", "green tea", "green tea in the morning", "tea shop", "green door", "the morning paper")
	r := ask(t, m, strata.Query{Text: "green tea morning"})
	if len(r.Hits) < 5 {
		t.Fatalf("%d hits", len(r.Hits))
	}
	if !slices.IsSortedFunc(r.Hits, func(a, b strata.Hit) int { return int(math.Copysign(1, b.Score-a.Score)) }) {
		t.Errorf("not ordered by score: %v", r.Hits)
	}
	if r.Hits[0].Text != "green tea in the morning" {
		t.Errorf("first is %q", r.Hits[0].Text)
	}
}

func TestPopularityNeverBeatsAClearlyBetterMatch(t *testing.T) {
	const right = "The production deploy command is make ship"
	m := facts(t, append([]string{right}, office...)...)
	for i := range m.passages {
		if f := m.passages[i].item.Fact; f.Text != right {
			f.Accesses, f.LastAccess = 11, noon
		}
	}
	r := ask(t, m, strata.Query{Text: "production deploy command"})
	if got := first(t, r); got.Text != right {
		t.Errorf("%q with %v won", got.Text, got.Why)
	}
	for _, h := range r.Hits[1:] {
		if h.Score > r.Hits[0].Score/2 {
			t.Errorf("%q scores %.2f beside %.2f", h.Text, h.Score, r.Hits[0].Score)
		}
	}
}

// A category that holds one fact is found although sixty of another are closer.
func TestAFilterStarvesNobody(t *testing.T) {
	m := &memory{}
	for i := range 60 {
		f := strata.Fact{Scope: global, Category: "tea", Text: fmt.Sprintf("green tea number %d", i), RecordedAt: noon}
		m.fact(f, embed(t, f.Text))
	}
	alone := strata.Fact{Scope: global, Category: "garden", Text: "The door is green", RecordedAt: noon}
	m.fact(alone, embed(t, alone.Text))
	r := ask(t, m, strata.Query{Text: "green tea", Category: "Garden", Limit: 3})
	if got := texts(r); !slices.Equal(got, []string{alone.Text}) {
		t.Errorf("found %q", got)
	}
	if len(r.Hits) == 1 && r.Hits[0].Tier != 1 {
		t.Errorf("found in tier %d", r.Hits[0].Tier)
	}
}

// What says the same again does not use up the candidates.
func TestDuplicatesStarveNobody(t *testing.T) {
	var all []string
	for range 300 {
		all = append(all, "green tea, please!")
	}
	m := facts(t, append([]string{"the tea is on the shelf"}, all...)...)
	got := texts(ask(t, m, strata.Query{Text: "green tea", Limit: 5}))
	if want := []string{"green tea, please!", "the tea is on the shelf"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
}

func TestAccentsAndScriptsWithoutSpacesAreFound(t *testing.T) {
	m := facts(t, append([]string{"Ana lives in Málaga", "会議は毎週月曜日です", "猫の名前はタマです"}, office...)...)
	for question, want := range map[string]string{
		"malaga": "Ana lives in Málaga", "MÁLAGA": "Ana lives in Málaga",
		"会議はいつ": "会議は毎週月曜日です", "猫": "猫の名前はタマです", "月曜": "会議は毎週月曜日です",
	} {
		if got := first(t, askWords(t, m, question)).Text; got != want {
			t.Errorf("%q found %q, want %q", question, got, want)
		}
	}
}

func TestIdentifiersAndPartsOfWordsAreFound(t *testing.T) {
	m := facts(t, append([]string{"The outage came from deploy-v2.4.7-hotfix", "The hotfix process takes a day", "deploy v1.0.0 went well", "Whiskerino likes tuna"}, office...)...)
	for question, want := range map[string]string{
		"deploy-v2.4.7-hotfix":     "The outage came from deploy-v2.4.7-hotfix",
		"what broke in v2.4.7?":    "The outage came from deploy-v2.4.7-hotfix",
		"whiskerinno":              "Whiskerino likes tuna",
		`"hotfix process" deploy`:  "The hotfix process takes a day",
		`hotfix AND (process" OR*`: "The hotfix process takes a day",
		`NEAR(a b) hotfix process`: "The hotfix process takes a day",
	} {
		if got := first(t, askWords(t, m, question)).Text; got != want {
			t.Errorf("%q found %q, want %q", question, got, want)
		}
	}
}

func TestAParaphraseIsFoundByVector(t *testing.T) {
	m := facts(t, append([]string{"My kitten sleeps on the sofa"}, office[:4]...)...)
	r := ask(t, m, strata.Query{Text: "cats"})
	if got := first(t, r).Text; got != "My kitten sleeps on the sofa" {
		t.Errorf("found %q", got)
	}
}

func TestWhatMatchesNothingIsNotConfident(t *testing.T) {
	m := facts(t, office...)
	for _, question := range []string{"quantum chromodynamics lecture", "zzzz", "Who won the chess tournament in Oslo?"} {
		for _, h := range ask(t, m, strata.Query{Text: question}).Hits {
			if h.Score > 0.2 {
				t.Errorf("%q: %q scores %.2f (%v)", question, h.Text, h.Score, h.Why)
			}
		}
	}
}

func TestAQuestionOfStopWordsFindsThem(t *testing.T) {
	m := facts(t, append([]string{"To be or not to be", "Who are you"}, office...)...)
	if got := first(t, askWords(t, m, "who are you")).Text; got != "Who are you" {
		t.Errorf("found %q", got)
	}
}

func TestATurnIsReadWithItsNeighbors(t *testing.T) {
	m := &memory{}
	say := func(session string, lines ...string) {
		for i, s := range lines {
			speaker := []string{"Ana", "Ben"}[i%2]
			m.turn(strata.Turn{ID: fmt.Sprintf("%s:%d", session, i+1), Scope: global, Session: session, Seq: int64(i + 1), Speaker: speaker, Text: s, At: noon}, nil)
		}
	}
	say("s1", "Good morning!", "Which instrument do you play?", "The clarinet, since I was nine.", "How lovely.")
	say("s2", "I bought shoes.", "They are nice.", "And a hat.", "For the wedding?")
	got := first(t, askWords(t, m, "What instrument does Ana play?"))
	if got.ID != "s1:3" {
		t.Errorf("found %q (%v), want the answer", got.Text, got.Why)
	}
	if got.Why.Around <= 0 {
		t.Errorf("around = %v", got.Why.Around)
	}
}

func TestFactsAndTurnsShareOneRanking(t *testing.T) {
	m := facts(t, "Ana plays the clarinet", "Ben sells shoes")
	m.turn(strata.Turn{ID: "t1", Scope: global, Session: "s", Seq: 1, Speaker: "Ben", Text: "A clarinet?", At: noon}, nil)
	r := ask(t, m, strata.Query{Text: "Who plays the clarinet?", Search: true})
	if first(t, r).Text != "Ana plays the clarinet" || len(r.Hits) < 2 || r.Hits[1].ID != "t1" {
		t.Errorf("found %q", texts(r))
	}
}

func TestViewsAndFiltersConfine(t *testing.T) {
	m := &memory{groups: map[string]bool{"party": true}}
	other := strata.InWorkspace("other")
	old := noon.Add(-time.Hour)
	put := func(f strata.Fact) {
		f.RecordedAt = noon.Add(-2 * time.Hour)
		m.fact(f, embed(t, f.Text))
	}
	put(strata.Fact{ID: "user", Scope: global, Type: strata.TypeUser, Category: "tea", Text: "I like green tea"})
	put(strata.Fact{ID: "project", Scope: global, Type: strata.TypeProject, Category: "paint", Text: "The door is tea green"})
	put(strata.Fact{ID: "retired", Scope: global, Type: strata.TypeProject, Category: "paint", Text: "The tea pot is green", RetiredAt: &old})
	put(strata.Fact{ID: "other", Scope: other, Type: strata.TypeProject, Category: "tea", Text: "green tea here"})
	m.turn(strata.Turn{ID: "turn", Scope: global, Session: "s", Seq: 1, Text: "tea?", At: noon, RecordedAt: noon}, embed(t, "tea?"))
	m.turn(strata.Turn{ID: "party", Scope: global, Session: "party", Seq: 1, Text: "Everybody drinks tea", At: noon, RecordedAt: noon}, embed(t, "Everybody drinks tea"))
	before := noon.Add(-90 * time.Minute)
	tests := []struct {
		name string
		q    strata.Query
		want []string
	}{
		{"all of the scope", strata.Query{}, []string{"party", "project", "turn", "user"}},
		{"two scopes", strata.Query{View: strata.View{Scopes: []strata.Scope{other, global}}}, []string{"other", "party", "project", "turn", "user"}},
		{"another scope", strata.Query{View: other.View()}, []string{"other"}},
		{"an empty scope", strata.Query{View: strata.InWorkspace("none").View()}, nil},
		{"group sessions see nothing of the user and of private sessions", strata.Query{View: strata.View{Scopes: []strata.Scope{global}, Session: strata.SessionGroup}}, []string{"party", "project"}},
		{"a group looks for turns", strata.Query{View: strata.View{Scopes: []strata.Scope{global}, Session: strata.SessionGroup}, Kinds: []strata.Kind{strata.KindTurn}}, []string{"party"}},
		{"group asks for user facts", strata.Query{View: strata.View{Scopes: []strata.Scope{global}, Session: strata.SessionGroup}, Types: []strata.Type{strata.TypeUser}}, nil},
		{"turns", strata.Query{Kinds: []strata.Kind{strata.KindTurn}}, []string{"party", "turn"}},
		{"a type", strata.Query{Types: []strata.Type{strata.TypeUser}}, []string{"user"}},
		{"a category", strata.Query{Category: "paint"}, []string{"project"}},
		{"no such category", strata.Query{Category: "none"}, nil},
		{"as of a time", strata.Query{AsOf: &before}, []string{"project", "retired", "user"}},
		{"seen before", strata.Query{Seen: []string{"user", "turn"}}, []string{"party", "project"}},
		{"flat", strata.Query{Flat: true}, []string{"party", "project", "turn", "user"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Text, tt.q.Search = "green tea", true // a recall leaves out what only asks
			var got []string
			for _, h := range ask(t, m, tt.q).Hits {
				got = append(got, h.ID)
				if tt.q.Flat && h.Tier != 3 {
					t.Errorf("%s comes from tier %d of a flat search", h.ID, h.Tier)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.want) {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEqualMatchesComeFromTheDeeperScopeThenTheNewer(t *testing.T) {
	m := &memory{}
	deep := strata.InWorkspace("w")
	for i, scope := range []strata.Scope{global, deep, global} {
		m.fact(strata.Fact{ID: fmt.Sprint(i), Scope: scope, Category: "c", Text: "tea " + strings.Repeat("!", i) + fmt.Sprint(i), RecordedAt: noon.Add(time.Duration(i) * time.Hour)}, nil)
	}
	r, err := Find(context.Background(), m, Request{
		Query:    strata.Query{View: strata.View{Scopes: []strata.Scope{deep, global}}, Text: "tea"},
		Analysis: analyze("tea"), Now: noon.Add(9 * time.Hour), Weights: flatWeights(),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range r.Hits {
		got = append(got, h.ID)
	}
	if want := []string{"1", "2", "0"}; !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

// flatWeights score by own words alone.
func flatWeights() *Weights {
	w := DefaultWeights()
	w.Recency, w.Parent = 0, 0
	return &w
}

func TestBudgetIsHard(t *testing.T) {
	m := facts(t, "green tea one", "green tea two two two two two two two two two", "green tea three")
	all := ask(t, m, strata.Query{Text: "green tea"})
	if all.Tokens != 0 || len(all.Notes) != 0 || len(all.Hits) != 3 {
		t.Fatalf("without a budget: %d hits, %d tokens, notes %q", len(all.Hits), all.Tokens, all.Notes)
	}
	for budget := 1; budget < 40; budget++ {
		r := ask(t, m, strata.Query{Text: "green tea", Tokens: budget})
		if r.Tokens > budget {
			t.Errorf("budget %d: %d tokens", budget, r.Tokens)
		}
		if (len(r.Hits) < 3) != (len(r.Notes) > 0) {
			t.Errorf("budget %d: %d hits, notes %q", budget, len(r.Hits), r.Notes)
		}
	}
}

func TestATimeInTheQuestionPrefersWhatWasSaidThen(t *testing.T) {
	m := &memory{}
	for i, at := range []time.Time{noon.AddDate(0, 0, -2), noon.AddDate(0, -10, 0)} {
		m.turn(strata.Turn{ID: fmt.Sprint(i), Scope: global, Session: fmt.Sprint(i), Seq: 1, Text: "we saw a film " + fmt.Sprint(i), At: at}, nil)
	}
	if got := first(t, askWords(t, m, "which film did we see ten months ago?")).ID; got != "1" {
		t.Errorf("found %s", got)
	}
	if got := first(t, askWords(t, m, "which film did we see?")).ID; got != "0" {
		t.Errorf("without a time found %s", got)
	}
}

func TestStepsAreNamed(t *testing.T) {
	var got []string
	for _, s := range ask(t, facts(t, "tea"), strata.Query{Text: "tea"}).Steps {
		got = append(got, s.Name)
	}
	if want := []string{"words", "vectors", "rank", "explain"}; !slices.Equal(got, want) {
		t.Errorf("steps %q, want %q", got, want)
	}
}

// A turn beside one that words find is found by what it means, too.
func TestATurnBesideAMatchIsFoundByItsMeaning(t *testing.T) {
	m := &memory{}
	say := func(seq int64, said string, v []float32) {
		m.turn(strata.Turn{ID: fmt.Sprint("a", seq), Scope: global, Session: "a", Seq: seq, Role: strata.RoleUser, Text: said, At: noon}, v)
	}
	say(1, "Something about the bicycle.", []float32{0, 1, 0, 0})
	say(2, "Two wheels, a bell and a basket.", []float32{1, 0, 0, 0})
	r := findBy(t, m, strata.Query{View: global.View(), Text: "bicycle", Limit: 10, All: true}, []float32{1, 0, 0, 0})
	at := slices.Index(ids(r), "a2")
	if at < 0 || r.Hits[at].Why.Vector == 0 {
		t.Errorf("found %q: %+v", ids(r), r.Hits)
	}
}

// Of more sessions than are weighed, those that say most of the question are.
func TestTheSessionThatSaysMostIsWeighed(t *testing.T) {
	m := &memory{}
	m.talk("most", slices.Repeat([]string{"user: The bicycle is in Ghent"}, 12)...)
	for i := range maxParents + 20 {
		m.talk(fmt.Sprintf("s%d-", i), "user: A bicycle")
	}
	if h := first(t, askWords(t, m, "the bicycle in Ghent")); h.Session != "most" || h.Why.Parent == 0 {
		t.Errorf("first %+v", h)
	}
}
