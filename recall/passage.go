package recall

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/timeexpr"
)

// TurnText is what is indexed for a turn: the day it was said in words, the
// speaker and the text with the words of its identifiers, so that "May 2023" and "Caroline" match it; the day that
// the text speaks of ("yesterday"); and of its tool calls what [CallText] gives,
// so that "which file did you read" does.
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
	b.WriteString(withIdentifiers(t.Text))
	if day := dayMeant(t); day != "" {
		b.WriteByte('\n')
		b.WriteString(day)
	}
	for _, c := range t.Calls {
		b.WriteByte('\n')
		b.WriteString(CallText(c))
	}
	return b.String()
}

// dayMeant says in words which day or month the text of a turn speaks of, as
// seen from when it was said: "yesterday" answers to a date, too. Longer spans
// tell too little.
func dayMeant(t strata.Turn) string {
	if t.At.IsZero() {
		return ""
	}
	r := timeexpr.Find(cutText(t.Text, maxDated), t.At)
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

// maxDated is how many bytes of a turn are read for the day it speaks of.
const maxDated = 4 << 10

// Bounds of what is indexed of a tool call, in bytes. A path, a query or a
// short command is what a call is looked for by. A file that is written whole
// would drown the words that were said, and its tool's answer or the file
// itself holds it anyway.
const (
	maxArgument  = 200
	maxArguments = 600
)

// CallText says a tool call in words: the tool, and the short texts and numbers
// among its arguments.
func CallText(c strata.ToolCall) string {
	var b strings.Builder
	b.WriteString(c.Name)
	dec := json.NewDecoder(strings.NewReader(c.Arguments))
	dec.UseNumber()
	size := 0
	for {
		token, err := dec.Token()
		if err != nil { // the end, or where a model stopped writing JSON
			return b.String()
		}
		var s string
		switch v := token.(type) {
		case string:
			s = v
		case json.Number:
			s = v.String()
		}
		if s == "" || len(s) > maxArgument || size+len(s) > maxArguments {
			continue
		}
		size += len(s)
		b.WriteByte(' ')
		b.WriteString(s)
	}
}

// sectionShown is how a section is shown: its text, or where it has none its
// heading.
func sectionShown(s strata.Section) string {
	if n := len(s.Headings); s.Text == "" && n > 0 {
		return s.Headings[n-1]
	}
	return s.Text
}

// turnShown is how a turn is shown: its text, or where it has none what it
// asked tools for.
func turnShown(t strata.Turn) string {
	if t.Text != "" || len(t.Calls) == 0 {
		return t.Text
	}
	calls := make([]string, len(t.Calls))
	for i, c := range t.Calls {
		calls[i] = CallText(c)
	}
	return "called " + strings.Join(calls, "; ")
}

// SectionText is what is indexed for a section: what its document is called and
// about, the headings it stands under, of a daily log the day in words, and its
// own text with the words of its identifiers. What adds no word to the lines before it is left out.
func SectionText(d strata.Document, s strata.Section) string {
	lines := []string{d.Name, d.Description}
	if day, ok := dayOf(d); ok {
		lines = append(lines, day.Format("2 January 2006"))
	}
	var have []text.Token
	var b strings.Builder
	for _, line := range append(lines, s.Headings...) {
		if !adds(line, have) {
			continue
		}
		have = slices.AppendSeq(have, text.Tokens(line))
		b.WriteString(line)
		b.WriteByte('\n')
	}
	b.WriteString(withIdentifiers(s.Text))
	return b.String()
}

// dayOf is the day of a daily log; false for other documents.
func dayOf(d strata.Document) (time.Time, bool) {
	if d.Kind != strata.DocumentDaily {
		return time.Time{}, false
	}
	day, err := time.Parse("memory/2006-01-02.md", d.Path)
	return day, err == nil
}

// adds reports whether a text holds a term beyond those of have that is not of a
// stop word.
func adds(s string, have []text.Token) bool {
	for t := range text.Tokens(s) {
		if !t.Stop && !slices.ContainsFunc(have, func(h text.Token) bool { return h.Term == t.Term }) {
			return true
		}
	}
	return false
}

// FactText is what is indexed for a fact: its text with the words of its
// identifiers, and those words of its entity, attribute and tags that the text
// does not hold already.
func FactText(f strata.Fact) string {
	out := withIdentifiers(f.Text)
	have := text.Analyze(f.Text)
	add := func(extra string) {
		if !isWordOf(have, extra) && adds(extra, have) { // most tags are words of the text
			out += "\n" + extra
			have = slices.AppendSeq(slices.Clip(have), text.Tokens(extra)) // it is shared: this copies
		}
	}
	add(f.Entity)
	add(f.Attribute)
	for _, tag := range f.Tags {
		add(tag)
	}
	return out
}

// isWordOf reports whether s is one of the words that tokens came from, so that it
// has the token of that word and no other. Outside ASCII it does not look: a word
// may be several tokens.
func isWordOf(tokens []text.Token, s string) bool {
	return text.IsASCII(s) && slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Word == s })
}
