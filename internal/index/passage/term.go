package passage

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsTerm reports whether s can be a term of a word index: letters, numbers, marks
// and the private-use character that package internal/text puts inside terms.
// Queries to the index contain nothing else, so that no term can act as syntax.
func IsTerm(s string) bool {
	plain := 0 // how many leading bytes are lower-case letters or digits
	for plain < len(s) && ('a' <= s[plain] && s[plain] <= 'z' || '0' <= s[plain] && s[plain] <= '9') {
		plain++
	}
	if plain == len(s) && plain > 0 {
		return true
	}
	if s == "" || !utf8.ValidString(s) {
		return false
	}
	token := false // a token is more than marks
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Co, r):
			token = true
		case !unicode.IsMark(r):
			return false
		}
	}
	return token
}

// Terms iterates over the terms in the index's copy of a passage. It splits at ASCII
// characters other than letters and digits, which are certain to split terms in the
// index.
func Terms(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for at := 0; at < len(s); at++ {
			if !inTerm[s[at]] {
				continue
			}
			from := at
			for at < len(s) && inTerm[s[at]] {
				at++
			}
			if !yield(s[from:at]) {
				return
			}
		}
	}
}

// inTerm says for each byte whether it may be part of a term.
var inTerm = func() (in [256]bool) {
	for b := range in {
		in[b] = b >= utf8.RuneSelf || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
	}
	return in
}()

// Fingerprint returns a hash of a term, which is not empty. Few different terms
// share one.
func Fingerprint(term string) uint8 {
	n := len(term)
	return term[0] ^ term[n-1]<<3 ^ uint8(n)<<5
}

// CountPhrase counts how often a phrase occurs in a list of terms. If prefix is set,
// its last term need only be the beginning of a word.
func CountPhrase(in, phrase []string, prefix bool) int {
	n, last := 0, len(phrase)-1
	for i := 0; i+last < len(in); i++ {
		end := in[i+last]
		if (end == phrase[last] || prefix && strings.HasPrefix(end, phrase[last])) && slices.Equal(in[i:i+last], phrase[:last]) {
			n++
		}
	}
	return n
}

// AreTerms reports whether [IsTerm] accepts every term of a passage, as [Terms]
// reads them.
func AreTerms(terms string) bool {
	for term := range Terms(terms) {
		if !IsTerm(term) {
			return false
		}
	}
	return true
}
