// Package builtin embeds text without a model, a server or a network.
//
// A vector is a sum of hashed features: each word's stem, its character n-grams
// (so that a typing error or another inflection stays near) and, where the word
// is in a small list of everyday subjects, the subject ("kitten" and "cat" share
// one). Words that say little weigh little, and a word said twice does not weigh
// twice. Nothing is learned and nothing is kept: the same text has the same
// vector in every process and on every platform.
//
// Closeness is closeness of wording, with a little of meaning. A language
// model's embedder sees more; this one is always there.
package builtin

import (
	"context"
	"math"
	"sync"

	"github.com/strata-memory/strata/internal/text"
)

const (
	// Model names the vectors of this package. The number after "@" rises with
	// every change that gives any text another vector, the word lists included.
	Model = "builtin/ngram-384@2"

	// Dimensions is the length of every vector.
	Dimensions = 384

	// maxBytes bounds what is read of one text. A vector of this size cannot
	// distinguish more: a longer document must be cut into passages.
	maxBytes = 64 << 10
)

// Embedder embeds text. It is safe for concurrent use and has nothing to close.
type Embedder struct {
	lexicon *lexicon
	scratch sync.Pool // of *scratch
}

// New returns an embedder. It takes some milliseconds, to read the word lists:
// keep it rather than make another.
func New() *Embedder {
	return &Embedder{lexicon: newLexicon()}
}

// Model returns the constant of the same name.
func (e *Embedder) Model() string { return Model }

// Dimensions returns the constant of the same name.
func (e *Embedder) Dimensions() int { return Dimensions }

// InProcess says that nothing outside is asked: see [llm.InProcess].
func (e *Embedder) InProcess() {}

// Embed returns a vector of unit length for each text, in order. A text without
// a letter or number has the zero vector. Of a text longer than 64 KiB the
// beginning counts. Any bytes are a text; the only error is that of ctx.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s, _ := e.scratch.Get().(*scratch)
	if s == nil {
		s = newScratch(e.lexicon)
	}
	defer e.scratch.Put(s)

	out := make([][]float32, len(texts))
	for i, t := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i] = s.embed(t)
	}
	return out, nil
}

// embed returns the vector of one text.
func (s *scratch) embed(t string) []float32 {
	s.begin()
	t = text.Head(t, maxBytes)
	if text.HasUnspaced(t) {
		// The whole run is needed to form pairs of characters.
		for _, token := range text.Analyze(t) {
			s.add(s.entryOf(token.Word))
		}
	} else {
		for _, word := range text.Words(t) {
			s.add(s.entryOf(word))
		}
	}
	return normalized(&s.sum)
}

// normalized returns sum as a vector of unit length, or zero.
func normalized(sum *[Dimensions]int64) []float32 {
	out := make([]float32, Dimensions)
	var squares float64
	for _, v := range sum {
		x := float64(v)
		squares += float64(x * x) // the conversion forbids a fused, differently rounded sum
	}
	if squares == 0 {
		return out
	}
	length := math.Sqrt(squares)
	for i, v := range sum {
		out[i] = float32(float64(v) / length)
	}
	return out
}
