package forget

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

func TestNumbersAreOneHoweverTheyAreWritten(t *testing.T) {
	for said, want := range map[string][]string{
		"85,000": {"85000"}, "85 000": {"85000"}, "85.000,00": {"85000"}, "85k": {"85000"}, "2 Mio": {"2000000"}, "4711": {"4711"},
		"+49 170 5551234": {"491705551234"}, "(0170) 555-12-34": {"1705551234"},
		"14/03/1987": {"14", "3", "1987"}, "1987-03-14": {"1987", "3", "14"}, "DE89 3704 0044 0532 0130 00": {"de89", "370400440532013000"},
		"v2": {"v2"}, "12 and 13": {"12", "13"},
	} {
		var got []string
		for _, w := range wordsOf(said) {
			if w.key != "and" {
				got = append(got, w.key)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}

// Two words that are the same in different forms, and rows of the database with one of them
// that the pattern of the other lets pass.
func TestSameWords(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Whiskerino", "whiskerino's", true}, {"Мурка", "Мурку", true}, {"epilepsy", "Epilepsie", true}, {"85,000", "85k", true},
		{"+49 170 5551234", "0170-5551234", true}, {"q.zander@example.org", "q.zander@example.org.", true}, {"221b", "221B", true},
		{"Zoroastrian", "zoroastrisch", true}, {"두부찌개", "두부찌개가", true}, {"トム", "トムは", true}, {"DE8937040044", "DE89 3704 0044", true},
		{"4711", "14711", false}, {"Petra", "Petrol", false}, {"Brzoza", "Brzozę", true}, {"Wincenty", "Wincentego", true}, {"sertraline", "Sertralin", true}, {"cat", "cats and dogs", true}, {"tea", "team", false}, {"93", "1993", false},
	} {
		in := func(w word) bool { return slices.ContainsFunc(wordsOf(c.b), w.same) }
		got := slices.ContainsFunc(wordsOf(c.a), in)
		if got != c.want {
			t.Errorf("%q in %q: %v", c.a, c.b, got)
		}
		for _, w := range wordsOf(c.a) {
			if in(w) && text.IsASCII(c.b) && !like(c.b, w.pattern()) {
				t.Errorf("%q does not meet %q of %q", c.b, w.pattern(), c.a)
			}
		}
	}
}

// like reports whether a text meets an SQL pattern, as SQLite compares.
func like(s, pattern string) bool {
	expr := strings.ReplaceAll(strings.ReplaceAll(regexp.QuoteMeta(pattern), "%", ".*"), "_", ".")
	return regexp.MustCompile(`(?is)^` + expr + `$`).MatchString(s)
}

// words is a lexicon of a few words.
var words = Lexicon{
	Known: func(w string) bool {
		return strings.Contains(" cat sister petra epilepsy locker ferry island budget tea ", " "+w+" ")
	},
	General: func(w string) bool { return w == "user" || w == "number" || w == "likes" || w == "like" },
}

func TestWhatASentenceTells(t *testing.T) {
	cat := Statement{Text: "The user's cat is named Whiskerino", Value: "Whiskerino", Slot: "cat name", Named: true, Cased: true}
	locker := Statement{Text: "The user's locker number is 4711", Cased: true}
	for _, c := range []struct {
		of    Statement
		said  string
		where Where
		want  Verdict
	}{
		{cat, "Noted: your cat is called Whiskerino.", Anywhere, Tells},
		{cat, "I fed Whiskerino.", Anywhere, Tells},
		{cat, "Whiskerino knocked over the vase.", Told, Tells},
		{cat, "Whiskerino knocked over the vase.", Anywhere, Holds},
		{cat, "The ferry is called Whiskerino.", Told, Holds},
		{cat, "My cat sleeps.", Told, Nothing},
		{locker, "4711?", Anywhere, Tells},
		{locker, "Invoice 4711 is due on Friday.", Told, Holds},
		{locker, "I typed 4711 at the door of the gym.", Told, Tells},
		{locker, "I typed 4711 at the door of the gym.", Anywhere, Holds},
		{locker, "It is 14711.", Told, Nothing},
	} {
		if got := ValuesOf([]Statement{c.of}, words).In(c.said, c.where); got != c.want {
			t.Errorf("%q, %q: %v, want %v", c.of.Text, c.said, got, c.want)
		}
	}
}

func TestATurnLosesWhatTells(t *testing.T) {
	s := Fact("fact_1", []strata.Fact{{Text: "The user's cat is named Whiskerino"}}, &Telling{
		Values: ValuesOf([]Statement{{Text: "The user's cat is named Whiskerino", Value: "Whiskerino", Slot: "cat name", Named: true, Cased: true}}, words),
	})
	for said, want := range map[string]string{
		"The ferry is late. Your cat Whiskerino is well! Good.": "The ferry is late. " + gone + " Good.",
		"- ferry\n- cat: Whiskerino\n1. Whiskerino, your cat\n": "- ferry\n- " + gone + "\n1. " + gone + "\n",
		"The ferry is late.":              "The ferry is late.",
		"I fed Whiskerino. Whiskerino...": gone,
	} {
		turn := strata.Turn{Text: said}
		if changed := s.BlankTurn(&turn, Anywhere); turn.Text != want || changed == (said == want) || turn.Forgotten != (want == gone) {
			t.Errorf("%q became %q, %v", said, turn.Text, turn.Forgotten)
		}
	}
}
