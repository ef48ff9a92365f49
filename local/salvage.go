package local

import (
	"context"

	"github.com/strata-memory/strata/internal/sqlite/salvage"
	"github.com/strata-memory/strata/store"
)

// Examine looks at every page of the database of a home and names what cannot be
// read; nothing is changed. It works where [Open] fails. A sound database has no
// problems. progress may be nil.
func Examine(ctx context.Context, home string, progress func(done, total int64)) ([]store.Problem, error) {
	return salvage.Examine(ctx, Database(home), progress)
}

// Mend has the database of a home be readable again where only derived things are
// damaged. They are left out: reindex the home next. It reports whether anything was
// to be mended, and fails with code corrupt where more is damaged. Nobody in this
// process has the home open. progress may be nil.
func Mend(ctx context.Context, home string, progress func(done, total int64)) (bool, error) {
	return salvage.Mend(ctx, Database(home), progress)
}
