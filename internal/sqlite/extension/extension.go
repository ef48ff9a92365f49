// Package extension makes SQLite load sqlite-vec, and the functions of the store,
// into every connection of the process.
package extension

import (
	"sync"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/internal/sqlite/purge"
	"github.com/strata-memory/strata/internal/sqlite/sqlfunc"
)

// Register does so, once. It comes before the first connection.
var Register = sync.OnceValue(func() error {
	vec.Auto()
	for _, register := range []func() error{sqlfunc.Register, purge.Register, database.Register, pages.Register} {
		if err := register(); err != nil {
			return database.Wrap("register with SQLite", err)
		}
	}
	return nil
})
