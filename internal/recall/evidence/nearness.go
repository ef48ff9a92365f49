package evidence

import (
	"slices"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/llm/builtin"
	"github.com/strata-memory/strata/vector"
)

const (
	// unrelatedWords and sameWords are the cosines of two words, by the built-in
	// embedder, up to which they have nothing to do with each other, and from which
	// one stands for the other as far as nearSupport says.
	unrelatedWords = 0.2
	sameWords      = 0.7
	nearSupport    = 0.9
	// maxRead is how much of a text is read for words that are near, in bytes, and
	// maxCompared how many of its words are compared to those that it lacks.
	maxRead     = 4 << 10
	maxCompared = 64
)

// Complete reports whether no word can support a passage more than its words do.
func Complete(support []float64) bool { return !slices.ContainsFunc(support, lacks) }

func lacks(s float64) bool { return s < nearSupport }

// SupportNear raises the support of the terms that a text lacks by those of its words
// that are near them in meaning or spelling.
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
