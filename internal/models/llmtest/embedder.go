package llmtest

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// RunEmbedder checks what must hold for every embedder with a real model.
func RunEmbedder(t *testing.T, e llm.Embedder) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	texts := []string{
		"My cat's name is Whiskerino", "The billing service stores invoices in PostgreSQL.",
		"¿Cómo se llama mi gato?", "日本語の設定", "a", strings.Repeat("a long text about cats and invoices. ", 400),
	}
	vectors, err := e.Embed(ctx, texts)
	if err != nil {
		t.Fatal(err)
	}
	if e.Model() == "" || e.Dimensions() <= 0 {
		t.Fatalf("model %q of %d dimensions", e.Model(), e.Dimensions())
	}
	checkVectors(t, e, vectors, len(texts))

	t.Run("a text has one vector, alone or among others", func(t *testing.T) {
		for i, text := range texts {
			alone, err := e.Embed(ctx, []string{text})
			if err != nil {
				t.Fatal(err)
			}
			// Servers round differently in batches.
			if c := cosine(alone[0], vectors[i]); c < 0.99 {
				t.Errorf("text %d: cosine %.4f", i, c)
			}
		}
	})
	t.Run("many texts come in order", func(t *testing.T) {
		many := make([]string, 40) // more than a batch of any client here
		for i := range many {
			many[i] = texts[i%5]
		}
		got, err := e.Embed(ctx, many)
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, e, got, len(many))
		for i := range got {
			if c := cosine(got[i], vectors[i%5]); c < 0.99 {
				t.Errorf("text %d: cosine %.4f", i, c)
			}
		}
	})
	t.Run("nothing and blanks", func(t *testing.T) {
		if got, err := e.Embed(ctx, nil); err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
		got, err := e.Embed(ctx, []string{"", " \n\t", texts[0]})
		if err != nil {
			t.Fatal(err)
		}
		checkVectors(t, e, got, 3)
	})
	t.Run("a caller who left gets no answer", func(t *testing.T) {
		gone, leave := context.WithCancel(ctx)
		leave()
		_, err := e.Embed(gone, texts)
		wantCode(t, err, strata.CodeCanceled)
	})
}

// checkVectors checks the number, length and norm of vectors.
func checkVectors(t testing.TB, e llm.Embedder, vectors [][]float32, n int) {
	t.Helper()
	if len(vectors) != n {
		t.Fatalf("%d vectors for %d texts", len(vectors), n)
	}
	for i, v := range vectors {
		if len(v) != e.Dimensions() {
			t.Fatalf("vector %d has %d dimensions, the model %d", i, len(v), e.Dimensions())
		}
		if norm := math.Sqrt(dot(v, v)); norm != 0 && math.Abs(norm-1) > 1e-4 {
			t.Errorf("vector %d has the length %v", i, norm)
		}
	}
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return -1
	}
	return dot(a, b) / max(1e-12, math.Sqrt(dot(a, a))*math.Sqrt(dot(b, b)))
}
