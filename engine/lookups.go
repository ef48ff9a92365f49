package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/topics/category"
	"github.com/strata-memory/strata/store"
)

// lookups is what a transaction has looked up, so that a batch reads it once. It
// is kept true while the transaction writes.
type lookups struct {
	engine     *Engine
	reader     store.Reader
	models     *store.Embedding // nil until asked for
	categories map[strata.Scope]*category.Set
	due        []strata.Scope // whose categories are to be looked through
	docs       *documents.Tx
}

func newLookups(e *Engine, r store.Reader) *lookups {
	l := &lookups{engine: e, reader: r, categories: make(map[strata.Scope]*category.Set)}
	l.docs = documents.NewTx(r, &e.ids, e.models)
	return l
}

// state returns which embedding models are wanted.
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
