package forget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// word is a word, number or address of a text in the form in which values are compared.
type word struct {
	key     string // the term of a word, the digits of a number, or an address in lower case
	said    string // as written, in lower case and without possessive ending
	kind    wordKind
	capital bool // starts with a capital
	first   bool // first in its sentence
	stop    bool // is a stop word
}

type wordKind int

const (
	plainWord wordKind = iota
	numberWord
	addressWord  // an email address, link or handle
	mixedWord    // letters and digits, like "221b"
	unspacedWord // a run of a script without spaces between words
)

var addresses = lazyregexp.New(`(?:https?://|www\.)[^\s<>"'()]+|[\pL\pN._%+-]+@[\pL\pN-]+(?:\.[\pL\pN-]+)+|@[\pL\pN_.-]{3,}`)

// wordsOf returns the words of a text in order.
func wordsOf(s string) []word {
	if !text.IsASCII(s) {
		s = norm.NFKC.String(strings.ToValidUTF8(s, " "))
	}
	if !strings.ContainsRune(s, '@') && !strings.Contains(s, "://") && !strings.Contains(s, "www.") {
		out := plainWords(s) // skip the search for addresses
		if len(out) > 0 {
			out[0].first = true
		}
		return out
	}
	var out []word
	take := func(kind wordKind, keys ...string) {
		for _, k := range keys {
			if k != "" {
				out = append(out, word{key: k, said: k, kind: kind})
			}
		}
	}
	for len(s) > 0 {
		rest := addresses.FindStringIndex(s)
		plain := s
		if rest != nil {
			plain = s[:rest[0]]
		}
		out = append(out, plainWords(plain)...)
		if rest == nil {
			break
		}
		take(addressWord, strings.ToLower(strings.TrimRight(s[rest[0]:rest[1]], ".,;:!?")))
		s = s[rest[1]:]
	}
	if len(out) > 0 {
		out[0].first = true
	}
	return out
}

// plainWords returns the words of a text without addresses.
func plainWords(s string) (out []word) {
	for len(s) > 0 {
		at := numberIn(s)
		before := s
		if at != nil {
			before = s[:at[0]]
		}
		for _, f := range strings.FieldsFunc(before, betweenWords) {
			out = append(out, wordOf(f)...)
		}
		if at == nil {
			return out
		}
		for _, k := range numberKeys(s[at[0]:at[1]]) {
			out = append(out, word{key: k, said: k, kind: numberWord})
		}
		s = s[at[1]:]
	}
	return out
}

// numberIn returns the position of the first number in a text that is not part of a word,
// as the index of its start and end, or nil.
func numberIn(s string) []int {
	if !strings.ContainsFunc(s, unicode.IsDigit) {
		return nil
	}
	for from := 0; from < len(s); {
		at := numbers.FindStringIndex(s[from:])
		if at == nil {
			return nil
		}
		begin, end := from+at[0], from+at[1]
		before, _ := utf8.DecodeLastRuneInString(s[:begin])
		after, _ := utf8.DecodeRuneInString(s[end:])
		if !joined(before, '1') && !joined('1', after) {
			return []int{begin, end}
		}
		for from = begin + 1; from < end && s[from] >= '0' && s[from] <= '9'; from++ {
		} // only the first group is part of the word, as in "DE89 3704 0044"
	}
	return nil
}

// betweenWords reports whether a character separates words. Apostrophes do not.
func betweenWords(r rune) bool {
	return r != '\'' && r != '’' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
}

// wordOf returns the words in a run of letters and digits: one, unless the run mixes
// scripts with and without spaces, which are then separated.
func wordOf(run string) (out []word) {
	run = strings.Trim(run, "'’")
	for run != "" {
		unspaced := text.HasUnspaced(firstRune(run))
		n := strings.IndexFunc(run, func(r rune) bool { return text.HasUnspaced(string(r)) != unspaced })
		if n < 0 {
			n = len(run)
		}
		part := run[:n]
		run = run[n:]
		low := strings.ToLower(part)
		w := word{said: strings.TrimSuffix(strings.TrimSuffix(low, "'s"), "’s"), capital: unicode.IsUpper([]rune(part)[0])}
		switch {
		case unspaced:
			w.key, w.kind = low, unspacedWord
		case strings.ContainsFunc(part, unicode.IsDigit):
			w.key, w.kind = low, mixedWord
		default:
			t := text.TokenOf(low)
			w.key, w.stop = t.Term, t.Stop
		}
		if w.key != "" {
			out = append(out, w)
		}
	}
	return out
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// same reports whether two words are forms of one. Some languages inflect names too:
// "Мурку" is a form of "Мурка". Related words of several languages, such as those from
// Latin, count as the same if they are alike.
func (w word) same(o word) bool {
	switch {
	case w.kind == numberWord || o.kind == numberWord:
		a, b := w.digits(), o.digits()
		return (w.kind == o.kind || len(a) >= leastLong) && sameNumber(a, b)
	case w.kind == unspacedWord:
		return o.kind == unspacedWord && strings.Contains(o.key, w.key)
	case w.kind != plainWord || o.kind != plainWord:
		return w.key == o.key || w.kind == addressWord && o.kind == addressWord && strings.HasSuffix(bare(o.key), bare(w.key))
	}
	return w.key == o.key || alike([]rune(w.key), []rune(o.key))
}

// bare returns an address without the parts that people leave out.
func bare(address string) string {
	address = strings.TrimPrefix(strings.TrimPrefix(address, "https://"), "http://")
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(address, "www."), "@"), "/")
}

func (w word) digits() string {
	if w.kind != numberWord && w.kind != mixedWord {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, w.key)
}

// alike reports whether two terms differ only in their endings.
func alike(a, b []rune) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	if len(a) >= 2 && unicode.Is(unicode.Hangul, a[0]) {
		return n == len(a) && len(b)-n <= 3 // particles
	}
	switch short, rest := len(a)-n, len(b)-n; {
	case n < leastStem || rest > longestEnding:
		return false
	case len(a) > leastStem+longestEnding-1:
		return short < longestEnding
	default: // a short word may get an ending or change its last letter
		return short == 0 || short == 1 && rest == 1
	}
}

// leastStem is the number of letters that two forms of a word must share, and
// longestEnding the number in which their endings may differ.
const leastStem, longestEnding = 4, 3
