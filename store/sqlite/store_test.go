package sqlite_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite"
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
	storetest.Run(t, func(t *testing.T) store.Store {
		return openNew(t)
	})
}

// All that holds of a store holds of one that searches words in memory.
func TestStore_SearchingInMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as all of TestStore")
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		db := openNew(t)
		db.KeepPostingsAtOnce()
		return db
	})
}

// And of one whose words and texts are indexed at once.
func TestStore_IndexingAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes as long as all of TestStore")
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		db := openNew(t)
		db.KeepNoSmallScopes()
		db.MergePendingFrom(1)
		return db
	})
}
