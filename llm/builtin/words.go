package builtin

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/strata-memory/strata/internal/text/wordvec"
)

// shippedFile holds GloVe's vectors, made by internal/tools/cutvectors. Nothing
// of it is in memory but the pages that were looked at.
//
//go:embed vectors/glove-100d.bin
var shippedFile string

// WordTable finds the vectors of words.
type WordTable = wordvec.Table

// ShippedWords returns the vectors of words that the program holds.
func ShippedWords() *WordTable {
	t, err := wordvec.Open(shippedFile)
	if err != nil || t.Dimensions() != shippedDims {
		panic("builtin: the program is damaged: its word vectors cannot be read")
	}
	return t
}

const (
	// family begins the names of models that have words, and version follows the
	// length of their vectors.
	family  = "builtin/words-"
	version = "@3"
	// digestMark is what the digest of words that are not shipped follows.
	digestMark = "+"
)

// WithWords returns an embedder with other words than those of the program. The
// digest tells them from others, in the name of the model: vectors that were made
// with other words are never compared.
func WithWords(words *WordTable, digest string) *Embedder {
	e := newEmbedder("", words, hashedDims)
	e.model = fmt.Sprint(family, e.Dimensions(), version, digestMark, digest)
	return e
}

// Words says which words the built-in embedder of a home has.
type Words struct {
	// Path is the file they are from; empty for those of the program.
	Path string
	// Count is how many there are, and Dimensions the length of their vectors;
	// 0 where the file is not used.
	Count, Dimensions int
	// Problem says why the file is not used; empty if it is. Those of the program
	// are used in its place.
	Problem string
}

// HasWords reports whether vectors of a model are made by this package with words,
// of the program or others.
func HasWords(model string) bool { return strings.HasPrefix(model, family) }

// DigestOf returns the digest of the words that a model was made with; empty for
// those of the program and for models of others.
func DigestOf(model string) string {
	if !HasWords(model) {
		return ""
	}
	_, digest, _ := strings.Cut(model, digestMark)
	return digest
}

// withoutPossessive returns a word without "'s".
func withoutPossessive(word string) string {
	if w, ok := strings.CutSuffix(word, "'s"); ok {
		return w
	}
	return strings.TrimSuffix(word, "’s")
}
