package answer

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/recall/question"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
)

const (
	// notInMemory begins the last line of an answer if something is missing; allInMemory
	// is the last line if nothing is.
	notInMemory = "Not in memory:"
	allInMemory = "Memory has something on each part of the question."
	// maxMissing is the most words or parts of a question that the last line names,
	// maxMissingWords the most words in it, and maxWord the most characters of one word.
	maxMissing      = 8
	maxMissingWords = 25
	maxWord         = 60
)

// missing returns what a question asks for and no evidence holds: words that no evidence
// has, and parts of the question that no single piece of evidence covers by half.
func missing(a question.Analysis, evidence []Citation) []string {
	var held []map[string]bool
	for _, c := range evidence {
		held = append(held, termsOf(c))
	}
	var out, absent []string
	words := make(map[string]string) // written word of each term of the subject
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

// written returns a word as the question writes it if it is a name, cut to maxWord.
func written(word string, names []string) string {
	if i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, word) }); i >= 0 {
		word = names[i]
	}
	return fence.Cut(word, maxWord)
}

// apart returns the words of a part of the question that evidence has, but only in
// separate pieces: no single one has more than half of them. It returns "" if one has.
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
		return "" // the list already names its absent words
	}
	return strings.Join(named, " with ")
}

// termsOf returns the terms that a piece of evidence has. They include the terms of the
// question that found it, which may be another form or name of one of its words.
func termsOf(c Citation) map[string]bool {
	whole := []string{c.Text, c.Speaker, c.Category}
	if c.Section != nil {
		whole = append(whole, c.Section.Name)
		whole = append(whole, c.Section.Headings...)
	}
	return text.Vocabulary(strings.Join(append(whole, c.Why.Terms...), "\n"))
}

// missingLine returns the last line of an answer.
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
