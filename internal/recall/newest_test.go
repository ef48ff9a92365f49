package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
)

// stated are facts or turns told one day after another, the last one at noon.
func stated(texts ...string) *memory {
	m := &memory{}
	for i, s := range texts {
		at := noon.AddDate(0, 0, i+1-len(texts))
		m.turn(strata.Turn{ID: fmt.Sprint("t", i), Scope: global, Session: fmt.Sprint("s", i), Seq: 1, Role: strata.RoleUser, Text: s, At: at}, nil)
	}
	return m
}

func TestNewestValueFirst(t *testing.T) {
	talk := strings.Repeat("The weather was fine and everybody went for a walk along the river. ", 20)
	addresses := []string{
		"My address is 12 Elm Street in Leeds.",
		"My address is 7 Oak Road in York.",
		"My address is 3 Mill Lane in Hull.",
		"The cat likes the garden.",
	}
	tests := []struct {
		name     string
		texts    []string
		question string
		want     []string
	}{
		{"the newest", addresses, "What is my address?", []string{"t2", "t1", "t0"}},
		{"in the past", addresses, "What was my address before?", []string{"t1", "t0", "t2"}},
		{"the first", addresses, "What was my first address?", []string{"t0", "t1", "t2"}},
		{"German", []string{"Meine Telefonnummer lautet 030 1111.", "Meine Telefonnummer lautet 040 2222."}, "Wie lautet meine Telefonnummer?", []string{"t1", "t0"}},
		{"German, in the past", []string{"Meine Telefonnummer lautet 030 1111.", "Meine Telefonnummer lautet 040 2222."}, "Wie lautete meine Telefonnummer früher?", []string{"t0", "t1"}},
		{"Spanish", []string{"Mi número de teléfono es 1111.", "Mi número de teléfono es 2222."}, "¿Cuál es mi número de teléfono?", []string{"t1", "t0"}},
		{"a rule in long turns", []string{
			talk + "From now on write commit messages in the past tense. " + talk, talk,
			"That is all. Write commit messages in the present tense, please. " + talk + talk, talk,
		}, "How do we write commit messages?", []string{"t2", "t0"}},
		{"a weaker match stays behind", []string{
			"The staging password of the billing server is kept in the vault.",
			"The billing team is in Leeds.",
		}, "Where is the staging password of the billing server?", []string{"t0", "t1"}},
		{"a time that the statement speaks of", []string{
			"My address is 7 Oak Road in York.", "In 2019 my address was 12 Elm Street in Leeds.",
		}, "What is my address?", []string{"t0", "t1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, h := range askWords(t, stated(tt.texts...), tt.question).Hits {
				got = append(got, h.ID)
			}
			if len(got) < len(tt.want) || !slices.Equal(got[:len(tt.want)], tt.want) {
				t.Errorf("found %q, want %q first", got, tt.want)
			}
		})
	}
}

func TestBeforeATimeTheValueOfThen(t *testing.T) {
	m := &memory{}
	for i, month := range []time.Month{time.January, time.March, time.May} {
		m.turn(strata.Turn{ID: month.String(), Scope: global, Session: month.String(), Seq: 1, Role: strata.RoleUser,
			Text: fmt.Sprintf("The rent of the flat is %d euros.", 800+i), At: time.Date(noon.Year()-1, month, 3, 0, 0, 0, 0, time.UTC)}, nil)
	}
	question := fmt.Sprintf("What was the rent of the flat before April %d?", noon.Year()-1)
	if got := first(t, askWords(t, m, question)).ID; got != "March" {
		t.Errorf("first is %s", got)
	}
}

func TestOlderValuesAreMarked(t *testing.T) {
	hits := askWords(t, stated("My address is 12 Elm Street in Leeds.", "My address is 7 Oak Road in York."), "What is my address?").Hits
	if len(hits) != 2 || hits[0].OlderThan != "" || hits[1].OlderThan != hits[0].ID || len(hits[1].Notes) != 1 {
		t.Errorf("hits %+v", hits)
	}
}

func TestNewestOfASlot(t *testing.T) {
	m := &memory{}
	for i, s := range []string{"The user drives a red Volvo", "Got a bicycle for every way"} {
		m.fact(strata.Fact{ID: fmt.Sprint("f", i), Scope: global, Entity: "user", Attribute: "vehicle", Text: s, RecordedAt: noon.AddDate(0, i, -90)}, nil)
	}
	hits := askWords(t, m, "Which vehicle is it: a Volvo or a bicycle?").Hits
	if len(hits) != 2 || hits[0].ID != "f1" || hits[1].OlderThan != "f1" {
		t.Errorf("hits %+v", hits)
	}
}

