// Package extension adds sqlite-vec and the functions of the store to every SQLite
// connection of the process.
package extension

import (
	"sync"

	vec "github.com/asg017/sqlite-vec-go-bindings/cgo"

	"github.com/strata-memory/strata/internal/sqlite/database"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/internal/sqlite/purge"
	"github.com/strata-memory/strata/internal/sqlite/sqlfunc"
)

// Register adds them, once. It must be called before the first connection is opened.
var Register = sync.OnceValue(func() error {
	vec.Auto()
	for _, register := range []func() error{sqlfunc.Register, purge.Register, database.Register, pages.Register} {
		if err := register(); err != nil {
			return database.Wrap("register with SQLite", err)
		}
	}
	return nil
})
