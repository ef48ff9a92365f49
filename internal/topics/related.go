package topics

import (
	"slices"
	"strings"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

// Related are the words that may be in an answer for a word of a question:
// other names and forms of the same thing, and for a kind of things ("country")
// the best known of them ("Spain").
type Related struct {
	Synonyms []string // index terms of other names and forms
	Hyponyms []string // index terms of things of that kind
}

// RelatedTo returns the words related to an index term; the zero Related if none is known.
func RelatedTo(term string) Related { return related()[term] }

var related = sync.OnceValue(func() map[string]Related {
	out := make(map[string]Related)
	for line := range lines(synonymList) {
		terms := termsOf(line)
		for _, t := range terms {
			k := out[t]
			for _, other := range terms {
				if other != t && !slices.Contains(k.Synonyms, other) {
					k.Synonyms = append(k.Synonyms, other)
				}
			}
			out[t] = k
		}
	}
	for line := range lines(kindList) {
		names, members, _ := strings.Cut(line, ":")
		of := termsOf(members)
		for _, t := range termsOf(names) {
			k := out[t]
			for _, m := range of {
				if m != t && !slices.Contains(k.Synonyms, m) && !slices.Contains(k.Hyponyms, m) {
					k.Hyponyms = append(k.Hyponyms, m)
				}
			}
			out[t] = k
		}
	}
	return out
})

// termsOf returns the distinct index terms of a list of words.
func termsOf(list string) []string {
	var out []string
	for w := range strings.FieldsSeq(list) {
		for _, t := range text.Terms(w) {
			if !slices.Contains(out, t) {
				out = append(out, t)
			}
		}
	}
	return out
}
