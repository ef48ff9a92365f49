package embedding

import (
	"slices"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/vector"
)

// A model reads some hundred words, and ignores or refuses the rest of a longer text. So
// it embeds the passages of a long text, and the vector of the text is their mean. The
// end of the text then counts as much as its beginning.

// maxAsked is the most passages of one text that a model embeds, taken at even distances:
// some 2,000 words. Long before that, a text has shown what it is about.
const maxAsked = 16

// passagesOf returns the passages of the texts, and for each the index of its text. A
// text of up to two passages stays whole.
func passagesOf(texts []string) (passages []string, owner []int) {
	for i, s := range texts {
		spans := text.Passages(s)
		if len(spans) <= 2 {
			passages, owner = append(passages, s), append(owner, i)
			continue
		}
		n := min(len(spans), maxAsked)
		for k := range n {
			p := spans[k*len(spans)/n]
			passages, owner = append(passages, s[p.Start:p.End]), append(owner, i)
		}
	}
	return passages, owner
}

// meanOf returns the vectors of n texts, given those of their passages.
func meanOf(vectors [][]float32, owner []int, n int) [][]float32 {
	if len(vectors) == n {
		return vectors // each text is one passage
	}
	out := make([][]float32, n)
	for k, v := range vectors {
		sum := out[owner[k]]
		if sum == nil {
			out[owner[k]] = slices.Clone(v)
			continue
		}
		for i, x := range v {
			sum[i] += x
		}
	}
	for _, v := range out {
		vector.Normalize(v)
	}
	return out
}
