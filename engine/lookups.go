package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// lookups caches what a transaction has read, so that a batch reads it once. The
// transaction keeps it up to date as it writes.
type lookups struct {
	engine     *Engine
	reader     store.Reader
	models     *store.Embedding // nil until requested
	categories map[strata.Scope]*category.Set
	due        []strata.Scope // whose categories are to be regrouped
	docs       *documents.Tx
}

func newLookups(e *Engine, r store.Reader) *lookups {
	l := &lookups{engine: e, reader: r, categories: make(map[strata.Scope]*category.Set)}
	l.docs = documents.NewTx(r, &e.ids, e.models)
	return l
}

// state returns the state of the embedding models.
func (l *lookups) state(ctx context.Context) (store.Embedding, error) {
	if l.models == nil {
		st, err := l.engine.models.Refresh(ctx, l.reader)
		if err != nil {
			return st, err
		}
		l.models = &st
	}
	return *l.models, nil
}
