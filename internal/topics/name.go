package topics

import (
	"cmp"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// NameOf returns a name for texts that belong together: the word that most of them
// share and few of the others have, with before in front of it if that is not empty,
// or two words where one is taken. It returns "" if no two of them share a word that
// could be a name.
func NameOf(texts, others []string, before string, taken func(name string) bool) string {
	words := sharedWords(texts, others)
	join := func(words ...string) string {
		if before != "" {
			words = slices.Insert(words, 0, before)
		}
		return strings.Join(words, " ")
	}
	for i, w := range words {
		if name := join(w); !taken(name) {
			return name
		}
		for _, second := range words[i+1:] {
			if name := join(w, second); !taken(name) {
				return name
			}
		}
	}
	return ""
}

// sharedWords returns the words that more than one of the texts have, those first
// that tell them best from others.
func sharedWords(texts, others []string) []string {
	in, out := countNames(texts), countNames(others)
	var words []string
	for w, n := range in {
		if n > 1 {
			words = append(words, w)
		}
	}
	worth := func(w string) float64 { // as many texts as possible, as few others
		return float64(in[w]) * float64(in[w]) / float64(in[w]+out[w])
	}
	slices.SortFunc(words, func(a, b string) int {
		return cmp.Or(cmp.Compare(worth(b), worth(a)), cmp.Compare(a, b))
	})
	return words
}

// countNames counts in how many texts each word is that could name a category.
func countNames(texts []string) map[string]int {
	counts := make(map[string]int)
	for _, s := range texts {
		seen := make(map[string]bool)
		for _, w := range read(text.Analyze(s)).known {
			if w.tag == "" || seen[w.tag] || !couldName(w.tag) {
				continue
			}
			seen[w.tag] = true
			counts[w.tag]++
		}
	}
	return counts
}

// couldName reports whether a tag could be the name of a category.
func couldName(tag string) bool { return !isGeneral(tag) && !strings.ContainsAny(tag, "./'’") }
