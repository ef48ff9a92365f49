package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxIdentifiers is the most identifiers of one text that are split. A text with more
	// is a listing, and is found by its subject.
	maxIdentifiers = 64
	// minLetters and minDigits are the fewest characters of a part. Too many identifiers
	// contain shorter ones ("v", "2").
	minLetters = 2
	minDigits  = 3
)

// IdentifierWords returns the words that the identifiers of a text are made of, in order
// and without duplicates: "parse", "HTTP" and "Header" for parseHTTPHeader, "user" and
// "id" for user_id, "quota" and "go" for quota.go, "2.4.7" for v2.4.7. Text analysis
// takes each of these identifiers for one word. A part that is the whole identifier is
// left out.
func IdentifierWords(s string) []string {
	var out []string
	seen := 0
	for s != "" {
		end := identifierEnd(s)
		word := s[:end]
		_, n := utf8.DecodeRuneInString(s[end:])
		s = s[end+n:]
		if !isCompound(word) { // trimming would not make it one
			continue
		}
		if word = strings.Trim(word, "._'’"); !isCompound(word) {
			continue
		}
		if seen++; seen > maxIdentifiers {
			break
		}
		if IsNumber(word) {
			continue // a number has no other part
		}
		for _, part := range splitIdentifier(word) {
			if part != word && !slices.Contains(out, part) {
				out = append(out, part)
			}
		}
	}
	return out
}

// identifierEnd returns the length of the run of identifier characters at the beginning
// of s.
func identifierEnd(s string) int {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if !inIdentifier[c] {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r != '’' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return i
		}
		i += n
	}
	return len(s)
}

// inIdentifier tells, for each ASCII character, whether identifiers may contain it.
var inIdentifier = func() (in [utf8.RuneSelf]bool) {
	for c := range in {
		r := rune(c)
		in[c] = r == '_' || r == '.' || r == '\'' || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return in
}()

// isCompound reports whether a word may have several parts. It is a fast check that most
// words fail, since they have at most one capital letter, the first.
func isCompound(w string) bool {
	for i := 1; i < len(w); i++ {
		c := w[i]
		if c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' && w[i-1] != '\'' {
			return true
		}
	}
	return w != "" && w[0] >= '0' && w[0] <= '9' && len(w) > minDigits
}

// splitIdentifier splits an identifier at underscores and at dots that are not between
// digits, before a capital that begins a word, and between letters and digits.
func splitIdentifier(w string) []string {
	var out []string
	runes := []rune(w)
	from := 0
	cut := func(to, next int) {
		part := strings.Trim(string(runes[from:to]), "._'’")
		least := minLetters
		if part != "" && part[0] >= '0' && part[0] <= '9' {
			least = minDigits
		}
		if utf8.RuneCountInString(part) >= least {
			out = append(out, part)
		}
		from = next
	}
	for i := range runes {
		if i == 0 {
			continue
		}
		before, r := runes[i-1], runes[i]
		after := rune(0)
		if i+1 < len(runes) {
			after = runes[i+1]
		}
		switch {
		case r == '_', r == '.' && !(unicode.IsDigit(before) && unicode.IsDigit(after)):
			cut(i, i+1)
		case unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(after)),
			unicode.IsDigit(r) && unicode.IsLetter(before),
			unicode.IsLetter(r) && unicode.IsDigit(before):
			cut(i, i)
		}
	}
	cut(len(runes), len(runes))
	return out
}

// WithIdentifiers appends the [IdentifierWords] of a text to it, on a line of their own.
func WithIdentifiers(s string) string {
	if words := IdentifierWords(s); len(words) > 0 {
		return s + "\n" + strings.Join(words, " ")
	}
	return s
}
