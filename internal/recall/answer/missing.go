package answer

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// notInMemory begins the last line of an answer, where something is missing, and
	// allInMemory is it where nothing is.
	notInMemory = "Not in memory:"
	allInMemory = "Memory has something on each part of the question."
	// maxMissing is how many words or parts of a question the last line names,
	// maxMissingWords how many words it has at most, and maxWord how many characters one.
	maxMissing      = 8
	maxMissingWords = 25
	maxWord         = 60
)

// missing returns what of a question no evidence holds: words that none has, and parts
// of a question of which no single piece of evidence has half.
func missing(a question.Analysis, evidence []Citation) []string {
	var held []map[string]bool
	for _, c := range evidence {
		held = append(held, termsOf(c))
	}
	var out, absent []string
	words := make(map[string]string) // of each term of the subject
	for _, t := range a.Subject() {
		words[t.Term] = written(t.Word, a.Names)
		if !slices.ContainsFunc(held, func(terms map[string]bool) bool { return terms[t.Term] }) {
			out, absent = append(out, written(t.Word, a.Names)), append(absent, t.Term)
		}
	}
	for _, part := range a.Subquestions {
		if joined := apart(part, words, absent, held); joined != "" {
			out = append(out, joined)
		}
	}
	return out[:min(len(out), maxMissing)]
}

// written is a word as the question writes it, where it is a name, or the beginning of what
// is too long for one.
func written(word string, names []string) string {
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, word) }); i >= 0 {
		word = names[i]
	}
	return fence.Cut(word, maxWord)
}

// apart returns the words of a part of a question which evidence has, but only apart:
// no single piece has half of them. It is empty for a part that evidence is about.
func apart(part []string, words map[string]string, absent []string, held []map[string]bool) string {
	var terms, named []string
	for _, t := range part {
		if words[t] != "" && !slices.Contains(absent, t) {
			terms, named = append(terms, t), append(named, words[t])
		}
	}
	for _, has := range held {
		n := 0
		for _, t := range terms {
			if has[t] {
				n++
			}
		}
		if 2*n > len(terms) {
			return ""
		}
	}
	if len(terms) < 2 {
		return "" // what is left of it stands in the list by itself
	}
	return strings.Join(named, " with ")
}

// termsOf are the terms that evidence has, and those of the question that it was found
// by: another form or name of a word of its own.
func termsOf(c Citation) map[string]bool {
	whole := []string{c.Text, c.Speaker, c.Category}
	if c.Section != nil {
		whole = append(whole, c.Section.Name)
		whole = append(whole, c.Section.Headings...)
	}
	return text.Vocabulary(strings.Join(append(whole, c.Why.Terms...), "\n"))
}

// missingLine is the last line of an answer.
func missingLine(missing []string) string {
	if len(missing) == 0 {
		return allInMemory
	}
	words := strings.Fields(fence.Line(strings.Join(missing, ", ")))
	cut := ""
	if len(words) > maxMissingWords {
		words, cut = words[:maxMissingWords], "…"
	}
	return notInMemory + " " + strings.TrimRight(strings.Join(words, " "), ".") + cut + "."
}
