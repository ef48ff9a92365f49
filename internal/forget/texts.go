package forget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Texts are looked for in all that is stored, compared normalized. Most rows are
// passed over by the database itself, which cannot normalize but can find which
// rows cannot hold any of the texts.
type Texts struct {
	normal []string
	// Pattern is an SQL pattern that every ASCII text meets, in whatever case
	// and spacing, that holds one of the ASCII texts. It is empty if all texts
	// hold characters beyond ASCII: then ASCII text holds none of them. Text
	// beyond ASCII may normalize to anything: the pattern says nothing about it.
	Pattern string
}

// TextsOf returns what is looked for of texts as they were written.
func TextsOf(list []string) Texts { return newTexts(normalized(list)) }

func newTexts(normal []string) Texts {
	t := Texts{normal: normal}
	var ascii []string
	for _, s := range normal {
		if text.IsASCII(s) {
			ascii = append(ascii, s)
		}
	}
	if len(ascii) > 0 {
		t.Pattern = likePattern(ascii)
	}
	return t
}

// likePattern returns the pattern of the runs of letters and digits, or their
// beginnings, that all texts have in the same order, with anything between them.
func likePattern(texts []string) string {
	// More would not distinguish rows better, and SQLite takes no pattern of more
	// than 50,000 bytes.
	const most, longest = 24, 64 // runs, bytes of a run
	isPlain := func(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r && r <= 'z' }
	rest := slices.Clone(texts)
	pattern, runs := "%", 0
	for _, run := range strings.FieldsFunc(texts[0], func(r rune) bool { return !isPlain(r) }) {
		run = run[:min(len(run), longest)]
		after := make([]string, len(rest))
		everywhere := true
		for i, s := range rest {
			_, tail, found := strings.Cut(s, run)
			everywhere = everywhere && found
			after[i] = tail
		}
		if everywhere {
			rest = after
			pattern += run + "%"
			if runs++; runs == most {
				break
			}
		}
	}
	return pattern
}

// In reports whether one of the strings holds one of the texts.
func (t Texts) In(list ...string) bool {
	for _, s := range list {
		n := text.Normalize(s)
		for _, x := range t.normal {
			if strings.Contains(n, x) {
				return true
			}
		}
	}
	return false
}

// Whole reports whether one of the strings holds one of the texts as words of its
// own: "cat" is not whole in "concatenate".
func (t Texts) Whole(list ...string) bool { return slices.ContainsFunc(list, t.whole) }

func (t Texts) whole(s string) bool {
	n := text.Normalize(s)
	for _, x := range t.normal {
		for at := 0; ; {
			i := strings.Index(n[at:], x)
			if i < 0 {
				break
			}
			at += i
			before, _ := utf8.DecodeLastRuneInString(n[:at])
			first, size := utf8.DecodeRuneInString(x)
			last, _ := utf8.DecodeLastRuneInString(x)
			after, _ := utf8.DecodeRuneInString(n[at+len(x):])
			if !joined(before, first) && !joined(last, after) {
				return true
			}
			at += size
		}
	}
	return false
}

// joined reports whether two neighbors are inside one word. In a script
// without spaces there is no telling, and none are.
func joined(a, b rune) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	return inWord(a) && inWord(b) && !text.HasUnspaced(string([]rune{a, b}))
}
