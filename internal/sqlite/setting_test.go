package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata/store"
)

// What the connections of an open database promise, asked of SQLite itself.
func TestSettings(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(ctx, func(w store.Writer) error {
		for setting, want := range map[string]int64{
			"synchronous":  2, // FULL: the log is synced at every commit
			"foreign_keys": 1, "secure_delete": 1, "temp_store": 2,
		} {
			got, err := db.writing.Integers(ctx, 1, "PRAGMA "+setting, nil)
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%s is %v, want %d; %v", setting, got, want, err)
			}
		}
		var mode string
		if err := db.writing.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil || mode != "wal" {
			t.Errorf("journal_mode is %q, %v", mode, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := db.readers.Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer db.readers.Give(c)
	for setting, want := range map[string]int64{"query_only": 1, "temp_store": 2} {
		if got, err := c.Integers(ctx, 1, "PRAGMA "+setting, nil); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s of a reader is %v, want %d; %v", setting, got, want, err)
		}
	}
}
