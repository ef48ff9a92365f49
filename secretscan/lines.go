package secretscan

import (
	"slices"
	"strings"
)

// RedactLines is [Redact] for a file: what stands behind a secret of several
// lines keeps the number of its line. It returns the rules that found a secret,
// sorted, each once.
func RedactLines(text string) (string, []string) {
	found := Scan(text)
	if len(found) == 0 {
		return text, nil
	}
	var b strings.Builder
	pos := 0
	for _, f := range found {
		b.WriteString(text[pos:f.Start])
		b.WriteString(markerOpen + f.Rule + markerClose)
		b.WriteString(strings.Repeat("\n", strings.Count(text[f.Start:f.End], "\n")))
		pos = f.End
	}
	b.WriteString(text[pos:])
	rules := rulesOf(found)
	slices.Sort(rules)
	return b.String(), rules
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
