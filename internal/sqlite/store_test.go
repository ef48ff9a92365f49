package sqlite_test

import (
	"path/filepath"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/storetest"
)

func TestMain(m *testing.M) {
	if runChild() {
		return
	}
	goleak.VerifyTestMain(m)
}

// openNew opens a database in a directory that does not exist yet.
func openNew(t *testing.T) *sqlite.DB {
	return open(t, filepath.Join(t.TempDir(), "home", "strata.db"), nil)
}

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store {
		return openNew(t)
	})
}

// What holds of searches by words holds of those in memory.
func TestStore_SearchingInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as all of TestStore")
	}
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store {
		db := openNew(t)
		db.KeepPostingsAtOnce()
		return db
	}, passageGroups...)
}

// And what holds of searches holds where words and texts are indexed at once.
func TestStore_IndexingAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as all of TestStore")
	}
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Store {
		db := openNew(t)
		db.MergePendingFrom(1)
		return db
	}, slices.Concat(passageGroups, []string{"edits of sections", "vectors", "embedding", "bad input"})...)
}

// passageGroups are the groups of the suite that put passages where searches find
// them, or look there whether they are gone.
var passageGroups = []string{
	"turns", "documents", "sections", "scopes", "transactions", "words", "index",
	"forget", "forget sessions", "forget documents", "model",
}
