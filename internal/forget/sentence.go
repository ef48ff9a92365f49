package forget

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// longestSentence is the length in bytes at which a sentence is cut into parts: a pasted
// line may be megabytes long.
const longestSentence = 4 << 10

// sentences splits a text into its sentences and lines and the separators between them.
// Joined, they are the text.
func sentences(s string) []string {
	var out []string
	for part := range text.Sentences(s) {
		at := strings.Index(s, part)
		if at > 0 {
			out = append(out, s[:at])
		}
		s = s[at+len(part):]
		for len(part) > longestSentence {
			cut := text.Head(part, longestSentence)
			if i := strings.LastIndexAny(cut, " ,;"); i > 0 {
				cut = cut[:i+1]
			}
			out, part = append(out, cut), part[len(cut):]
		}
		out = append(out, part)
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

// Verdict returns the highest [Verdict] of the sentences of a text.
func (s Subject) Verdict(said string, where Where) Verdict {
	if s.Said.Whole(said) {
		return Tells
	}
	most := Nothing
	if !s.Values.None() {
		for _, part := range sentences(said) {
			if most = max(most, s.Values.In(part, where)); most == Tells {
				break
			}
		}
	}
	return most
}

// blank replaces the sentences of a text that tell what is forgotten. changed reports
// whether there were any, whole whether nothing meaningful remains.
func (s Subject) blank(said string, where Where) (out string, changed, whole bool) {
	var b strings.Builder
	whole = true
	for _, part := range sentences(said) {
		if s.Said.Whole(part) || s.Values.In(part, where) == Tells {
			lead, tail := margins(part)
			b.WriteString(lead + strata.ForgottenText + tail)
			changed = true
			continue
		}
		whole = whole && !strings.ContainsFunc(part, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
		b.WriteString(part)
	}
	if s.Said.Whole(b.String()) { // it spans sentences
		return "", true, true
	}
	if !changed && where == Source {
		return "", true, true // nothing shows which of its sentences said it
	}
	return b.String(), changed, whole && changed
}

// margins returns what surrounds the words of a sentence: whitespace and the marker of a
// list item, quotation or table.
func margins(s string) (lead, tail string) {
	rest := strings.TrimLeft(s, " \t>-*•+#|")
	if i := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsDigit(r) }); i > 0 && i < 4 && (rest[i] == '.' || rest[i] == ')') && strings.HasPrefix(rest[i+1:], " ") {
		rest = rest[i+2:]
	}
	trimmed := strings.TrimRight(rest, " \t\r\n|")
	return s[:len(s)-len(rest)], rest[len(trimmed):]
}

// BlankTurn removes from a turn what it says of what is forgotten, and reports whether
// the turn changed. Text is removed by the sentence. Tool calls lose their arguments as a
// whole, because JSON has no sentences. If nothing meaningful remains, the turn is
// blanked entirely and loses its images.
func (s Subject) BlankTurn(t *strata.Turn, where Where) (changed bool) {
	out, changed, whole := s.blank(t.Text, where)
	for i := range t.Calls {
		if texts := CallTexts(t.Calls[i : i+1]); s.Said.Whole(texts...) || s.told(texts, where) {
			s.Text.BlankCalls(t.Calls[i : i+1])
			changed = true
		}
	}
	if s.Wholly && where == Source {
		changed, whole = true, true
	}
	if !changed {
		return false
	}
	if strings.TrimSpace(t.Text) == "" {
		whole = whole && s.Wholly || allBlank(t.Calls)
	}
	if whole {
		s.Text.BlankCalls(t.Calls)
		t.Text, t.Images, t.Forgotten = strata.ForgottenText, nil, true
		return true
	}
	t.Text = out
	return true
}

// allBlank reports whether no call has arguments.
func allBlank(calls []strata.ToolCall) bool {
	for _, c := range calls {
		if c.Arguments != "" {
			return false
		}
	}
	return true
}

// told reports whether one of some texts tells what is forgotten.
func (s Subject) told(texts []string, where Where) bool {
	for _, said := range texts {
		if s.Verdict(said, where) == Tells {
			return true
		}
	}
	return false
}

// Remains reports whether a turn still contains some of what is forgotten.
func (s Subject) Remains(t strata.Turn) bool {
	texts := append(CallTexts(t.Calls), t.Text)
	return s.Said.In(texts...) || s.InTurn(t, Anywhere) != Nothing
}

// Holds reports whether a text contains a value of what is forgotten, perhaps of another
// subject.
func (s Subject) Holds(said string) bool { return s.Verdict(said, Anywhere) != Nothing }

// Mentions reports whether one of the texts contains what is forgotten. It is for texts
// that memory keeps about its own use, such as queries and reasons. It is strict, because
// little is lost by removing one that is about another subject.
func (s Subject) Mentions(texts ...string) bool {
	for _, said := range texts {
		if s.Shown.In(said) || s.Verdict(said, Told) != Nothing {
			return true
		}
	}
	return false
}
