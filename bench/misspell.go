package bench

import (
	"strings"
	"unicode/utf8"
)

// misspell makes one typing error in the longest word of a phrase. By turn, it swaps two
// letters, omits one, doubles one, or replaces one by a neighboring key. It keeps the
// first letter, as most typing errors do.
func misspell(phrase string, turn int) string {
	words := strings.Split(phrase, " ")
	longest := 0
	for i, w := range words {
		if utf8.RuneCountInString(w) > utf8.RuneCountInString(words[longest]) {
			longest = i
		}
	}
	words[longest] = typo([]rune(words[longest]), turn)
	return strings.Join(words, " ")
}

// typo makes one typing error in the middle of a word of at least three letters.
func typo(word []rune, turn int) string {
	if len(word) < 3 {
		return string(word)
	}
	at := len(word) / 2
	before, after := string(word[:at]), string(word[at+1:])
	switch turn % 4 {
	case 0:
		for i := at; i > 1; i-- {
			if word[i] != word[i-1] {
				word[i], word[i-1] = word[i-1], word[i]
				return string(word)
			}
		}
		return before + after
	case 1:
		return before + after
	case 2:
		return before + string(word[at]) + string(word[at]) + after
	}
	return before + string(neighborKey(word[at])) + after
}

// neighborKey returns the letter to the right of a key, or to the left at the edge of the
// keyboard. It returns "x" for anything that is not a letter.
func neighborKey(letter rune) rune {
	const keys = "qwertyuiop asdfghjkl zxcvbnm "
	at := strings.IndexRune(keys, letter)
	switch {
	case at < 0 || letter == ' ':
		return 'x'
	case keys[at+1] != ' ':
		return rune(keys[at+1])
	}
	return rune(keys[at-1])
}
