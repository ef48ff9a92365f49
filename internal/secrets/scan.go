// Package secrets finds credentials in text, so that they never reach the
// disk, and marks text that tries to command a reader rather than inform one.
//
// Its questions and their functions:
//
//   - [Scan] returns where the secrets are.
//   - [Redact] replaces them by markers that name the rule, never the secret.
//   - [Threats] annotates injected instructions, exfiltration and hidden
//     characters. It only points; what follows is the caller's policy.
//
// Secrets are found in three ways, each with a table whose entries carry
// examples that are run as tests. Credentials with a published shape are
// recognized by it (see tokenRules), also where a terminal or a mail broke them
// over lines. Programs that take a secret on their command line are known by name
// (see commands). All others are recognized by what is said of them: a label such
// as "password:" or "door code" (see commonLabels), a URL with user information, a
// header.
//
// A label and its value are joined by the grammar of a language (see internal/text/grammar):
// behind it, "the password for the router is x"; before it, "x is the password"; or
// in a later clause, "I changed the password, it is now x". Because "the password
// is wrong" and "token count: 4096" are ordinary text, what is there is judged. In
// a connection string or an environment variable it is a value, whatever it looks
// like. Alone behind a sign, or last in its clause, it is one unless the word
// describes. Elsewhere only what can be no word counts: digits and letters mixed,
// or letters that were drawn rather than written.
//
// Names (ids, sessions, paths, titles) cannot be redacted: [Refuse] reports one
// that holds a secret.
//
// Every text is looked at twice, as it is and without its invisible characters,
// so that a zero-width space inside a token hides nothing. Time is linear in the
// length of the text, and text without anything suspicious costs one pass over
// its bytes.
//
// A [Finding] holds offsets and a rule, so it can be logged.
package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is one secret in a text.
type Finding struct {
	// Rule names what was recognized, such as "github-token". Lower case,
	// letters, digits and hyphens; names do not change between versions.
	Rule string
	// Start and End are byte offsets into the scanned text: text[Start:End] is
	// the secret. End is past its last byte.
	Start, End int
}

// Scan returns the secrets of text, in order, none empty and none overlapping.
// Where several rules meet, the finding covers all they cover and names the most
// specific. The markers that [Redact] leaves are not secrets.
func Scan(text string) []Finding {
	var out []Finding
	for pos := 0; pos < len(text); {
		start, end := nextMarker(text, pos)
		out = cover(out, text, pos, start)
		pos = end
	}
	return out
}

// Redact returns text with every secret replaced by "[redacted:<rule>]", and
// the findings, with offsets into the text as given. Scanning the result finds
// nothing, and redacting it changes nothing.
func Redact(text string) (string, []Finding) {
	found := Scan(text)
	return replaced(text, found, false), found
}

// replaced returns text with the findings replaced by their markers, each followed
// by the line ends that it holds if lines is set.
func replaced(text string, found []Finding, lines bool) string {
	if len(found) == 0 {
		return text
	}
	var b strings.Builder
	pos := 0
	for _, f := range found {
		b.WriteString(text[pos:f.Start])
		b.WriteString(markerOpen + f.Rule + markerClose)
		if lines {
			b.WriteString(strings.Repeat("\n", strings.Count(text[f.Start:f.End], "\n")))
		}
		pos = f.End
	}
	b.WriteString(text[pos:])
	return b.String()
}

const (
	markerOpen  = "[redacted:"
	markerClose = "]"

	maxRuleName = 40 // bytes, with the end of the marker
)

// nextMarker returns the first marker of a redaction at or after pos, or
// len(text) twice. Scanning treats a marker as the end of one text and the
// beginning of another: the text around it was scanned when it was made.
func nextMarker(text string, pos int) (start, end int) {
	for {
		i := strings.Index(text[pos:], markerOpen)
		if i < 0 {
			return len(text), len(text)
		}
		start = pos + i
		name := text[start+len(markerOpen):]
		if end := strings.Index(name[:min(len(name), maxRuleName)], markerClose); end >= 0 && ruleNames()[name[:end]] {
			return start, start + len(markerOpen) + end + len(markerClose)
		}
		pos = start + len(markerOpen)
	}
}

// cover appends the secrets of text[lo:hi]. What lies between two of them is
// looked at again by itself, because that is how it will be in the redacted
// text: with the secrets gone, something may be at a boundary that did not.
func cover(out []Finding, text string, lo, hi int) []Finding {
	spans := find(text[lo:hi])
	if len(spans) == 0 {
		return out
	}
	pos := lo
	for _, s := range spans {
		out = cover(out, text, pos, lo+s.start)
		out = append(out, Finding{Rule: s.rule.name, Start: lo + s.start, End: lo + s.end})
		pos = lo + s.end
	}
	return cover(out, text, pos, hi)
}

// span is a match of a rule in a text.
type span struct {
	rule       *rule
	start, end int
}

// find returns the matches of all rules in text, merged, in order.
func find(text string) []span {
	spans := match(text)
	if plain, origin := stripInvisible(text); origin != nil {
		for _, s := range match(plain) {
			s.start, s.end = origin.at(s.start), origin.at(s.end-1)+1
			spans = append(spans, s)
		}
	}
	return merge(spans)
}

// merge joins overlapping spans; the rule that ranks first gives its name.
func merge(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(a.start-b.start, a.end-b.end, a.rule.rank-b.rule.rank)
	})
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.start >= last.end {
			out = append(out, s)
			continue
		}
		last.end = max(last.end, s.end)
		if s.rule.rank < last.rule.rank {
			last.rule = s.rule
		}
	}
	return out
}

// RedactLines is [Redact] for a file: what stands behind a secret of several
// lines keeps the number of its line. It returns the rules that found a secret,
// sorted, each once.
func RedactLines(text string) (string, []string) {
	found := Scan(text)
	rules := rulesOf(found)
	slices.Sort(rules)
	return replaced(text, found, true), rules
}

// Rules names the rules that find a secret in a text, each once.
func Rules(text string) []string { return rulesOf(Scan(text)) }

func rulesOf(found []Finding) []string {
	var rules []string
	for _, f := range found {
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}
