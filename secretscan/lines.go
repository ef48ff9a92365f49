package secretscan

import "slices"

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
