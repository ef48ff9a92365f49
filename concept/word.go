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

// read is a text cut into words.
type read struct {
	text  string
	words []string
	known []*word
}

func readText(s string) read {
	r := read{text: s, words: text.Words(s)}
	r.known = make([]*word, len(r.words))
	for i, w := range r.words {
		r.known[i] = wordOf(w)
	}
	return r
}

// Describe returns what [Derive] and [LeadTopic] do, at the cost of little more
// than one of them.
func Describe(s string, limit int) (tags []string, lead string, topic bool) {
	s = clip(s, maxScanned)
	r := readText(s)
	tags = derive(s, limit, &r)
	lead, topic = r.lead(nil)
	return tags, lead, topic
}
