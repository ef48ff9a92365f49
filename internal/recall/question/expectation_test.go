package question

import (
	"testing"

	"github.com/strata-memory/strata/internal/text"
)

func TestTheAnswerIsOfTheKindAskedFor(t *testing.T) {
	tests := []struct {
		question, text string
		want           bool
	}{
		{"How many keys are there?", "The keys hang in the hall", false},
		{"How many keys are there?", "There are three keys", true},
		{"How many guests come in May?", "The guests come on 4 May 2026", false},
		{"How old is the house?", "The house was built in 1931", true},
		{"How old is the house?", "The house is red", false},
		{"Who waters the orchid?", "The orchid stands at the window", false},
		{"Who waters the orchid?", "Ines waters the orchid", true},
		{"Who waters the orchid?", "My neighbor waters the orchid", true},
		{"Who waters the orchid?", "ines waters the orchid", true}, // names cannot be told
		{"Who is the dentist?", "My dentist sits above the bakery", true},
		{"Who climbs at Fontana?", "We climb at Fontana on Fridays", false},
		{"When is the concert?", "The concert is on Friday", true},
		{"When is the concert?", "The concert is in the old hall", false},
		{"When do I water the orchid?", "The orchid is watered each morning", true},
		{"What is the name of the cat?", "The cat sleeps in March", false},
		{"What is the name of the cat?", "Biscuit is our cat", true},
		{"What is the cat called?", "the cat is called biscuit", true},
		{"Wie viele Schlüssel gibt es?", "Die Schlüssel hängen im Flur", false},
		{"What hangs in the hall?", "The keys hang in the hall", true},
		{"", "The keys hang in the hall", true},
	}
	for _, tt := range tests {
		e := expectationOf(text.Analyze(tt.question), wantsTime(text.Words(tt.question)))
		if got := e.HeldBy(tt.text); got != tt.want {
			t.Errorf("%q is answered by %q: %v", tt.question, tt.text, got)
		}
	}
}

func TestOptionalWordsOfAQuestion(t *testing.T) {
	for question, want := range map[string][]string{
		"Which charity do we support?":      {"charity", "support"},
		"Who treats my knee?":               {"treats"},
		"Which seat should you reserve?":    {"seat", "reserve"},
		"What broke the lamp?":              {"broke"},
		"Does the parrot bite?":             nil,
		"Which old wooden chair was found?": {"old", "wooden", "chair"},
	} {
		e := expectationOf(text.Analyze(question), false)
		if len(e.optional) != len(want) {
			t.Errorf("%q: %v", question, e.optional)
		}
		for _, w := range want {
			if !e.optional[w] {
				t.Errorf("%q: %q is not optional", question, w)
			}
		}
	}
}
