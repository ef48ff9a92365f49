package engine

import (
	"context"

	"github.com/strata-memory/strata/llm"
)

// UseEmbedder makes emb the embedder of the memory, without a restart. Its vectors are
// made in the background. The old embedder and its vectors serve until every passage has
// a new one; then the new ones take over in one transaction. If several embedders are
// requested, by any process, the latest wins. Requesting the model that already serves
// cancels the change.
//
// Errors: invalid if emb is nil, unavailable if it does not report the size of its
// vectors, read_only.
func (e *Engine) UseEmbedder(ctx context.Context, emb llm.Embedder) error {
	return e.models.Use(ctx, emb)
}

// Embedder names the model whose vectors serve, as this process last saw it; empty while
// none does. [Engine.Embedding] says more.
func (e *Engine) Embedder() string { return e.models.Serving().Name }

// Builtin names the model of the built-in embedder, with the words it has.
func (e *Engine) Builtin() string { return e.models.Builtin().Model() }

// Embedding reports which model's vectors serve, which model will replace it, and how far
// that change has come.
func (e *Engine) Embedding(ctx context.Context) (EmbeddingReport, error) {
	return e.models.Report(ctx)
}
