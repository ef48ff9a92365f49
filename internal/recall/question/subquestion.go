package question

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// maxSubquestions is the most parts that a question is divided into. People
// seldom ask for more at once.
const maxSubquestions = 4

// questionWords begin a question or, after a joining word, a further one.
var questionWords = text.WordSet(`who whom whose what when where why how which
	did does do is are was were has have had can could will would should
	qué quién cuándo dónde cómo cuál qui quoi quand où comment quel quelle
	wer wen wem was wann wo wie welche welcher welches warum
	chi dove quando come quale quem onde qual`)

// joining are the words that join the parts of a question.
var joining = text.WordSet(`and or but also then plus y e o et ou und oder aber`)

// subquestions splits a question with several parts: at sentences, and where a question
// word follows a joining word or a comma. It returns the index terms of each part without
// stop words. A part without names gets those of the part before ("and when did she
// ...?"). It returns nil for a question of one part.
func subquestions(question string, names []string) [][]string {
	var parts [][]string
	var carried []string
	divided := clauses(question)
	if len(divided) < 2 {
		return nil
	}
	for _, clause := range divided {
		var terms, named []string
		own := 0
		for tok := range text.Tokens(clause) {
			if tok.Stop || slices.Contains(terms, tok.Term) {
				continue
			}
			terms = append(terms, tok.Term)
			if isName(tok.Word, names) {
				named = append(named, tok.Term)
			} else if !generic[tok.Word] {
				own++
			}
		}
		if own == 0 { // nothing but names and generic words
			if len(named) > 0 {
				carried = named
			}
			continue
		}
		if len(named) > 0 {
			carried = named
		} else {
			terms = append(terms, carried...)
		}
		if parts = append(parts, terms); len(parts) == maxSubquestions {
			break
		}
	}
	if len(parts) < 2 {
		return nil
	}
	return parts
}

// isName reports whether a lower-case word is one of the names.
func isName(word string, names []string) bool {
	word = withoutPossessive(word)
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, word) })
}

// clauses cuts a question at the ends of sentences and where another question
// begins.
func clauses(question string) []string {
	var out []string
	from := 0
	fields := strings.Fields(question)
	cut := func(to int) {
		if to > from {
			out = append(out, strings.Join(fields[from:to], " "))
		}
		from = to
	}
	for i, field := range fields {
		if i+1 < len(fields) && joining[strings.ToLower(field)] && questionWords[bare(fields[i+1])] {
			cut(i)
			from = i + 1
			continue
		}
		if strings.HasSuffix(field, ",") && i+1 < len(fields) && questionWords[bare(fields[i+1])] {
			cut(i + 1)
			continue
		}
		if strings.ContainsAny(field[len(field)-1:], "?!;") || strings.HasSuffix(field, "？") ||
			strings.HasSuffix(field, ".") && i+1 < len(fields) && questionWords[bare(fields[i+1])] {
			cut(i + 1)
		}
	}
	cut(len(fields))
	return out
}

// bare returns a word in lower case without the punctuation around it.
func bare(field string) string { return strings.ToLower(strings.TrimFunc(field, notWord)) }
