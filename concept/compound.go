package concept

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// compounds returns the names in s that are made of words joined by a single
// dot, underscore, slash or hyphen: src/main.rs, config.yaml, task-dispatcher.
func compounds(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		end, joined := compoundEnd(s[i:])
		if joined && strings.ContainsFunc(s[i:i+end], unicode.IsLetter) {
			out = append(out, s[i:i+end])
		}
		if end == 0 {
			_, end = utf8.DecodeRuneInString(s[i:])
		}
		i += end
	}
	return out
}

// compoundEnd returns the length of the run of word characters and joiners that
// s begins with, and whether it has a joiner inside.
func compoundEnd(s string) (end int, joined bool) {
	pending := 0 // a joiner that needs a word character after it
	for i, r := range s {
		switch {
		case isWordRune(r):
			joined = joined || pending > 0
			pending = 0
			end = i + utf8.RuneLen(r)
		case end > 0 && pending == 0 && strings.ContainsRune("._/-", r):
			pending++
		default:
			return end, joined
		}
	}
	return end, joined
}

// hanRuns returns the runs of Chinese characters in s, cut where characters of
// mere grammar stand. In Japanese they are the nouns between the kana.
func hanRuns(s string) []string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= firstEastern }) {
		return nil
	}
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.Is(unicode.Han, r) && !unicode.Is(unicode.Katakana, r) && r != 'ー' || isHanGrammar(r)
	})
}

// isHanGrammar reports whether r is a Chinese character that mostly stands for
// grammar, or is too general to be part of a subject.
func isHanGrammar(r rune) bool {
	return strings.ContainsRune("的了是在我你您他她它们們和与與跟这這那哪有没沒不就都也很太更最吗嗎呢吧啊把被给給对對从從到为為及或但因所以而且则則会會能可要想去来來说說叫让讓使用做着著过過个個些每上下里裡中", r)
}
