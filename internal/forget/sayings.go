package forget

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// saidShare is the share of a fact's words that a sentence must contain to say the same.
// A fact of three words needs all of them: two of three are in many sentences.
const saidShare = 0.75

// Sayings returns the sentences of turns that say what one of the facts says, sorted and
// without duplicates. The wording may differ: "My cat is Tom" says that the user's cat is
// Tom.
func Sayings(facts []strata.Fact, turns []strata.Turn) []string {
	var told []map[string]bool // the words of each fact
	for _, f := range facts {
		words := text.Vocabulary(f.Text)
		delete(words, text.Term("user")) // users do not call themselves that
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

// says reports whether a sentence contains nearly all terms of a fact.
func says(sentence []string, fact map[string]bool) bool {
	missing := 0
	for term := range fact {
		if !slices.Contains(sentence, term) {
			missing++
		}
	}
	return len(fact) > 0 && float64(missing) <= (1-saidShare)*float64(len(fact))
}
