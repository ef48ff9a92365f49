// Package secrets finds credentials in text, so that they never reach the disk, and marks
// text that tries to command its reader rather than inform.
//
// The main functions:
//
//   - [Scan] returns where the secrets are.
//   - [Redact] replaces them by markers that name the rule, never the secret.
//   - [Threats] marks injected instructions, exfiltration and hidden
//     characters. It only reports them; the caller decides what follows.
//
// Secrets are found in three ways, each with a table whose entries have examples that are
// run as tests. Credentials with a published shape are recognized by it (see tokenRules),
// even if a terminal or a mail broke them over several lines. Programs that take a secret
// on their command line are recognized by name (see commands). All others are recognized
// by their context: a label such as "password:" or "door code" (see commonLabels), a URL
// with user information, a header.
//
// The grammar of a language (see internal/text/grammar) connects a label to its value:
// after it, "the password for the router is x"; before it, "x is the password"; or in a
// later clause, "I changed the password, it is now x". Because "the password is wrong"
// and "token count: 4096" are ordinary text, each candidate value is judged. In a
// connection string or an environment variable it counts, whatever it looks like. Alone
// after a sign, or last in its clause, it counts unless the word describes something.
// Elsewhere it counts only if it cannot be a word: mixed digits and letters, or letters
// that look random.
//
// Names (ids, sessions, paths, titles) cannot be redacted: [Refuse] returns an error for
// one that contains a secret.
//
// Every text is scanned twice, as it is and without its invisible characters, so that a
// zero-width space inside a token hides nothing. Scanning takes time linear in the length
// of the text, and only one pass over its bytes if nothing in it is suspicious.
//
// A [Finding] contains only offsets and a rule, so it can be logged.
package secrets

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is a secret in a text.
type Finding struct {
	// Rule names what was recognized, such as "github-token": lower-case letters, digits
	// and hyphens. Names do not change between versions.
	Rule string
	// Start and End are byte offsets into the scanned text: text[Start:End] is the
	// secret.
	Start, End int
}

// Scan returns the secrets of text, in order. None is empty, and none overlap. If several
// rules match overlapping parts, the finding covers all of them and names the most
// specific rule. The markers that [Redact] leaves are not secrets.
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

// replaced returns text with the findings replaced by their markers. If lines is set,
// each marker is followed by the line ends of what it replaces.
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

	maxRuleName = 40 // bytes, including the end of the marker
)

// nextMarker returns the first redaction marker at or after pos, or len(text) twice.
// Scanning treats a marker as the end of one text and the beginning of another: the text
// around it was scanned when the marker was made.
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

// cover appends the secrets of text[lo:hi]. It scans what lies between two of them again
// separately, because that is how it will be in the redacted text: without the secrets,
// something may be at a boundary that was not before.
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

// merge joins overlapping spans under the rule that ranks first.
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

// RedactLines is [Redact] for a file: it keeps line numbers the same after a secret of
// several lines. It returns the rules that found a secret, sorted, each once.
func RedactLines(text string) (string, []string) {
	found := Scan(text)
	rules := rulesOf(found)
	slices.Sort(rules)
	return replaced(text, found, true), rules
}

// Rules returns the rules that find a secret in a text, each once.
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
