package textdiff

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind tells what happened to a part of a text.
type Kind int

// The kinds of parts.
const (
	Same Kind = iota
	Removed
	Added
)

// Part is a part of one or both versions of a text.
type Part struct {
	Kind Kind
	Text string
}

// Parts compares two versions of a text line by line. The parts that are not Added make
// up the first version, and the parts that are not Removed the second. A removed part
// comes before the added part that replaces it.
func Parts(before, after string) []Part {
	var out parts
	a, b := lines(before), lines(after)
	for _, c := range chunks(a, b, match(a, b)) {
		if c.same {
			out.add(Same, a[c.a0:c.a1])
			continue
		}
		out.add(Removed, a[c.a0:c.a1])
		out.add(Added, b[c.b0:c.b1])
	}
	return out
}

// Words compares two versions of a text line by line, and changed lines word by word. The
// parts that are not Added make up the first version, and the parts that are not Removed
// the second. Adjacent parts differ in kind, and a removed part comes before the added
// part that replaces it.
func Words(before, after string) []Part {
	var out parts
	a, b := lines(before), lines(after)
	for _, c := range chunks(a, b, match(a, b)) {
		if c.same {
			out.add(Same, a[c.a0:c.a1])
			continue
		}
		x, y := words(strings.Join(a[c.a0:c.a1], "")), words(strings.Join(b[c.b0:c.b1], ""))
		for _, w := range joined(chunks(x, y, match(x, y)), x) {
			if w.same {
				out.add(Same, x[w.a0:w.a1])
				continue
			}
			out.add(Removed, x[w.a0:w.a1])
			out.add(Added, y[w.b0:w.b1])
		}
	}
	return out
}

// parts is a list of parts that merges adjacent ones of the same kind.
type parts []Part

func (p *parts) add(kind Kind, items []string) {
	text := strings.Join(items, "")
	switch last := len(*p) - 1; {
	case text == "":
	case last >= 0 && (*p)[last].Kind == kind:
		(*p)[last].Text += text
	default:
		*p = append(*p, Part{kind, text})
	}
}

// chunk is a range of two lists that is equal in both, or different.
type chunk struct {
	same           bool
	a0, a1, b0, b1 int
}

// chunks divides two lists into ranges that are equal and ranges that differ, given the
// pairs of equal items.
func chunks(a, b []string, pairs [][2]int) []chunk {
	var out []chunk
	i, j := 0, 0
	for k := 0; k <= len(pairs); k++ {
		x, y := len(a), len(b)
		if k < len(pairs) {
			x, y = pairs[k][0], pairs[k][1]
		}
		if i < x || j < y {
			out = append(out, chunk{a0: i, a1: x, b0: j, b1: y})
		}
		if k == len(pairs) {
			break
		}
		if last := len(out) - 1; last >= 0 && out[last].same {
			out[last].a1, out[last].b1 = x+1, y+1
		} else {
			out = append(out, chunk{same: true, a0: x, a1: x + 1, b0: y, b1: y + 1})
		}
		i, j = x+1, y+1
	}
	return out
}

// joined joins differing chunks that are separated only by a space: a replaced phrase
// reads better than words replaced one by one.
func joined(list []chunk, a []string) []chunk {
	var out []chunk
	for i, c := range list {
		last := len(out) - 1
		space := c.same && c.a1 == c.a0+1 && strings.Trim(a[c.a0], " \t") == ""
		if last >= 0 && !out[last].same && (!c.same || space && i+1 < len(list)) {
			out[last].a1, out[last].b1 = c.a1, c.b1
			continue
		}
		out = append(out, c)
	}
	return out
}

// words splits a text into words, the spaces between them, and every other character.
// Each character of a script written without spaces is a word.
func words(text string) []string {
	kindOf := func(r rune) int {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			return 0
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '_':
			return 1
		case r == ' ', r == '\t':
			return 2
		}
		return 0
	}
	var out []string
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		if kind := kindOf(r); kind != 0 {
			for n < len(text) {
				next, size := utf8.DecodeRuneInString(text[n:])
				if kindOf(next) != kind {
					break
				}
				n += size
			}
		}
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// lines returns the lines of a text with their line breaks.
func lines(text string) []string {
	list := strings.SplitAfter(text, "\n")
	if list[len(list)-1] == "" {
		list = list[:len(list)-1]
	}
	return list
}
