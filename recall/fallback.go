package recall

import (
	"context"
	"fmt"
	"sync"

	"github.com/strata-memory/strata/llm/builtin"
)

// embedder is the built-in embedder, made once: it is needed only where a
// model's vectors are of no use.
var embedder = sync.OnceValue(builtin.New)

// replace gives the candidates that were read the closeness of the built-in
// embedder as far as the model's is not trusted, so that with a useless model
// nothing is lost to having none. It takes some ten microseconds a candidate.
func (f *finder) replace(ctx context.Context, among []*candidate) error {
	if f.distrust == 0 {
		return nil
	}
	texts := []string{f.req.Query.Text}
	var open []*candidate
	for _, c := range among {
		if !c.judged {
			c.judged = true
			open = append(open, c)
			texts = append(texts, indexedText(c.item))
		}
	}
	if len(open) == 0 {
		return nil
	}
	vectors, err := embedder().Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed candidates in place of the model: %w", err)
	}
	for i, c := range open {
		c.builtin = f.w.closeness(dot(vectors[0], vectors[i+1]))
	}
	f.windows(open, ofBuiltin)
	for _, c := range open {
		c.closeness += f.distrust * c.builtin
	}
	return nil
}

// dot is the cosine of two vectors of unit length.
func dot(a, b []float32) float32 {
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
