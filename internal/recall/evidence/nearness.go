package evidence

import (
	"slices"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/vector"
)

const (
	// unrelatedWords and sameWords are cosines of two words under the built-in embedder.
	// Up to unrelatedWords, the words have nothing to do with each other; from sameWords
	// on, one stands for the other and gives it nearSupport.
	unrelatedWords = 0.2
	sameWords      = 0.7
	nearSupport    = 0.9
	// maxRead is how much of a text is searched for similar words, in bytes, and
	// maxCompared how many of its words are compared with the terms that it lacks.
	maxRead     = 4 << 10
	maxCompared = 64
)

// Complete reports whether similar words cannot raise the support of any term.
func Complete(support []float64) bool { return !slices.ContainsFunc(support, lacks) }

func lacks(s float64) bool { return s < nearSupport }

// SupportNear raises the support of terms that a text lacks, by its words that are close
// to them in meaning or spelling.
func (q *Question) SupportNear(support []float64, said string, embedder *builtin.Embedder) {
	var words []string
	for _, w := range text.Words(text.Head(said, maxRead)) {
		if len(words) == maxCompared {
			break
		}
		if !text.IsStop(w) && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	for i, s := range support {
		if !lacks(s) || q.Tags[i] {
			continue
		}
		asked, nearest := embedder.Word(q.Words[i]), float32(0)
		for _, w := range words {
			nearest = max(nearest, vector.Dot(asked, embedder.Word(w)))
		}
		near := (float64(nearest) - unrelatedWords) / (sameWords - unrelatedWords)
		support[i] = max(s, nearSupport*min(near, 1))
	}
}
