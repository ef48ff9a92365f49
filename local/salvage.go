package local

import (
	"context"

	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/store"
)

// Examine checks every page of the database of a home and returns what cannot be read. It
// changes nothing and works where [Open] fails. A sound database has no problems.
// progress may be nil.
func Examine(ctx context.Context, home string, progress func(done, total int64)) ([]store.Problem, error) {
	return salvage.Examine(ctx, Database(home), progress)
}

// Mend makes a damaged database of a home readable again by dropping damaged derived
// data; reindex the home afterward. It reports whether it mended anything, and fails with
// code corrupt if other data is damaged. Nothing in this process may have the home open.
// progress may be nil.
func Mend(ctx context.Context, home string, progress func(done, total int64)) (bool, error) {
	return salvage.Mend(ctx, Database(home), progress)
}
