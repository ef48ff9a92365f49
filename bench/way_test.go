package bench

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestEveryWordOfTheTopicsCanBeSaidOtherwise(t *testing.T) {
	for _, topic := range topics {
		for _, v := range topic.verbs {
			if s, ok := verbs()[v]; !ok || slices.Contains([]string{s.base, s.going, s.synonyms}, v) {
				t.Errorf("%q is said as %+v", v, s)
			}
		}
		for _, o := range topic.objects {
			if s, ok := things()[o]; !ok || slices.Contains([]string{s.form, s.synonyms}, o) || !strings.Contains(o, s.head) {
				t.Errorf("%q is said as %+v", o, s)
			}
		}
	}
}

// bare are the words of a text in lower case, without marks.
func bare(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// strange counts words of a part of a question that its statement has not.
func strange(part, statement string) (n int) {
	have := bare(statement)
	for _, w := range bare(part) {
		if !slices.Contains(have, w) {
			n++
		}
	}
	return n
}

func TestWaysChangeWhatTheySay(t *testing.T) {
	all := Generate(600, 1)
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom(all).Draw(t, "statement")
		p, want := s.parts, wanted(s.parts.number)%wants
		for _, way := range Ways() {
			if first, again := s.Ask(way), s.Ask(way); first != again || first == "" {
				t.Errorf("%s is asked as %q, then as %q", way, first, again)
			}
		}
		if s.Ask(Exact) != s.Question || s.Ask(Long) != s.Long || s.Ask("unknown") != s.Question {
			t.Error("the first two ways are not the fields")
		}
		for _, way := range []Way{Forms, Typo, Synonyms, Few, Mixed} {
			asked := s.Ask(way)
			for part, text := range map[wanted]string{wantDay: p.day, wantPlace: p.place, wantWho: p.who} {
				if part == want && strings.Contains(strings.ToLower(asked), strings.ToLower(text)) {
					t.Errorf("%s tells what it asks for: %q", way, asked)
				}
			}
		}
		if n := len(bare(s.Ask(Few))); n < 2 || n > 4 || strange(s.Ask(Few), s.Text) > 0 {
			t.Errorf("few: %q of %q", s.Ask(Few), s.Text)
		}
		lead := p
		lead.who, lead.verb, lead.object, lead.place, lead.day = "", "", "", "", ""
		if got := strange(s.Ask(Typo), s.Text+" "+lead.said(want, "")); got != 1 {
			t.Errorf("typo: %d words that the statement has not: %q of %q", got, s.Ask(Typo), s.Text)
		}
	})
}

// A question must not be answered by most of what is there, and what answers
// it must not stand out: others share most of what is asked for.
func TestManyStatementsShareMostOfWhatIsAsked(t *testing.T) {
	const n, questions = 10_000, 50
	all := Generate(n, 1)
	for _, s := range Spread(Corpus{Seed: 1}, n, questions) {
		p, want := s.parts, wanted(s.parts.number)%wants
		same, most := 0, 0 // share all three parts, or two of them
		for _, o := range all {
			q, shared := o.parts, 0
			for _, equal := range []bool{
				want == wantPlace && q.month() == p.month(), want == wantWho && q.day == p.day, want != wantPlace && q.place == p.place, want != wantWho && q.who == p.who, q.object == p.object,
			} {
				if equal {
					shared++
				}
			}
			if shared == 3 {
				same++
			}
			if shared == 2 {
				most++
			}
		}
		if same < 1 || same > 5 || most < 3 {
			t.Errorf("%q: %d statements share all three parts, %d two of them", s.Ask(Typo), same, most)
		}
	}
}

func TestMisspell(t *testing.T) {
	for in, want := range map[string][4]string{
		"the kitchen window": {"the kicthen window", "the kithen window", "the kitcchen window", "the kitvhen window"},
		"Ana":                {"Aa", "Aa", "Anna", "Ama"},
		"aaaa":               {"aaa", "aaa", "aaaaa", "aasa"},
		"Élodie":             {"Éldoie", "Éloie", "Éloddie", "Élofie"},
		"ab":                 {"ab", "ab", "ab", "ab"},
		"":                   {"", "", "", ""},
		"a-b":                {"ab", "ab", "a--b", "axb"},
		"sleep":              {"selep", "slep", "sleeep", "slrep"},
		"pool":               {"pol", "pol", "poool", "popl"},
	} {
		for turn := range 4 {
			if got := misspell(in, turn); got != want[turn] {
				t.Errorf("misspell(%q, %d) = %q, want %q", in, turn, got, want[turn])
			}
		}
	}
}
