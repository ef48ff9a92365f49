package recall

import (
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/timeexpr"
	"github.com/strata-memory/strata/internal/text/toolcall"
	"github.com/strata-memory/strata/store"
)

// TurnText returns the text that is indexed for a turn: the date it was said and the
// speaker, so that "May 2023" and "Caroline" match it; its text with the words of its
// identifiers; the day that the text refers to ("yesterday"); and the words of its tool
// calls.
func TurnText(t strata.Turn) string {
	var b strings.Builder
	if !t.At.IsZero() {
		b.WriteString(strconv.Itoa(t.At.Day()))
		b.WriteByte(' ')
		b.WriteString(t.At.Month().String())
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(t.At.Year()))
		b.WriteByte(' ')
	}
	if t.Speaker != "" {
		b.WriteString(t.Speaker)
		b.WriteString(": ")
	}
	b.WriteString(text.WithIdentifiers(t.Text))
	if day := dayMentioned(t); day != "" {
		b.WriteByte('\n')
		b.WriteString(day)
	}
	for _, c := range t.Calls {
		b.WriteByte('\n')
		b.WriteString(toolcall.Text(c))
	}
	return b.String()
}

// TurnPassages returns the passages that the text of a long turn is divided into, or nil
// if the turn is one passage.
func TurnPassages(t strata.Turn) []strata.Span {
	spans := text.Passages(t.Text)
	if len(spans) < 2 {
		return nil
	}
	out := make([]strata.Span, len(spans))
	for i, s := range spans {
		out[i] = strata.Span(s)
	}
	return out
}

// PassageText returns the [TurnText] of a part of a turn; the zero span means all of it.
// Tool calls follow the text, so they belong to its last part.
func PassageText(t strata.Turn, part strata.Span) string {
	if part == (strata.Span{}) {
		return TurnText(t)
	}
	if part.End < len(t.Text) {
		t.Calls = nil
	}
	t.Text = partOf(t.Text, part)
	return TurnText(t)
}

// PassageTexts returns the texts that are indexed for a turn: one for each of its
// [TurnPassages], or a single one if it has none.
func PassageTexts(t strata.Turn, parts []strata.Span) []string {
	if len(parts) == 0 {
		return []string{TurnText(t)}
	}
	out := make([]string, len(parts))
	for i, part := range parts {
		out[i] = PassageText(t, part)
	}
	return out
}

// partOf returns a part of a text. It returns all of it for the zero span and for one
// that does not lie in the text.
func partOf(s string, part strata.Span) string {
	if part == (strata.Span{}) || part.End > len(s) || part.Start > part.End {
		return s
	}
	return s[part.Start:part.End]
}

// dayMentioned returns the day or month that the text of a turn refers to, in words, so
// that its date finds what was said about "yesterday". It returns "" for longer spans,
// which are too vague.
func dayMentioned(t strata.Turn) string {
	if t.At.IsZero() {
		return ""
	}
	r := timeexpr.Find(text.Words(text.Head(t.Text, maxDated)), t.At)
	if r == nil || r.From.IsZero() {
		return ""
	}
	switch span := r.To.Sub(r.From); {
	case span <= 2*24*time.Hour:
		return r.From.Format("2 January 2006")
	case span <= 31*24*time.Hour:
		return r.From.Format("January 2006")
	}
	return ""
}

// maxDated is how many bytes of a turn dayMentioned reads.
const maxDated = 4 << 10

// SectionText returns the text that is indexed for a section: the name and description of
// its document, the date of a daily log, the headings above it, and its own text with the
// words of its identifiers. It leaves out lines that add no word to those before them.
func SectionText(d strata.Document, s strata.Section) string {
	lines := []string{d.Name, d.Description}
	if day, ok := dayOf(d); ok {
		lines = append(lines, day.Format("2 January 2006"))
	}
	var have []text.Token
	var b strings.Builder
	for _, line := range append(lines, s.Headings...) {
		tokens := text.Analyze(line).Tokens()
		if !adds(tokens, have) {
			continue
		}
		have = append(have, tokens...)
		b.WriteString(line)
		b.WriteByte('\n')
	}
	b.WriteString(text.WithIdentifiers(s.Text))
	return b.String()
}

// dayOf returns the day of a daily log; false for other documents.
func dayOf(d strata.Document) (time.Time, bool) {
	if d.Kind != strata.DocumentDaily {
		return time.Time{}, false
	}
	day, err := time.Parse("memory/2006-01-02.md", d.Path)
	return day, err == nil
}

// adds reports whether the tokens of a line hold a term that have lacks and that is not a
// stop word.
func adds(line, have []text.Token) bool {
	for _, t := range line {
		if !t.Stop && !slices.ContainsFunc(have, func(h text.Token) bool { return h.Term == t.Term }) {
			return true
		}
	}
	return false
}

// FactText returns the text that is indexed for a fact: its text with the words of its
// identifiers, then its entity, attribute and tags as far as they add a word.
func FactText(f strata.Fact) string { return FactAnalysis(text.Analyze(f.Text), f).Text() }

// FactAnalysis returns the analysis of [FactText], where said is the analysis of the
// fact's own text.
func FactAnalysis(said *text.Analysis, f strata.Fact) *text.Analysis {
	var lines []*text.Analysis
	if words := text.IdentifierWords(f.Text); len(words) > 0 {
		lines = append(lines, text.Analyze(strings.Join(words, " ")))
	}
	have := slices.Clip(said.Tokens()) // said's tokens are shared: append to a copy
	add := func(extra string) {
		if isWordOf(have, extra) {
			return
		}
		if line := text.Analyze(extra); adds(line.Tokens(), have) {
			lines = append(lines, line)
			have = append(have, line.Tokens()...)
		}
	}
	add(f.Entity)
	add(f.Attribute)
	for _, tag := range f.Tags {
		add(tag)
	}
	return said.With(lines...)
}

// isWordOf reports whether s is one of the words that the tokens came from, as most tags
// are. It returns false for words outside of ASCII, which may be several tokens.
func isWordOf(tokens []text.Token, s string) bool {
	return text.IsASCII(s) && slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Word == s })
}

// SourceText returns the text that is indexed for a fact version, turn or section.
func SourceText(s store.Source) string {
	switch {
	case s.Turn != nil:
		return PassageText(*s.Turn, s.Span)
	case s.Section != nil:
		return SectionText(*s.Document, *s.Section)
	}
	return FactText(*s.Fact)
}

// indexedText returns the text that was indexed for a passage.
func indexedText(it store.Item) string {
	switch {
	case it.Fact != nil:
		return FactText(*it.Fact)
	case it.Turn != nil:
		return PassageText(*it.Turn, it.Span)
	case it.Section != nil:
		d := strata.Document{}
		if it.Document != nil {
			d = *it.Document
		}
		return SectionText(d, *it.Section)
	}
	return ""
}

// indexedTexts yields the text that was indexed for each item.
func indexedTexts(items []store.Item) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, it := range items {
			if !yield(indexedText(it)) {
				return
			}
		}
	}
}
