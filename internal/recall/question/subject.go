package question

import "github.com/strata-memory/strata/internal/text"

// bland are words that say little about the subject of a question, however rare they are
// in a memory. They add to the words that are generic in every question.
var bland = text.WordSet(`own favorite favourite best good new old big last first next year month week day time
	number use get make want need like go take have keep`)

// Bland reports whether a word says little about the subject of a question, however rare
// it is in a memory.
func Bland(word string) bool { return bland[word] }

// Subject returns the terms that say what the question is about, in order. It leaves out
// stop words, generic and bland words, words that come only from a tag, and words that an
// answer may well leave out.
func (a Analysis) Subject() []Term {
	var out []Term
	for _, t := range a.Terms {
		if t.Weight == 1 && !t.Stop && !t.Tag && !Bland(t.Word) && !a.Expected.Optional(t.Word) {
			out = append(out, t)
		}
	}
	return out
}
