package sqlite

import (
	"context"
	"os"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Stats counts what a scope owns. It reads the keys of the rows, which takes a few
// milliseconds for 100,000 of them.
func (t *tx) Stats(ctx context.Context, scope strata.Scope) (store.Stats, error) {
	const op = "count scope"
	st := store.Stats{Scope: scope, Bytes: t.db.size()}
	no, ok, err := t.scopeNo(ctx, scope, false)
	if err != nil {
		return st, wrap(op, err)
	}
	if st.Change, err = t.LastChange(ctx); err != nil {
		return st, wrap(op, err)
	}
	if !ok {
		return st, nil
	}
	if err := t.usage(scope, no).Count(ctx, &st, outstanding); err != nil {
		return st, wrap(op, err)
	}
	st.Categories, st.Unembedded, st.Vectors, err = t.indexStats(ctx, no)
	return st, wrap(op, err)
}

// size returns how many bytes the database and its log take on disk.
func (db *DB) size() int64 {
	var sum int64
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(db.file.Path + suffix); err == nil {
			sum += info.Size()
		}
	}
	return sum
}
