package topics

import (
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

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

// reading is the beginning of a text, and what is known of its words.
type reading struct {
	text, composed string
	words          []string
	known          []*word
}

// read returns the reading of a text. Only the first 16 KiB of it count.
func read(a *text.Analysis) reading {
	if len(a.Text()) > maxScanned {
		a = text.Analyze(text.Head(a.Text(), maxScanned))
	}
	return readingOf(a.Text(), a.Composed(), a.Words())
}

func readingOf(text, composed string, words []string) reading {
	r := reading{text: text, composed: composed, words: words, known: make([]*word, len(words))}
	for i, w := range words {
		r.known[i] = wordOf(w)
	}
	return r
}

// parted is the reading with the parts of words that an underscore joins in place of
// these words.
func (r reading) parted() reading {
	if !strings.Contains(r.composed, "_") {
		return r
	}
	var parts []string
	for _, w := range r.words {
		for part := range strings.SplitSeq(w, "_") {
			if part != "" {
				parts = append(parts, part)
			}
		}
	}
	return readingOf(r.text, r.composed, parts)
}

// Describe returns the concept tags of a text, as [Derive] does, and the best
// category name for it: its leading topic, else the first of its tags that could
// name a category, else [Unsorted]. It reports whether the name is that of a
// topic.
func Describe(a *text.Analysis, limit int) (tags []string, category string, topic bool) {
	r := read(a)
	category, topic = r.category()
	return r.tags(limit), category, topic
}
