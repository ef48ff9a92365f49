package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// maxSentence is the longest sentence, in bytes, that is read for facts. A
// person states a fact in far less; longer runs are data.
const maxSentence = 500

// sentence is one sentence of a turn.
type sentence struct {
	text     string // without its final mark
	question bool
}

// maskedQuote replaces a quotation that is a statement. A clause that holds one is never a fact.
const maskedQuote = "\uFFFC"

var (
	// longQuote is a quotation in any of the usual marks.
	longQuote = lazyregexp.New("“[^”]*”|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|\"[^\"]*\"|`[^`]*`")
	spoken    = expr(`(?i)\b(?:i|i'm|my|we|our|ich|mein|je|mon|yo|mi)\b`)
)

// maskQuotes replaces quotations that are statements by [held]. Short ones are
// titles and names and stay: my favourite book is "Dune".
func maskQuotes(s string) string {
	s = maskSingle(s)
	if text.IsASCII(s) && strings.IndexByte(s, '"') < 0 && strings.IndexByte(s, '`') < 0 || !strings.ContainsAny(s, "\"“«„`「『") {
		return s
	}
	return longQuote.ReplaceAllStringFunc(s, func(q string) string {
		words := len(strings.Fields(q))
		if words > 5 || words > 1 && spoken.MatchString(q) {
			return maskedQuote
		}
		return q
	})
}

// singleQuote is a quotation in single marks, which apostrophes are not: it opens
// after a space and closes before one.
var singleQuote = lazyregexp.New(`(^|[\s:(])['‘]([^\n]{3,400}?)['’]($|[\s.,;:!?)])`)

// maskSingle replaces quotations in single marks that are statements.
func maskSingle(s string) string {
	if !strings.ContainsAny(s, "'‘") {
		return s
	}
	return singleQuote.ReplaceAllStringFunc(s, func(q string) string {
		m := singleQuote.FindStringSubmatch(q)
		if n := len(strings.Fields(m[2])); n > 5 || n > 1 && spoken.MatchString(m[2]) {
			return m[1] + maskedQuote + m[3]
		}
		return q
	})
}

// cutSentences splits prose at sentence marks. A dot inside a number, a name, a
// URL or after an abbreviation ends nothing.
func cutSentences(s string) []sentence {
	var out []sentence
	start := 0
	add := func(end int, question bool) {
		if t := strings.Trim(oneSpace(s[start:end]), " \t\r,;:-–—*_~()[]¡"); t != "" && len(t) <= maxSentence {
			out = append(out, sentence{text: t, question: question})
		}
	}
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++ // nearly all of most texts
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		next := i + n
		if !strings.ContainsRune(".!?…。！？।؟", r) {
			i = next
			continue
		}
		question := r == '?' || r == '？' || r == '؟'
		for next < len(s) && strings.IndexByte(".!?)\"'", s[next]) >= 0 { // "?!", "...", closing marks
			question = question || s[next] == '?'
			next++
		}
		if r == '.' && (next < len(s) && s[next] != ' ' || abbreviated(s[start:i]) || i > 0 && s[i-1] >= '0' && s[i-1] <= '9' && ordinalMonth.MatchString(head(s[next:], 12))) {
			i = next
			continue
		}
		end := i
		if next > i+n && strings.ContainsAny(s[i+n:next], "\"'") {
			end = next // keep a closing quotation mark: … is "Dune".
		}
		add(end, question)
		start, i = next, next
	}
	add(len(s), false)
	return out
}

// ordinalMonth follows a day of the month in German: "12. Juni".
var ordinalMonth = expr(`^ (?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)`)

// oneSpace makes every run of white space one space.
func oneSpace(s string) string {
	if !strings.Contains(s, "  ") && strings.IndexByte(s, '\t') < 0 && (text.IsASCII(s) || !strings.Contains(s, "\u00a0") && !strings.Contains(s, "\u202f")) {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// abbreviated reports whether the text before a dot ends in an abbreviation or
// an initial.
func abbreviated(before string) bool {
	last := before[strings.LastIndexByte(before, ' ')+1:]
	switch strings.ToLower(last) {
	case "dr", "mr", "mrs", "ms", "prof", "st", "vs", "approx", "e.g", "i.e", "a.m", "p.m", "sr", "sra", "bzw", "z.b", "mme":
		return true
	}
	return utf8.RuneCountInString(last) == 1 && unicode.IsUpper([]rune(last)[0]) && last != "I"
}
