package question

import "github.com/strata-memory/strata/internal/text"

// bland are words that say little of what a question is about, however rare they
// are in a memory, beside those that are generic in every question.
var bland = text.WordSet(`own favorite favourite best good new old big last first next year month week day time
	number use get make want need like go take have keep`)

// Bland reports whether a word says little of what a question is about, however rare
// it is in a memory.
func Bland(word string) bool { return bland[word] }

// Subject returns the terms that say what the question is about, in order: without
// stop words, words that are generic or bland, those that only a tag names, and those
// that an answer may well leave out.
func (a Analysis) Subject() []Term {
	var out []Term
	for _, t := range a.Terms {
		if t.Weight == 1 && !t.Stop && !t.Tag && !Bland(t.Word) && !a.Expected.Optional(t.Word) {
			out = append(out, t)
		}
	}
	return out
}
