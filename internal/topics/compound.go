package topics

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// compounds yields the names in s that are made of words joined by a single
// dot, underscore, slash or hyphen: src/main.rs, config.yaml, task-dispatcher.
func compounds(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(s); {
			end, joined := compoundEnd(s[i:])
			if joined && strings.ContainsFunc(s[i:i+end], unicode.IsLetter) && !yield(s[i:i+end]) {
				return
			}
			if end == 0 {
				_, end = utf8.DecodeRuneInString(s[i:])
			}
			i += end
		}
	}
}

// compoundEnd returns the length of the run of word characters and joiners that
// s begins with, and whether it has a joiner inside.
func compoundEnd(s string) (end int, joined bool) {
	pending := false // a joiner needs a word character after it
	for i, r := range s {
		switch {
		case isWordRune(r):
			joined = joined || pending
			pending = false
			end = i + utf8.RuneLen(r)
		case end > 0 && !pending && strings.ContainsRune("._/-", r):
			pending = true
		default:
			return end, joined
		}
	}
	return end, joined
}

// hanRuns returns the runs of Chinese characters in s, cut where characters of
// mere grammar are. In Japanese they are the nouns between the kana.
func hanRuns(s string) []string {
	if text.IsASCII(s) || !strings.ContainsFunc(s, func(r rune) bool { return r >= firstEastern }) {
		return nil
	}
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.Is(unicode.Han, r) && !unicode.Is(unicode.Katakana, r) && r != 'ー' || isHanGrammar(r)
	})
}

// isHanGrammar reports whether r is a Chinese character that mostly serves as
// grammar, or is too general to be part of a subject.
func isHanGrammar(r rune) bool {
	return strings.ContainsRune("的了是在我你您他她它们們和与與跟这這那哪有没沒不就都也很太更最吗嗎呢吧啊把被给給对對从從到为為及或但因所以而且则則会會能可要想去来來说說叫让讓使用做着著过過个個些每上下里裡中", r)
}
