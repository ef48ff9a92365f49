package recall

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// maxQuestionParts is the most parts that a question is taken apart into.
const maxQuestionParts = 4

// questionWords begin a question, or after "and" a further one.
var questionWords = text.WordSet(`who whom whose what when where why how which
	did does do is are was were has have had can could will would should
	qué quién cuándo dónde cómo cuál qui quoi quand où comment quel quelle
	wer wen wem was wann wo wie welche welcher welches warum
	chi dove quando come quale quem onde qual`)

// joining words stand between the parts of a question.
var joining = text.WordSet(`and or but also then plus y e o et ou und oder aber`)

// opensPart reports whether a word can stand before the question word of a part.
func opensPart(w string) bool { return joining[w] }

// questionParts takes a question with several parts apart: at sentences, and
// where "and" or a comma is followed by a question word. Each part is the index
// terms that tell something in it, with the names of the parts before it where
// it has none of its own ("and when did she …?"). A question of one part has
// none.
func questionParts(question string, names []string) [][]string {
	var parts [][]string
	var carried []string
	for _, piece := range pieces(question) {
		var terms, named []string
		own := 0
		for _, tok := range text.Analyze(piece) {
			if tok.Stop || slices.Contains(terms, tok.Term) {
				continue
			}
			terms = append(terms, tok.Term)
			if isName(tok.Word, names) {
				named = append(named, tok.Term)
			} else if !frame[tok.Word] {
				own++
			}
		}
		if own == 0 { // nothing to look for alone
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
		if parts = append(parts, terms); len(parts) == maxQuestionParts {
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
	word = possessor(word)
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, word) })
}

// pieces cuts a question at the ends of sentences and where another question
// begins.
func pieces(question string) []string {
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

func bare(field string) string { return strings.ToLower(strings.TrimFunc(field, notWord)) }

// subset are the features of a part of the question.
type subset struct {
	holds []bool
	ideal float64 // the sum of their weights
}

// subset finds the features of a part.
func (l *lookup) subset(terms []string) subset {
	s := subset{holds: make([]bool, l.size())}
	for i, t := range l.terms {
		if slices.Contains(terms, t) {
			s.holds[i] = true
			s.ideal += l.idf[i]
		}
	}
	return s
}

// matched is what features that matched with some values make of the part, in
// [0,1].
func (s *subset) matched(values []float64) float64 {
	if s.ideal == 0 {
		return 0
	}
	sum := 0.0
	for i, v := range values {
		if s.holds[i] {
			sum += v
		}
	}
	return min(sum/s.ideal, 1)
}
