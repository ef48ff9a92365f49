package passage

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsTerm reports whether s can be a term of an index of words: letters, numbers,
// marks and the private-use character that package internal/text puts inside
// terms. What a query asks such an index for is nothing else, so that no term can
// act as syntax.
func IsTerm(s string) bool {
	plain := 0 // characters that most terms are made of
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

// Terms goes through the terms in what the index holds as its copy of a
// passage. They are what ASCII characters other than letters and digits part:
// these surely part terms in the index.
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

// inTerm tells of each byte whether it may be part of a term.
var inTerm = func() (in [256]bool) {
	for b := range in {
		in[b] = b >= utf8.RuneSelf || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
	}
	return in
}()

// Fingerprint is equal for terms that are equal, and for few others.
func Fingerprint(term string) uint8 {
	n := len(term)
	return term[0] ^ term[n-1]<<3 ^ uint8(n)<<5
}

// CountPhrase counts how often a phrase stands in a list of terms; of its last
// term the beginning is enough if prefix is set.
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

// AreTerms reports whether each term of a passage, as [Terms] reads them, is one.
func AreTerms(terms string) bool {
	for term := range Terms(terms) {
		if !IsTerm(term) {
			return false
		}
	}
	return true
}
