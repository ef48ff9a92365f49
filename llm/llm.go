// Package llm declares what Strata asks of a language model.
//
// No network client lives here: adapters are children of this package
// (llm/builtin needs no server at all). Whoever wires the program decides
// which one serves.
package llm

import "context"

// Embedder turns texts into vectors whose closeness follows their meaning.
// It is safe for concurrent use.
type Embedder interface {
	// Model names the model and everything else that changes its vectors
	// ("builtin/words-384@3"). Vectors of different names are never compared.
	Model() string
	// Dimensions is the length of every vector, fixed for the model.
	Dimensions() int
	// Embed returns one vector of unit length for each text, in order. A text
	// without any content may yield the zero vector.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// InProcess marks an [Embedder] that computes in this process, in microseconds a
// text, and waits for nobody: it may be asked for a few texts at a time, and
// during a transaction.
type InProcess interface {
	Embedder
	// InProcess does nothing.
	InProcess()
}
