package recall

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/token"
	"github.com/strata-memory/strata/vector"
)

// markPassage sets h.Match to the passage of a long hit that matches the question best.
// It returns all passages and the index of that one, or nil if the hit is a single
// passage. For a long turn, found is the passage that the index matched. The index does
// not divide facts and sections, so markPassage looks for their best passage itself.
func (f *finder) markPassage(h *strata.Hit, found strata.Span) (passages []text.Span, best int) {
	passages = text.Passages(h.Text)
	if len(passages) < 2 {
		return nil, 0
	}
	if best = slices.Index(passages, text.Span(found)); best < 0 {
		best = f.bestPassage(h.Text, passages)
	}
	match := strata.Span(passages[best])
	h.Match = &match
	return passages, best
}

// bestPassage returns the index of the passage with the highest BM25 score. If no passage
// holds a word of the question, it returns the one that is closest in meaning.
func (f *finder) bestPassage(whole string, passages []text.Span) int {
	known := f.knownTerms()
	best, most := -1, 0.0
	counts := make([]float64, f.query.size())
	for i, p := range passages {
		clear(counts)
		for tok := range text.Tokens(text.WithIdentifiers(whole[p.Start:p.End])) {
			if feature, ok := known[tok.Term]; ok {
				counts[feature]++
			}
		}
		score := 0.0
		for feature, n := range counts {
			score += f.query.idf[feature] * n / (n + f.w.K1) // passages are of about one length
		}
		if score > most {
			best, most = i, score
		}
	}
	if best < 0 {
		return f.closestPassage(whole, passages)
	}
	return best
}

// maxComparedPassages is the most passages of a text that are compared by meaning.
const maxComparedPassages = 64

// closestPassage returns the index of the passage that is closest to the question
// according to the built-in embedder.
func (f *finder) closestPassage(whole string, passages []text.Span) int {
	texts := []string{f.req.Query.Text}
	for _, p := range passages[:min(len(passages), maxComparedPassages)] {
		texts = append(texts, whole[p.Start:p.End])
	}
	vectors, err := f.builtinEmbedder().Embed(context.Background(), texts) // runs in this process and is fast
	if err != nil {
		return 0
	}
	best, closest := 0, float32(-1)
	for i, v := range vectors[1:] {
		if s := vector.Dot(vectors[0], v); s > closest {
			best, closest = i, s
		}
	}
	return best
}

// shorten cuts the text of a long hit to the best passage and as many of its neighbors as
// fit into the given number of tokens. It returns the tokens of the new text.
func shorten(h *strata.Hit, passages []text.Span, best, tokens int) int {
	whole := h.Text
	count := func(i int) int { return token.Count(whole[passages[i].Start:passages[i].End]) }
	first, end := best, best+1
	left := tokens - count(best)
	for grown := true; grown; {
		grown = false
		if end < len(passages) && count(end) <= left {
			left -= count(end)
			end, grown = end+1, true
		}
		if first > 0 && count(first-1) <= left {
			first, grown = first-1, true
			left -= count(first)
		}
	}
	if end-first < len(passages) {
		h.Offset, h.Length = passages[first].Start, len(whole)
		h.Text = whole[h.Offset:passages[end-1].End]
	}
	return token.Count(h.Text)
}
