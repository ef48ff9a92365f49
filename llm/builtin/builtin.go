// Package builtin embeds text without a model, a server or a network.
//
// A vector has two parts. The first is the meaning of the words: the sum of their trained
// vectors, which the program contains for the 65,536 most frequent English words
// ("vineyard" is near "winery"). The second is their spelling, a sum of hashed features:
// each word's stem, its character n-grams (so that a typo or another inflection stays
// near) and, if the word is in a small list of everyday subjects, the subject ("Katze"
// and "cat" share one). Names, identifiers and other languages have only the second part,
// which weighs more the fewer words of a text have a trained vector.
//
// Uninformative words weigh little, and a repeated word weighs less than twice. Word
// order does not matter. Nothing is learned or stored: the same text has the same vector
// in every process and on every platform.
//
// A language model's embedder sees more; this one is always there.
package builtin

import (
	"context"
	"math"
	"sync"

	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/internal/text/wordvec"
)

const (
	// Model names the vectors of this package. The number after "@" increases with every
	// change that gives any text a different vector, including changes of the word lists.
	Model = "builtin/words-384@3"

	// Earlier names the vectors that earlier versions made: hashed features alone.
	// [Named] still makes them, for homes that have them.
	Earlier = "builtin/ngram-384@2"

	// Dimensions is the length of the vectors of Model and of Earlier.
	Dimensions = shippedDims + hashedDims

	// shippedDims is the length of the first part of a vector with the program's words,
	// hashedDims that of the second part.
	shippedDims = 100
	hashedDims  = 284
	// meaningShare is the share of the first part in the squared length of a vector if
	// every word is known. Recall is the same between 0.6 and 0.85, except for questions
	// that share no word with their answer, which gain with a larger share.
	meaningShare = 0.75

	// maxBytes bounds how much of a text is read. A vector of this size cannot
	// distinguish more: a longer document must be cut into passages.
	maxBytes = 64 << 10
)

// Embedder embeds text. It is safe for concurrent use and has nothing to close.
type Embedder struct {
	model   string
	lexicon *lexicon
	words   *wordvec.Table // nil: no first part
	hashed  int            // length of the second part
	scratch sync.Pool      // of *scratch
	known   *text.Memo[[]float32]
}

// New returns an embedder with the program's words. It takes some milliseconds to read
// the word lists: keep the embedder rather than make another.
func New() *Embedder { return newEmbedder(Model, ShippedWords(), hashedDims) }

// Named returns the embedder of the named model, which may be an earlier one, or nil if
// this package cannot make it on its own.
func Named(model string) *Embedder {
	switch model {
	case Model:
		return New()
	case Earlier:
		return newEmbedder(Earlier, nil, Dimensions)
	}
	return nil
}

func newEmbedder(model string, words *wordvec.Table, hashed int) *Embedder {
	return &Embedder{model: model, lexicon: newLexicon(), words: words, hashed: hashed, known: text.NewMemo[[]float32](1 << 11)}
}

// Model returns the name of the vectors.
func (e *Embedder) Model() string { return e.model }

// Dimensions returns the length of every vector.
func (e *Embedder) Dimensions() int {
	if e.words == nil {
		return e.hashed
	}
	return e.words.Dimensions() + e.hashed
}

// InProcess marks the embedder as computing in this process: see [llm.InProcess].
func (e *Embedder) InProcess() {}

// Embed returns a vector of unit length for each text, in order. A text without a letter
// or number has the zero vector. Only the first 64 KiB of a text count. A text may
// contain any bytes; the only error is that of ctx.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	s, _ := e.scratch.Get().(*scratch)
	if s == nil {
		s = newScratch(e.lexicon, e.words, e.hashed)
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

// Word returns the vector of a word. It caches some thousand: the result is shared and
// must not be modified.
func (e *Embedder) Word(word string) []float32 {
	return e.known.Get(word, func(word string) []float32 {
		v, err := e.Embed(context.Background(), []string{word})
		if err != nil { // only a context that is done is one
			return nil
		}
		return v[0]
	})
}

// embed returns the vector of one text.
func (s *scratch) embed(t string) []float32 {
	s.begin()
	t = text.Head(t, maxBytes)
	if text.HasUnspaced(t) {
		// The whole run is needed to form pairs of characters.
		for token := range text.Tokens(t) {
			s.add(s.entryOf(token.Word))
		}
	} else {
		for _, word := range text.Words(t) {
			s.add(s.entryOf(word))
		}
	}
	return s.joined()
}

// joined returns the vector of all words added: both parts, together of unit length, or
// zero.
func (s *scratch) joined() []float32 {
	split := len(s.meaning)
	out := make([]float32, split+len(s.sum))
	share := 0.0
	if s.told > 0 && split > 0 {
		share = meaningShare * float64(s.known) / float64(s.told)
	}
	if !scale(out[:split], s.meaning, math.Sqrt(share)) {
		share = 0 // the words cancel each other out, or none is known
	}
	scale(out[split:], s.sum, math.Sqrt(1-share))
	return out
}

// scale writes sum to out, scaled to a length. It reports false if sum is zero.
func scale(out []float32, sum []int64, length float64) bool {
	var squares float64
	for _, v := range sum {
		x := float64(v)
		squares += float64(x * x) // the conversion forbids a fused, differently rounded sum
	}
	if squares == 0 {
		return false
	}
	length /= math.Sqrt(squares)
	for i := range out {
		out[i] = float32(float64(sum[i]) * length)
	}
	return true
}
