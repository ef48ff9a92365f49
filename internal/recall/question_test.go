package recall

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strata-memory/strata"
)

func TestEveryPartOfAQuestionGetsItsEvidence(t *testing.T) {
	m := &memory{}
	for i := range 12 {
		m.fact(strata.Fact{ID: fmt.Sprint("c", i), Scope: global, Text: fmt.Sprintf("the cat slept on sofa number %d of the house", i), RecordedAt: noon}, nil)
	}
	m.fact(strata.Fact{ID: "name", Scope: global, Text: "the old cat is called Biscuit", RecordedAt: noon}, nil)
	m.fact(strata.Fact{ID: "db", Scope: global, Text: "billing uses a PostgreSQL database", RecordedAt: noon}, nil)
	got := asked(t, m, "What is the old cat called, and which database does billing use?", nil)
	if len(got) < 2 || !slices.Contains(got[:2], "name") || !slices.Contains(got[:2], "db") {
		t.Errorf("found %q", got)
	}
}

func asked(t *testing.T, m *memory, question string, v []float32) []string {
	t.Helper()
	r, err := Find(context.Background(), m, Request{
		Query:    strata.Query{View: global.View(), Text: question},
		Analysis: analyze(question), Model: fakeModel, Vector: v, Now: noon,
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.ID)
	}
	return out
}

func TestAThingAnswersForItsKind(t *testing.T) {
	m := &memory{}
	for i, s := range []string{"we keep invoices in PostgreSQL", "the invoices are printed on Mondays", "she bought a violin", "she bought a lamp"} {
		m.fact(strata.Fact{ID: fmt.Sprint(i), Scope: global, Text: s, RecordedAt: noon}, nil)
	}
	for question, want := range map[string]string{"which database holds invoices?": "0", "what instrument does she have?": "2", "where to purchase a lamp": "3"} {
		if got := asked(t, m, question, nil); len(got) == 0 || got[0] != want {
			t.Errorf("%q found %q, want %s first", question, got, want)
		}
	}
}

func TestATimeToldByAnEvent(t *testing.T) {
	m := &memory{}
	say := func(id string, days int, s string) {
		m.turn(strata.Turn{ID: id, Scope: global, Session: "s" + id, Seq: 1, Speaker: "Ada", Text: s, At: noon.AddDate(0, 0, days)}, nil)
	}
	say("trip", -100, "our trip to the Azores begins")
	say("near", -114, "met a neighbor for tea")
	say("far", -10, "met a neighbor for tea again")
	got := asked(t, m, "Whom did Ada meet for tea two weeks before the trip to the Azores?", nil)
	if i, j := slices.Index(got, "near"), slices.Index(got, "far"); i < 0 || j >= 0 && j < i {
		t.Errorf("found %q, want near before far", got)
	}
	a := analyze("two weeks before the trip").Relative
	if a == nil || a.Count != 2 || a.Unit != "weeks" || a.After {
		t.Errorf("relative time %+v", a)
	}
	if a := analyze("before 2020").Relative; a != nil {
		t.Errorf("a year is no event: %+v", a)
	}
}

func TestATimeThatIsInsistedOnFilters(t *testing.T) {
	m := &memory{}
	for i, day := range []int{-500, -30} {
		m.turn(strata.Turn{ID: fmt.Sprint(i), Scope: global, Session: fmt.Sprint(i), Seq: 1, Text: "painted the fence" + []string{"", " again"}[i], At: noon.AddDate(0, 0, day)}, nil)
	}
	m.fact(strata.Fact{ID: "fact", Scope: global, Text: "the fence is painted green", RecordedAt: noon.AddDate(-3, 0, 0)}, nil)
	tests := []struct {
		in   string
		want []string
	}{
		{"who painted the fence since January", []string{"1", "fact"}},
		{"who painted the fence only in 2024", []string{"0", "fact"}},
		{"who painted the fence in 2024", []string{"0", "1", "fact"}},
		{"who painted the fence only in 2019", []string{"0", "1", "fact"}}, // nothing is in it: nothing is dropped
	}
	for _, tt := range tests {
		got := asked(t, m, tt.in, nil)
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q found %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestATurnIsFoundByTheDayItSpeaksOf(t *testing.T) {
	at := time.Date(2023, 5, 8, 13, 0, 0, 0, time.UTC)
	for said, want := range map[string]string{
		"I swam yesterday": "7 May 2023", "we moved last month": "April 2023", "I swim": "", "we met a year ago": "",
	} {
		if got := dayMentioned(strata.Turn{Text: said, At: at}); got != want {
			t.Errorf("day of %q = %q, want %q", said, got, want)
		}
	}
}

// Vectors that mean nothing must leave the order that words give.
func TestAUselessEmbedderIsNotTrusted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, narrow := range []float32{0, 5} {
		with := &memory{}
		for i := range 60 {
			f := strata.Fact{ID: fmt.Sprint(i), Scope: global, RecordedAt: noon,
				Text: fmt.Sprintf("the green boat %s number %d", []string{"sails", "sails far", "rests at anchor"}[i%3]+[]string{"", " at dawn"}[i%2], i)}
			v := make([]float32, 64)
			for j := range v {
				v[j] = narrow + float32(r.NormFloat64())
			}
			with.fact(f, v)
		}
		q := make([]float32, 64)
		for j := range q {
			q[j] = 1
		}
		const question = "which green boat sails far at dawn"
		a := asked(t, with, question, q)
		best := 0
		for _, id := range a {
			if n := atoi(id); n%3 == 1 && n%2 == 1 {
				best++
			}
		}
		if best != len(a) {
			t.Errorf("spread %v: %d of %d hits hold all words: %q", narrow, best, len(a), a)
		}
	}
}

func atoi(s string) (n int) {
	_, _ = fmt.Sscan(s, &n)
	return n
}
