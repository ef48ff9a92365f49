package concept

import "github.com/strata-memory/strata/internal/text"

// word is all that is known of a lower-case word by itself.
type word struct {
	tag      string         // empty if it makes none
	term     string         // its index term, if it has triggers
	triggers []trigger      // the topics it speaks for
	names    []glossaryName // the glossary names that begin with it
}

// words remembers the words seen lately: few make up most of what people write.
var words = text.NewMemo[*word](1 << 12)

// wordOf returns what is known of a lower-case word.
func wordOf(s string) *word {
	return words.Get(s, func(s string) *word {
		w := &word{names: glossaryNames().byWord[s]}
		w.tag, _ = Tag(s)
		w.term, w.triggers = topicLexicon().lookup(s)
		return w
	})
}

// analysis is a text cut into words.
type analysis struct {
	text  string
	words []string
	known []*word
}

func analyze(s string) analysis {
	r := analysis{text: s, words: text.Words(s)}
	r.known = make([]*word, len(r.words))
	for i, w := range r.words {
		r.known[i] = wordOf(w)
	}
	return r
}

// Describe returns the concept tags of a text, as [Derive] does, and the best
// category name for it: its leading topic, else the first of its tags that could
// name a category, else [Unsorted]. It reports whether the name is that of a
// topic.
func Describe(s string, limit int) (tags []string, category string, topic bool) {
	s = text.Head(s, maxScanned)
	r := analyze(s)
	category, topic = r.category()
	return derive(s, limit, &r), category, topic
}
