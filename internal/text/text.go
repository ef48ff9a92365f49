// Package text turns human text into the forms Strata compares and indexes.
//
// There are three forms, each with one use:
//
//   - [Normalize] is the form in which two statements count as the same text.
//   - [Words] are the words that a reader would see, in lower case and in order.
//   - [Terms] are what the lexical index stores and a query looks up: words
//     with possessives, accents and inflection removed. Scripts written
//     without spaces become overlapping pairs of characters.
//
// The index and the query use the same [Terms], so a term of a query matches exactly the
// passages whose text contains it. [Version] changes whenever a text may yield other
// terms; a store that was indexed with another version must be reindexed.
package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"
)

// maxTermBytes bounds a term. Longer runs are noise (hashes, encoded data);
// they are cut, so that a query for the same run still matches.
const maxTermBytes = 64

// Normalize returns s in the form in which two statements count as the same: NFKC, lower
// case, with white space collapsed to single spaces and trimmed. Invalid UTF-8 becomes
// U+FFFD.
func Normalize(s string) string {
	if IsASCII(s) {
		return normalizeASCII(s)
	}
	s = norm.NFKC.String(strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.Fields(strings.ToLower(s)), " ")
}

// Words returns the words of s in order, in lower case and NFKC, as split at Unicode word
// boundaries (UAX #29). Each word holds at least one letter or number.
func Words(s string) []string {
	if !IsASCII(s) {
		s = norm.NFKC.String(strings.ToValidUTF8(s, " "))
	}
	return wordsOf(s)
}

// wordsOf implements Words for a text in NFKC.
func wordsOf(s string) []string {
	if IsASCII(s) {
		return asciiWords(s)
	}
	out := make([]string, 0, len(s)/6) // a word has about five letters
	it := words.FromString(s)
	for it.Next() {
		if w := it.Value(); hasLetterOrNumber(w) {
			out = append(out, strings.ToLower(w))
		}
	}
	return out
}

// Terms returns the index terms of s in order, including stop words; [Tokens] tells which
// ones these are.
func Terms(s string) []string {
	out := make([]string, 0, len(s)/5+1)
	for t := range Tokens(s) {
		out = append(out, t.Term)
	}
	return out
}

// Token is one index term and what it came from.
type Token struct {
	Term string // as stored in the index: stemmed, without accents
	Word string // as written, lower case
	Stop bool   // says nothing about the subject of the text
}

// tokensOf returns the tokens of words.
func tokensOf(words []string) []Token {
	out := make([]Token, 0, len(words))
	for _, w := range words {
		out = appendWord(out, w)
	}
	return out
}

// appendWord appends the token of a lower-case word, if it has a term.
func appendWord(out []Token, w string) []Token {
	if t := TokenOf(w); t.Term != "" {
		out = append(out, t)
	}
	return out
}

// Tokens yields the tokens of s, in order. Callers that need them more than once, or need
// other forms of the text as well, should make an [Analysis].
func Tokens(s string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		if !IsASCII(s) {
			for _, t := range Analyze(s).Tokens() {
				if !yield(t) {
					return
				}
			}
			return
		}
		s = strings.ToLower(s)
		for i := 0; i < len(s); {
			end, named := asciiWord(s[i:])
			if named {
				if t := TokenOf(s[i : i+end]); t.Term != "" && !yield(t) {
					return
				}
			}
			i += max(end, 1)
		}
	}
}

// TokenOf returns the token of one of the [Words] of a text. It is what [Tokens] yields
// for that word, but cheaper. The word must not have characters of a script written
// without spaces. If the word has no token, the result has an empty Term.
func TokenOf(word string) Token {
	if IsNumber(word) {
		// Numbers seldom repeat, so they are not cached. Copy the term so that keeping it
		// does not keep the whole text.
		return Token{Term: strings.Clone(Head(word, maxTermBytes)), Word: word}
	}
	f := forms.Get(word, formOf)
	return Token{Term: f.term, Word: word, Stop: f.stop}
}

// Term returns the Term of [TokenOf] for a word.
func Term(word string) string { return TokenOf(word).Term }

// form is the cached analysis of a lower-case word.
type form struct {
	term string // empty: none
	stop bool
}

func formOf(w string) form { return form{term: stem(w), stop: IsStop(w)} }

