package recall

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/evidence"
)

// household are facts of one home; half of the questions below have no answer among
// them, though most share a word with one.
var household = []string{
	"The plumber for the boiler is Ms. Okafor",
	"The boiler was serviced on 12 September",
	"Our kayak hangs in the garage",
	"The rent of the studio is 900 francs a month",
	"I am allergic to peanuts",
	"The piano is tuned by Walter every spring",
	"Rosa's swimming lesson is on Tuesday at noon",
	"The spare key lies under the blue pot",
	"Backups of the photos run at midnight",
	"The lease ends in June 2029",
	"My own year at sea was my favorite",
}

func TestWhatHasNoEvidenceIsNotFound(t *testing.T) {
	m := facts(t, household...)
	for _, question := range []string{
		"Do I own a boat?", "Who won the election of 1996?", "What is the boiling point of mercury?",
		"How heavy is the piano?", "How old is Rosa?", "How many keys are under the blue pot?",
		"Who painted the studio?", "What is my favorite opera singer?",
	} {
		r := ask(t, m, strata.Query{Text: question})
		if len(r.Hits) > 0 {
			t.Errorf("%q finds %q with evidence %.2f", question, r.Hits[0].Text, r.Hits[0].Evidence)
		}
		if notes := strings.Join(r.Notes, "\n"); r.weakNote() != strings.Contains(notes, "ask with all") {
			t.Errorf("%q: notes %q", question, notes)
		}
		all := ask(t, m, strata.Query{Text: question, All: true})
		for _, h := range all.Hits {
			if h.Evidence >= evidence.Floor(strata.Query{}) {
				t.Errorf("%q: %q has evidence %.2f and was left out", question, h.Text, h.Evidence)
			}
		}
	}
}

// weakNote reports whether a ranking that found nothing should say that there is
// something near: whenever it says anything.
func (r Ranking) weakNote() bool { return len(r.Notes) > 0 }

func TestWhatAnswersHasEvidence(t *testing.T) {
	m := facts(t, household...)
	for question, want := range map[string]string{
		"Who is the plumber?":             "Okafor",
		"When was the boiler serviced?":   "12 September",
		"Where is our kayak?":             "garage",
		"How much is the rent?":           "900",
		"Am I allergic to anything?":      "peanuts",
		"Who tunes the piano?":            "Walter",
		"When is Rosa's swimming lesson?": "Tuesday",
		"spare key":                       "blue pot",
		"kayak":                           "garage",
		"kayyak":                          "garage", // misspelt
		"When does the lease end?":        "2029",
		"Which instrument is tuned?":      "piano",
	} {
		if h := first(t, ask(t, m, strata.Query{Text: question})); !strings.Contains(h.Text, want) || h.Evidence < evidence.Floor(strata.Query{}) {
			t.Errorf("%q finds %q with evidence %.2f", question, h.Text, h.Evidence)
		}
	}
}

// A recall that nobody asked for is told less.
func TestAutomaticRecallNeedsMoreEvidence(t *testing.T) {
	m := facts(t, household...)
	const question = "Where does the nephew of Otto keep our kayak?" // one of four words
	asked := first(t, ask(t, m, strata.Query{Text: question, All: true})).Evidence
	if !(asked > 0 && asked < evidence.Floor(strata.Query{Automatic: true})) {
		t.Fatalf("evidence is %.2f", asked)
	}
	if r := ask(t, m, strata.Query{Text: question, Automatic: true}); len(r.Hits) > 0 || len(r.Notes) > 0 {
		t.Errorf("automatic recall finds %q, notes %q", texts(r), r.Notes)
	}
	if r := ask(t, m, strata.Query{Text: "kayak garage", Automatic: true}); len(r.Hits) != 1 {
		t.Errorf("automatic recall finds %q", texts(r))
	}
}

func TestEvidenceIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawWorld(t).stored(0)
		question, v := sentence(t, "question"), vectorOf(t, "asked")
		all := findAll(t, m, question, v)
		for _, h := range all.Hits {
			if !(h.Evidence >= 0 && h.Evidence <= 1) {
				t.Fatalf("evidence is %v: %+v", h.Evidence, h)
			}
		}
		// The floor leaves out and changes nothing else.
		var kept []string
		for _, h := range all.Hits {
			if h.Evidence >= evidence.Floor(strata.Query{}) {
				kept = append(kept, h.ID)
			}
		}
		for i, h := range find(t, m, question, v).Hits {
			if i < len(kept) && kept[i] != h.ID {
				t.Fatalf("hit %d is %s, without the floor %s", i, h.ID, kept[i])
			}
		}
	})
}

func TestAMatchingWordNeverLowersEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nouns := strings.Fields("kettle anchor violin ledger orchid tunnel walnut mirror")
		question := strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(nouns), 2, 6, rapid.ID).Draw(t, "question"), " ")
		asked := strings.Fields(question)
		text := strings.Join(rapid.SliceOfNDistinct(rapid.SampledFrom(nouns), 1, 5, rapid.ID).Draw(t, "text"), " ")
		more := text + " " + rapid.SampledFrom(asked).Draw(t, "word")
		if a, b := evidenceOf(t, question, text), evidenceOf(t, question, more); b < a-1e-12 {
			t.Fatalf("%q: %q has evidence %v, %q has %v", question, text, a, more, b)
		}
	})
}

// evidenceOf is the evidence of a fact among a few others, by words alone.
func evidenceOf(t *rapid.T, question, text string, others ...string) float64 {
	m := &memory{}
	m.fact(strata.Fact{ID: "it", Scope: global, Text: text, RecordedAt: noon}, nil)
	for _, s := range append(others, household...) {
		m.fact(strata.Fact{Scope: global, Text: s, RecordedAt: noon}, nil)
	}
	for _, h := range findAll(t, m, question, nil).Hits {
		if h.ID == "it" {
			return h.Evidence
		}
	}
	return 0
}

// What else a memory holds decides which words are rare, and little more.
func TestEvidenceDoesNotDependOnTheSizeOfMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var others []string
		for range rapid.IntRange(100, 400).Draw(t, "others") {
			others = append(others, "The tram to the harbor was late again today")
		}
		for question, fact := range map[string]string{
			"Who tunes our violin?":     "The violin is tuned by Ms. Aalto",
			"Which violin strings wear": "The violin needs rosin",
		} {
			few, many := evidenceOf(t, question, fact), evidenceOf(t, question, fact, others...)
			if few <= 0 || many < few-0.1 || many > few+0.1 {
				t.Fatalf("%q has evidence %.2f, and %.2f among %d more facts", question, few, many, len(others))
			}
		}
	})
}