// What was told later of the same person, or of the user as every fact is, is no other
// value of what is asked for: it neither takes the place of the answer nor makes it old.
func TestWhatWasToldLaterOfTheSameIsNoNewerValue(t *testing.T) {
	for _, tt := range []struct {
		name, question string
		facts          []strata.Fact
	}{
		{"of a person", "Which city is Ilse in?", []strata.Fact{
			{Entity: "ilse", Attribute: "city", Text: "Ilse moved to Nantes."},
			{Text: "Ilse adopted a pony from the shelter."},
			{Entity: "vera", Attribute: "city", Text: "Vera's home is in Lyon."},
		}},
		{"of another slot", "What is the port of the mailer?", []strata.Fact{
			{Entity: "mailer", Attribute: "port", Text: "The mailer listens on 8443."},
			{Entity: "mailer", Attribute: "owner", Text: "The mailer belongs to Kim."},
		}},
		{"of the user", "What is my favorite color?", []strata.Fact{
			{Text: "Teal is the user's color."},
			{Text: "The user keeps the spare key in the blue drawer."},
			{Text: "The user always orders black filter coffee."},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := &memory{}
			for i, f := range tt.facts {
				f.ID, f.Scope, f.RecordedAt = fmt.Sprint("f", i), global, noon.AddDate(0, i, -90)
				m.fact(f, nil)
			}
			hits := askWords(t, m, tt.question).Hits
			if len(hits) == 0 || hits[0].ID != "f0" || hits[0].OlderThan != "" {
				t.Errorf("hits %+v", hits)
			}
		})
	}
}

func TestOnlyOneSpeakerIsCompared(t *testing.T) {
	m := &memory{}
	for i, who := range []string{"Ana", "Ben"} {
		m.turn(strata.Turn{ID: who, Scope: global, Session: who, Seq: 1, Speaker: who, Text: "My address is " + fmt.Sprint(i, " Elm Street"), At: noon.AddDate(0, 0, i-9)}, nil)
	}
	for _, h := range askWords(t, m, "Which address is in Elm Street?").Hits {
		if h.OlderThan != "" {
			t.Errorf("%s is called older than %s", h.ID, h.OlderThan)
		}
	}
}

func TestEqualTimesKeepTheOrder(t *testing.T) {
	m := &memory{}
	for i, s := range []string{"The rent of the flat is 800", "The rent of the flat is 900 with heating"} {
		m.turn(strata.Turn{ID: fmt.Sprint("t", i), Scope: global, Session: fmt.Sprint("s", i), Seq: 1, Role: strata.RoleUser, Text: s, At: noon}, nil)
	}
	hits := askWords(t, m, "What is the rent of the flat?").Hits
	if len(hits) != 2 || hits[0].Why.Order != 0 || hits[0].OlderThan+hits[1].OlderThan != "" {
		t.Errorf("hits %+v", hits)
	}
}

// Only members of groups change places: what is found, and the scores of the
// places, are the same as for a question that asks for no value. In a recall a fact
// takes the place of its turn besides.
func TestOrderingValuesOnlyPermutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawWorld(t).stored(0)
		asked := sentence(t, "question")
		analysis := analyze(asked)
		analysis.Value = rapid.SampledFrom([]question.Value{question.NewestValue, question.PreviousValue, question.FirstValue}).Draw(t, "value")
		find := func(a question.Analysis) []strata.Hit {
			r, err := Find(context.Background(), m, Request{Query: strata.Query{View: global.View(), Text: asked, Limit: 60, Search: true, All: true}, Analysis: a, Now: noon})
			if err != nil {
				t.Fatal(err)
			}
			return r.Hits
		}
		ordered := find(analysis)
		analysis.Value = question.AnyValue
		plain := find(analysis)
		if len(ordered) != len(plain) {
			t.Fatalf("%d hits, %d without", len(ordered), len(plain))
		}
		for i := range plain {
			if math.Abs(ordered[i].Score-plain[i].Score) > 1e-12 {
				t.Fatalf("place %d scores %v, without %v", i, ordered[i].Score, plain[i].Score)
			}
			if at := slices.IndexFunc(ordered, func(h strata.Hit) bool { return h.ID == plain[i].ID }); at < 0 {
				t.Fatalf("%s is lost", plain[i].ID)
			} else if at != i && plain[i].Kind == strata.KindSection {
				t.Fatalf("the section %s moved", plain[i].ID)
			}
		}
	})
}
