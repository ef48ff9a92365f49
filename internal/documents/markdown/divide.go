package markdown

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// Sizes of sections in words. A passage that answers a query should be long enough to be
// understood and short enough to be shown.
const (
	MaxWords  = 400
	meanWords = 250 // approximate size of the parts of a longer section
	minWords  = 30  // minimum size of a part, if possible
	maxUnit   = MaxWords - minWords
)

// unit is a piece of a section that is not divided further: whole lines, or part of a
// line that is too long.
type unit struct {
	from, to int // lines
	text     string
	words    int
}

// divide returns the sections of a part: one, or several if it is long.
func divide(src []string, r part) []strata.Section {
	whole := unit{from: r.from, to: r.to, text: strings.Join(src[r.from:r.to], "")}
	whole.words = countWords(whole.text)
	if whole.words <= MaxWords {
		return []strata.Section{section([]unit{whole})}
	}
	var units []unit
	at := r.from
	for _, line := range append(slices.Clone(r.blocks), r.to) {
		if line > at && line <= r.to {
			units = append(units, small(src, at, line)...)
			at = line
		}
	}
	return pack(units)
}

// small divides lines into units of at most maxUnit words.
func small(src []string, from, to int) []unit {
	u := unit{from: from, to: to, text: strings.Join(src[from:to], "")}
	if u.words = countWords(u.text); u.words <= maxUnit {
		return []unit{u}
	}
	if to-from > 1 {
		var out []unit
		for i := from; i < to; i++ {
			out = append(out, small(src, i, i+1)...)
		}
		return out
	}
	var out []unit
	for rest := u.text; rest != ""; {
		n := text.CutLine(rest, minWords, meanWords, maxUnit)
		out = append(out, unit{from, to, rest[:n], countWords(rest[:n])})
		rest = rest[n:]
	}
	return out
}

// countWords estimates the words of a text.
func countWords(s string) int { return int(text.CountWords(s)) }

// pack groups units into sections of similar sizes.
func pack(units []unit) []strata.Section {
	total := 0
	for _, u := range units {
		total += u.words
	}
	parts := max((total+meanWords-1)/meanWords, 1)
	mean := total / parts
	var groups [][]unit
	var cur []unit
	words := 0
	for _, u := range units {
		if len(cur) > 0 && words >= minWords && (words >= mean || words+u.words > MaxWords) {
			groups = append(groups, cur)
			cur, words = nil, 0
		}
		cur = append(cur, u)
		words += u.words
	}
	if n := len(groups) - 1; n >= 0 && words < minWords && sum(groups[n])+words <= MaxWords {
		groups[n] = append(groups[n], cur...)
	} else {
		groups = append(groups, cur)
	}
	var out []strata.Section
	for _, g := range groups {
		if s := section(g); s.Text != "" {
			out = append(out, s)
		}
	}
	return out
}

func sum(units []unit) int {
	n := 0
	for _, u := range units {
		n += u.words
	}
	return n
}

// section joins units into one section, without blank lines at its ends or several in a
// row.
func section(units []unit) strata.Section {
	var b strings.Builder
	for _, u := range units {
		b.WriteString(u.text)
	}
	s := strata.Section{Line: units[0].from + 1, EndLine: units[len(units)-1].to}
	var kept []string
	lines := linesOf(b.String())
	for i, line := range lines {
		if isBlank(line) && (len(kept) == 0 || isBlank(kept[len(kept)-1])) {
			if len(kept) == 0 && i < len(lines)-1 {
				s.Line++
			}
			continue
		}
		kept = append(kept, trimEOL(line))
	}
	for i := len(lines) - 1; i > 0 && isBlank(lines[i]); i-- {
		s.EndLine--
	}
	if n := len(kept); n > 0 && isBlank(kept[n-1]) {
		kept = kept[:n-1]
	}
	s.Text = strings.Join(kept, "\n")
	return s
}
