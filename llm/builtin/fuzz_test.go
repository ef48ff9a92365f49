package builtin

import (
	"context"
	"math"
	"slices"
	"testing"
)

func FuzzEmbed(f *testing.F) {
	for _, s := range []string{"", "My cat's name is Whiskerino", "明日の会議", "ฉันชอบแมว", "a\x00b \xff c", "v2.4.7 don’t 🙂"} {
		f.Add(s)
	}
	used := New()
	f.Fuzz(func(t *testing.T, s string) {
		fresh := &Embedder{lexicon: used.lexicon, words: used.words, hashed: used.hashed}
		var vs [2][]float32
		for i, e := range []*Embedder{used, fresh} {
			out, err := e.Embed(context.Background(), []string{s})
			if err != nil {
				t.Fatal(err)
			}
			vs[i] = out[0]
		}
		if !slices.Equal(vs[0], vs[1]) {
			t.Fatalf("vector of %q depends on the embedder's past", s)
		}
		var squares float64
		for _, x := range vs[0] {
			squares += float64(x) * float64(x)
		}
		if squares != 0 && math.Abs(squares-1) > 1e-5 || math.IsNaN(squares) {
			t.Fatalf("squared length %g of %q", squares, s)
		}
	})
}
