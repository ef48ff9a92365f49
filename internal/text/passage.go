package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The size of passages, in words: long enough to be understood alone, and short enough to
// be about one thing.
const (
	MaxPassageWords = 150
	passageWords    = 125 // target size of a passage of a long text
	minPassageWords = 30  // a passage should not be shorter
)

// Span is a part of a text, given by byte offsets. End is not included.
type Span struct{ Start, End int }

// Passages divides a text at its natural boundaries, in order of preference: paragraphs,
// headings, list items, code blocks, lines and sentences. A passage has about 30 to
// [MaxPassageWords] words; a text of no more words is one passage. The spans are adjacent
// and cover the text. The running time is linear in the length of the text.
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
	heading bool // belongs to the unit that follows
}

// paragraphs returns the paragraphs, headings, list items and code blocks of a text. It
// splits those that are too long for a passage.
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

// lineEnd returns the end of the line that begins at at, including its line feed.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

// isHeading reports whether a line is a Markdown heading, or is all bold, as assistants
// write headings.
func isHeading(line string) bool {
	return strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " ") ||
		len(line) > 4 && strings.HasPrefix(line, "**") && strings.HasSuffix(strings.TrimSuffix(line, ":"), "**")
}

// beginsItem reports whether a line begins a list item.
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

// appendParts appends a unit to units. If the unit is too long, it appends parts of it:
// lines, joined while they fit, and parts of long lines.
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

// CutLine returns the length of the first part of a line. Once the part has more than
// mean words, CutLine cuts after its last sentence; once it has most words, after the
// last word, or anywhere if there is none. It does not end a sentence before there are
// least words. It returns len(line) if the line is short enough.
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

// pack joins units into passages of about the same size.
func pack(units []unit, total float64) []Span {
	mean := total / max(float64(int(total/passageWords+0.5)), 1)
	var out []Span
	first, words := 0, 0.0 // of the passage being filled
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

// withHeadings returns the index of the first heading directly before unit i, and the
// words of these headings: they move into the passage of the unit. If they are long, or
// are all there is since the first unit, they stay, and it returns i and 0.
func withHeadings(units []unit, first, i int) (at int, words float64) {
	for at = i; at > first && units[at-1].heading; at-- {
		words += units[at-1].words
	}
	if at == first || words > minPassageWords {
		return i, 0
	}
	return at, words
}

// CountWords estimates the number of words in a text. A character of a script written
// without spaces counts as half a word, and very long words count as several.
func CountWords(s string) float64 {
	n := 0.0
	prev := ' '
	for _, r := range s {
		n += wordWeight(prev, r)
		prev = r
	}
	return n
}

// wordWeight returns what a character adds to the word count: 1 if it begins a word, 0.5
// in a script written without spaces, and a little otherwise.
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
