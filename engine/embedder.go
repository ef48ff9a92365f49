package engine

import (
	"context"

	"github.com/strata-memory/strata/llm"
)

// UseEmbedder makes emb the embedder of the memory, without a restart. Its
// vectors are made in the background while the old ones serve, and take over
// at once, in one transaction, when every passage has one. The embedder before
// goes on answering until then. Of several that were asked for, by this or another
// process, the newest holds. To return to the model that serves ends a backfill.
//
// Errors: invalid without an embedder, unavailable if it does not say how long
// its vectors are, read_only.
func (e *Engine) UseEmbedder(ctx context.Context, emb llm.Embedder) error {
	return e.models.Use(ctx, emb)
}

// Embedder names the model whose vectors serve, as this process saw it last;
// empty while none does. [Engine.Embedding] says more.
func (e *Engine) Embedder() string { return e.models.Serving().Name }

// Builtin names the model of the built-in embedder, with the words it has.
func (e *Engine) Builtin() string { return e.models.Builtin().Model() }

// Embedding says which model's vectors serve, which is to follow, and how far
// that is.
func (e *Engine) Embedding(ctx context.Context) (EmbeddingReport, error) {
	return e.models.Report(ctx)
}
