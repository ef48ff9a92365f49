package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// saidShare is the least share of a fact's words that a sentence which says the same has:
// all of three, for of three words two are in many sentences.
const saidShare = 0.75

// Sayings returns the sentences of turns that say what one of the facts does. A fact may
// tell in other words what was said: of "My cat is Tom" it says that the user's cat is.
func Sayings(facts []strata.Fact, turns []strata.Turn) []string {
	var told []map[string]bool // the words of each fact
	for _, f := range facts {
		words := text.Vocabulary(f.Text)
		delete(words, text.Term("user")) // nobody says it of himself
		told = append(told, words)
	}
	var out []string
	for _, t := range turns {
		for sentence := range text.Sentences(t.Text) {
			terms := text.Terms(sentence)
			says := func(fact map[string]bool) bool { return says(terms, fact) }
			if slices.ContainsFunc(told, says) {
				out = append(out, strings.TrimRight(sentence, " .!?…。！？"))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// says reports whether the terms of a sentence are those of a fact, or nearly.
func says(sentence []string, fact map[string]bool) bool {
	missing := 0
	for term := range fact {
		if !slices.Contains(sentence, term) {
			missing++
		}
	}
	return len(fact) > 0 && float64(missing) <= (1-saidShare)*float64(len(fact))
}
