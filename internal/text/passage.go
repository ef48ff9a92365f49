package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The size of passages, in words. It is long enough to be understood by itself and
// short enough to be about one thing.
const (
	MaxPassageWords = 150
	passageWords    = 125 // what a passage of a long text has, about
	minPassageWords = 30  // what it should not fall below
)

// Span is a part of a text, in bytes from its beginning.
type Span struct{ Start, End int }

// Passages divides a text at its natural borders, which are paragraphs, headings,
// items of a list, blocks of code, lines and sentences, in this order. A passage has
// some 30 to [MaxPassageWords] words; a text of no more is one passage. The spans
// follow each other and cover the text. The text may be of any size: the time grows
// with its length alone.
func Passages(s string) []Span {
	units := paragraphs(s)
	total := 0.0
	for _, u := range units {
		total += u.words
	}
	if total <= MaxPassageWords {
		return []Span{{0, len(s)}}
	}
	return pack(units, total)
}

// unit is a part of a text that stays in one passage where that is possible.
type unit struct {
	Span
	words   float64
	heading bool // belongs to what follows
}

// paragraphs returns the paragraphs, headings, items and blocks of code of a text,
// those that are too long for a passage in parts.
func paragraphs(s string) []unit {
	var units []unit
	cur := unit{}
	inCode, blank := false, false
	end := func(at int) {
		if cur.End = at; cur.End > cur.Start {
			units = appendParts(units, s, cur)
		}
		cur = unit{Span: Span{Start: at}}
	}
	for at := 0; at < len(s); {
		next := lineEnd(s, at)
		line := strings.TrimSpace(s[at:next])
		fence := strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
		if !inCode && (blank && line != "" || fence || beginsItem(line)) {
			end(at)
		}
		cur.words += CountWords(s[at:next])
		blank = line == ""
		switch {
		case fence:
			if inCode {
				end(next)
			}
			inCode = !inCode
		case !inCode && isHeading(line):
			cur.heading = true
			end(next)
		}
		at = next
	}
	end(len(s))
	return units
}

// lineEnd returns where the line that begins at a place ends, with its line feed.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

// isHeading reports whether a line is a heading of Markdown, or all bold as answers
// of assistants have it.
func isHeading(line string) bool {
	return strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " ") ||
		len(line) > 4 && strings.HasPrefix(line, "**") && strings.HasSuffix(strings.TrimSuffix(line, ":"), "**")
}

// beginsItem reports whether a line begins an item of a list.
func beginsItem(line string) bool {
	marker, rest, found := strings.Cut(line, " ")
	if !found || rest == "" {
		return false
	}
	if marker == "-" || marker == "*" || marker == "+" || marker == "•" {
		return true
	}
	number := strings.TrimRight(marker, ".)")
	return number != marker && IsNumber(number)
}

// appendParts appends a unit, in parts where it is too long: its lines, joined while
// they fit, and parts of lines.
func appendParts(units []unit, s string, u unit) []unit {
	if u.words <= MaxPassageWords {
		return append(units, u)
	}
	part := unit{Span: Span{u.Start, u.Start}}
	for at := u.Start; at < u.End; {
		next := min(lineEnd(s, at), u.End)
		for at < next {
			n := CutLine(s[at:next], minPassageWords, passageWords, MaxPassageWords)
			words := CountWords(s[at : at+n])
			if part.End > part.Start && part.words+words > passageWords {
				units = append(units, part)
				part = unit{Span: Span{at, at}}
			}
			part.End, part.words = at+n, part.words+words
			at += n
		}
	}
	return append(units, part)
}

// CutLine returns where to divide a line that is too long: behind the last sentence
// once there are more words than mean, else, once there are most, behind the last word
// or anywhere. It returns the length of a line that is short enough. No sentence ends
// before there are least words.
func CutLine(line string, least, mean, most float64) int {
	words := 0.0
	sentence, word := 0, 0
	prev := ' '
	for i, r := range line {
		if unicode.IsSpace(r) {
			word = i
			if strings.ContainsRune(".!?", prev) && words > least {
				sentence = i
			}
		}
		words += wordWeight(prev, r)
		if strings.ContainsRune("。！？", r) && words > least {
			sentence = i + utf8.RuneLen(r)
		}
		switch {
		case words > mean && sentence > 0:
			return sentence
		case words >= most && word > 0:
			return word
		case words >= most:
			return max(i, 1)
		}
		prev = r
	}
	return len(line)
}

// pack joins units to passages of about the same size.
func pack(units []unit, total float64) []Span {
	mean := total / max(float64(int(total/passageWords+0.5)), 1)
	var out []Span
	first, words := 0, 0.0 // of the passage that is being filled
	for i, u := range units {
		if words >= minPassageWords && (words >= 0.9*mean || words+u.words > MaxPassageWords) {
			next, headings := withHeadings(units, first, i)
			out = append(out, Span{units[first].Start, units[next].Start})
			first, words = next, headings
		}
		words += u.words
	}
	end := units[len(units)-1].End
	if n := len(out) - 1; n >= 0 && words < minPassageWords {
		out[n].End = end
		return out
	}
	return append(out, Span{units[first].Start, end})
}

// withHeadings returns where the headings directly before a unit begin, which go into
// a passage with it, and their words. Those that are long, or all there is since the
// first unit, stay where they are.
func withHeadings(units []unit, first, i int) (at int, words float64) {
	for at = i; at > first && units[at-1].heading; at-- {
		words += units[at-1].words
	}
	if at == first || words > minPassageWords {
		return i, 0
	}
	return at, words
}

// CountWords estimates the words of a text. In writing without spaces a character
// counts a half, and endless words count as several.
func CountWords(s string) float64 {
	n := 0.0
	prev := ' '
	for _, r := range s {
		n += wordWeight(prev, r)
		prev = r
	}
	return n
}

// wordWeight is what a character adds to the words of a text: 1 where a word
// begins, a half where it is written without spaces between words, and a little
// everywhere.
func wordWeight(prev, r rune) float64 {
	switch {
	case unicode.IsSpace(r):
		return 0
	case r > unicode.MaxLatin1 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return 0.5
	case unicode.IsSpace(prev):
		return 1
	}
	return 0.005
}