// tokensUnspaced returns the tokens of a text in NFKC that has characters of a script
// written without spaces.
func tokensUnspaced(s string) []Token {
	out := make([]Token, 0, len(s)/6) // a word has about five letters
	var run []rune                    // adjacent characters of a script written without spaces
	flush := func() {
		out = appendPairs(out, run)
		run = run[:0]
	}
	it := words.FromString(s)
	for it.Next() {
		w := it.Value()
		if !hasLetterOrNumber(w) {
			flush()
			continue
		}
		if r, _ := utf8.DecodeRuneInString(w); isUnspaced(r) {
			run = append(run, []rune(w)...)
			continue
		}
		flush()
		out = appendWord(out, strings.ToLower(w))
	}
	flush()
	return out
}

// appendPairs appends the overlapping pairs of a run of characters written without
// spaces, or the character itself if there is only one.
func appendPairs(out []Token, run []rune) []Token {
	if len(run) == 1 {
		c := string(run)
		return append(out, Token{Term: c, Word: c})
	}
	for i := 0; i+1 < len(run); i++ {
		pair := string(run[i : i+2])
		out = append(out, Token{Term: pair, Word: pair})
	}
	return out
}

// stem returns the index term of a lower-case word.
func stem(w string) string {
	w = strings.ReplaceAll(w, "’", "'")
	w = strings.TrimSuffix(w, "'s")
	w = stripMarks(w)
	if isEnglishWord(w) {
		w = english.Stem(w, true)
	}
	if isPlain(w) {
		return Head(w, maxTermBytes)
	}
	w = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return joiner
	}, w)
	return Head(w, maxTermBytes)
}

// joiner replaces punctuation inside a term, as in "v2.4.7". It is a private-use
// character, which FTS5's unicode61 tokenizer keeps inside a token, so that the term
// stays whole.
const joiner = '\uE000'

// stripMarks removes combining marks from Latin, Greek, Cyrillic and Arabic letters
// ("Málaga" is found as "malaga"), and unifies letters that people spell in two ways (see
// [foldLetter]). Marks of other scripts carry vowels and stay.
func stripMarks(w string) string {
	if IsASCII(w) {
		return w
	}
	var b strings.Builder
	strip := false
	for _, r := range norm.NFD.String(w) {
		if !unicode.IsMark(r) {
			strip = unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic)
			foldLetter(&b, r)
		} else if !strip {
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// foldLetter writes a letter in the form that is looked up. Latin letters that many
// keyboards lack become what people type instead ("heißt", "heisst"; "sœur", "soeur"),
// and interchangeable forms of an Arabic letter become one. It drops tatweel, which only
// stretches an Arabic word.
func foldLetter(b *strings.Builder, r rune) {
	switch r {
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'ø':
		b.WriteByte('o')
	case 'ł':
		b.WriteByte('l')
	case 'đ':
		b.WriteByte('d')
	case 'ı':
		b.WriteByte('i')
	case 'ٱ':
		b.WriteRune('ا')
	case 'ى':
		b.WriteRune('ي')
	case 'ة':
		b.WriteRune('ه')
	case 'ـ':
	default:
		b.WriteRune(r)
	}
}

// isPlain reports whether a word has only ASCII letters and digits.
func isPlain(w string) bool {
	for i := range len(w) {
		if kind := asciiKinds[w[i]]; kind != letter && kind != digit {
			return false
		}
	}
	return true
}

func isEnglishWord(w string) bool {
	for i := 0; i < len(w); i++ {
		if c := w[i]; (c < 'a' || c > 'z') && c != '\'' {
			return false
		}
	}
	return len(w) > 2
}

func hasLetterOrNumber(w string) bool {
	for _, r := range w {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
	}
	return false
}

// firstUnspaced is the first letter of a script written without spaces, Thai ก.
const firstUnspaced = 0x0E01

// isUnspaced reports whether r belongs to a script written without spaces
// between words.
func isUnspaced(r rune) bool {
	if r < firstUnspaced {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー'
}

// HasUnspaced reports whether s holds characters of a script written without
// spaces between words.
func HasUnspaced(s string) bool {
	return !IsASCII(s) && strings.ContainsFunc(s, isUnspaced)
}
