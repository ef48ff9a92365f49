package table

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/text"
)

// Marker finds the words of a query in the texts that match it, with inflected forms as
// in the index. The zero Marker finds nothing.
type Marker struct {
	terms map[string]bool // terms in the form in which the index stores them
	runs  []string        // terms in scripts written without spaces
}

// NewMarker returns a Marker for the words that matched, as named in a hit.
func NewMarker(words []string) Marker {
	m := Marker{terms: make(map[string]bool)}
	for _, w := range words {
		for t := range text.Tokens(w) {
			if n := utf8.RuneCountInString(t.Word); n == 2 && t.Term == t.Word && !isASCII(w) {
				m.runs = append(m.runs, t.Word)
			}
			m.terms[t.Term] = true
		}
	}
	return m
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// segment is a word of a text, or the text between two words.
type segment struct {
	text  string
	width int    // in columns
	term  string // term of the query; empty for any other word
}

// segments splits a text. Concatenated, the segments are the text.
func (m Marker) segments(s string) []segment {
	in := make([]string, len(s)) // the term that each byte belongs to, for runs only
	for _, run := range m.runs {
		for from := 0; ; {
			at := strings.Index(s[from:], run)
			if at < 0 {
				break
			}
			for i := range len(run) {
				in[from+at+i] = run
			}
			from += at + len(run)
		}
	}
	var out []segment
	at, state := 0, -1
	for rest := s; rest != ""; {
		var word string
		word, rest, state = uniseg.FirstWordInString(rest, state)
		seg := segment{text: word, width: uniseg.StringWidth(word), term: in[at]}
		at += len(word)
		if seg.term == "" {
			for _, t := range text.Terms(word) {
				if m.terms[t] {
					seg.term = t
				}
			}
		}
		out = append(out, seg)
	}
	return out
}

// paint returns a text with the words of the query in bold.
func (m Marker) paint(s string, st terminal.Style) string {
	if !st.Color || len(m.terms) == 0 {
		return s
	}
	var out strings.Builder
	for _, seg := range m.segments(s) {
		if seg.term != "" {
			out.WriteString(st.Strong(seg.text))
			continue
		}
		out.WriteString(seg.text)
	}
	return out.String()
}

// Passage returns the part of a text, on one line and at most the given number of columns
// wide, that contains the most words of the query; of several the first.
func (m Marker) Passage(s string, columns int) string {
	s = terminal.Clean(s)
	if uniseg.StringWidth(s) <= columns {
		return s
	}
	segments := m.segments(s)
	lead := columns / 5 // text shown before the first word
	room := columns - 4 // without ellipses and their spaces
	best, most := 0, 0
	for i, seg := range segments {
		if seg.term == "" {
			continue
		}
		found, used := make(map[string]bool), 0
		for _, next := range segments[i:] {
			if used += next.width; used > room-lead {
				break
			}
			if next.term != "" {
				found[next.term] = true
			}
		}
		if len(found) > most {
			best, most = i, len(found)
		}
	}
	from := best
	for used := 0; from > 0; from-- {
		if used += segments[from-1].width; used > lead {
			break
		}
	}
	var out strings.Builder
	used := 0
	if from > 0 {
		out.WriteString("… ")
		used = 2
		for segments[from].text == " " {
			from++
		}
	}
	for i, seg := range segments[from:] {
		last := from+i == len(segments)-1
		if used+seg.width > columns || !last && used+seg.width > columns-2 {
			return strings.TrimRight(out.String(), " ") + " …"
		}
		out.WriteString(seg.text)
		used += seg.width
	}
	return out.String()
}
