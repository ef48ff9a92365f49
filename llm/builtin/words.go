package builtin

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/strata-memory/strata/internal/text/wordvec"
)

// shippedFile contains GloVe's vectors, made by internal/tools/cutvectors. Only the pages
// that are used are loaded into memory.
//
//go:embed vectors/glove-100d.bin
var shippedFile string

// WordTable maps words to vectors.
type WordTable = wordvec.Table

// ShippedWords returns the word vectors that the program contains.
func ShippedWords() *WordTable {
	t, err := wordvec.Open(shippedFile)
	if err != nil || t.Dimensions() != shippedDims {
		panic("builtin: the program is damaged: its word vectors cannot be read")
	}
	return t
}

const (
	// family starts the names of models with word vectors; version follows the length of
	// their vectors.
	family  = "builtin/words-"
	version = "@3"
	// digestMark precedes the digest of words that are not the program's.
	digestMark = "+"
)

// WithWords returns an embedder with words other than the program's. The digest becomes
// part of the model name, so that vectors made with different words are never compared.
func WithWords(words *WordTable, digest string) *Embedder {
	e := newEmbedder("", words, hashedDims)
	e.model = fmt.Sprint(family, e.Dimensions(), version, digestMark, digest)
	return e
}

// Words describes the word vectors of a home's built-in embedder.
type Words struct {
	// Path is the file they come from; empty for those of the program.
	Path string
	// Count is the number of words, Dimensions the length of their vectors; 0 if the file
	// is not used.
	Count, Dimensions int
	// Problem says why the file is not used; empty if it is. The program's words are used
	// instead.
	Problem string
}

// HasWords reports whether this package makes the vectors of a model with word vectors,
// of the program or others.
func HasWords(model string) bool { return strings.HasPrefix(model, family) }

// DigestOf returns the digest of the words that a model was made with; empty for the
// program's words and for models of other packages.
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
