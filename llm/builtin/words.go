package builtin

import (
	_ "embed"
	"strings"

	"github.com/strata-memory/strata/internal/wordvec"
)

// shippedFile holds GloVe's vectors, made by internal/tools/cutvectors. Nothing
// of it is in memory but the pages that were looked at.
//
//go:embed vectors/glove-100d.bin
var shippedFile string

// shippedWords returns the table of the shipped vectors.
func shippedWords() *wordvec.Table {
	t, err := wordvec.Open(shippedFile)
	if err != nil || t.Dimensions() != meaningDims {
		panic("builtin: the program is damaged: its word vectors cannot be read")
	}
	return t
}

// Words returns the vectors of words that the program holds.
func Words() *wordvec.Table { return shippedWords() }

// withoutPossessive returns a word without "'s".
func withoutPossessive(word string) string {
	if w, ok := strings.CutSuffix(word, "'s"); ok {
		return w
	}
	return strings.TrimSuffix(word, "’s")
}
