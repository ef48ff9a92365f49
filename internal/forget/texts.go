package forget

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/text"
)

// Texts holds normalized texts to search for in everything stored. The database skips
// most rows by itself: it cannot normalize, but Pattern tells it which rows cannot
// contain any of the texts.
type Texts struct {
	normal []string
	// Pattern is an SQL LIKE pattern. Every ASCII text that contains one of the ASCII
	// texts matches it, whatever its case and spacing. Pattern is empty if no text is
	// ASCII; then no ASCII text contains any. It says nothing about non-ASCII text, which
	// may normalize to anything.
	Pattern string
}

// TextsOf returns the Texts that search for the given texts, which need not be
// normalized.
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

// likePattern returns a pattern of the runs of letters and digits that all texts contain
// in the same order. Long runs are truncated, and anything may be between them.
func likePattern(texts []string) string {
	// More would not distinguish rows better, and SQLite rejects patterns of more than
	// 50,000 bytes.
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

// In reports whether one of the strings contains one of the texts.
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

// Whole reports whether one of the strings contains one of the texts as whole words:
// "cat" is not whole in "concatenate".
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

// joined reports whether two adjacent characters belong to the same word. In scripts
// without spaces it always reports false.
func joined(a, b rune) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
	return inWord(a) && inWord(b) && !text.HasUnspaced(string([]rune{a, b}))
}
