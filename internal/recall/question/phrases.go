package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

const (
	// maxPhrases is the most phrases of a question that are looked up.
	maxPhrases = 4
	// maxPhraseTerms is the length of the longest phrase, in terms. Longer ones are cut.
	maxPhraseTerms = 12
)

// names returns the capitalized words that do not begin a sentence, each once.
func names(question string) []string {
	var out []string
	seen := make(map[string]bool)
	begins := true
	for _, field := range strings.Fields(question) {
		w := strings.TrimFunc(field, notWord)
		if w == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(w)
		w = withoutPossessive(w)
		if unicode.IsUpper(first) && !begins && w != "I" && !strings.HasPrefix(w, "I'") && !text.IsStop(strings.ToLower(w)) && !seen[w] {
			seen[w] = true
			if len(out) < MaxTerms {
				out = append(out, w)
			}
		}
		begins = strings.ContainsAny(field[len(field)-1:], ".!?:")
	}
	return out
}

// notWord reports whether r is neither a letter nor a number.
func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// phrases returns the quoted parts and the identifiers that have two terms or more.
func phrases(question string) [][]string {
	var out [][]string
	add := func(part string) {
		terms := text.Terms(part)
		if len(terms) < 2 || len(out) == maxPhrases {
			return
		}
		out = append(out, terms[:min(len(terms), maxPhraseTerms)])
	}
	for _, part := range quoted(question) {
		add(part)
	}
	for _, field := range strings.Fields(question) {
		if w := strings.TrimFunc(field, notWord); isIdentifier(w) {
			add(w)
		}
	}
	return out
}

// quoted returns the parts of a text between quotation marks. It ignores a mark that is
// never closed.
func quoted(s string) []string {
	var out []string
	closing := map[rune]string{'"': "\"", '“': "”", '„': "“”", '«': "»", '「': "」"}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		marks, opens := closing[r]
		if !opens {
			continue
		}
		end := strings.IndexAny(s[i:], marks)
		if end < 0 {
			continue
		}
		out = append(out, s[i:i+end])
		_, size = utf8.DecodeRuneInString(s[i+end:])
		i += end + size
	}
	return out
}

// isIdentifier reports whether a word is written like a name in a program: with
// punctuation at which text analysis splits, other than a hyphen or colon between
// letters.
func isIdentifier(w string) bool {
	return strings.ContainsAny(w, "-_/.:@#") && strings.ContainsAny(w, "_/.@#0123456789")
}
