package concept

import "github.com/strata-memory/strata/internal/text"

// word is all that is known of a lower-case word by itself.
type word struct {
	tag      string         // it makes; empty for none
	term     string         // of the index, of a word with triggers
	triggers []trigger      // of topics
	names    []glossaryName // that begin with it
}

// words remembers the words seen lately: few make up most of what people write.
var words = text.NewMemo[*word](1 << 12)

// number is what is known of all words that are made of digits alone: they are no
// tags, and no list has one.
var number word

// wordOf returns what is known of a lower-case word.
func wordOf(s string) *word {
	if text.IsNumber(s) {
		return &number // few come twice: they are not worth remembering
	}
	return words.Get(s, func(s string) *word {
		w := &word{tag: tagOf(s), names: glossaryNames().byWord[s]}
		w.term, w.triggers = topicLexicon().lookup(s)
		return w
	})
}

// tagOf returns the tag that s makes, or nothing.
func tagOf(s string) string {
	if text.IsStop(s) {
		return "" // half of most texts, told before all that Tag does
	}
	tag, _ := Tag(s)
	return tag
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
