package text

// Vocabulary returns the set of terms of a text, without stop words.
func Vocabulary(s string) map[string]bool {
	out := make(map[string]bool)
	for t := range Tokens(s) {
		if !t.Stop {
			out[t.Term] = true
		}
	}
	return out
}

// Grounding returns the share of a text's terms that are in known, in [0,1]; 0 for a text
// without terms. Stop words do not count.
func Grounding(s string, known map[string]bool) float64 {
	terms := Vocabulary(s)
	if len(terms) == 0 {
		return 0
	}
	hit := 0
	for t := range terms {
		if known[t] {
			hit++
		}
	}
	return float64(hit) / float64(len(terms))
}
