package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite"
)

// saves returns how many of five writes are acknowledged, and the error of the last.
func saves(db *sqlite.DB, name string) (acknowledged int, last error) {
	ctx := context.Background()
	for i := range 5 {
		last = db.Update(ctx, func(w store.Writer) error {
			return w.PutWorkspace(ctx, fmt.Sprint(name, i), fmt.Sprint("id-", name, i))
		})
		if last == nil {
			acknowledged++
		}
	}
	return acknowledged, last
}

// has reports whether a store kept what saves saved first under a name.
func has(db *sqlite.DB, name string) (bool, error) {
	var id string
	err := db.View(context.Background(), func(r store.Reader) (err error) {
		id, err = r.Workspace(context.Background(), name+"0")
		return err
	})
	return id != "", err
}

// Nothing is acknowledged that went into files which nobody finds again, and nothing
// is read from them. See package identity.
func TestAHomeThatIsReplacedWhileOpenIsNoticed(t *testing.T) {
	for name, replace := range map[string]func(home string) error{
		"removed": os.RemoveAll,
		"moved":   func(home string) error { return os.Rename(home, home+"-aside") },
		"replaced": func(home string) error {
			if err := os.Rename(home, home+"-aside"); err != nil {
				return err
			}
			other, err := sqlite.Open(context.Background(), filepath.Join(home, "strata.db"), nil)
			if err != nil {
				return err
			}
			return other.Close()
		},
		"without its log": func(home string) error { return os.Remove(filepath.Join(home, "strata.db-wal")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), "home")
			db := open(t, filepath.Join(home, "strata.db"), nil)
			if n, err := saves(db, "before"); n != 5 {
				t.Fatalf("%d saves of 5, %v", n, err)
			}
			if err := replace(home); err != nil {
				t.Fatal(err)
			}
			if n, err := saves(db, "after"); n != 0 || strata.CodeOf(err) != strata.CodeUnavailable {
				t.Errorf("%d saves were acknowledged, %v", n, err)
			}
			if found, err := has(db, "before"); strata.CodeOf(err) != strata.CodeUnavailable {
				t.Errorf("a read = %v, %v", found, err)
			}
			if err := db.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			if name != "replaced" {
				return
			}
			// What is there now is whole, and holds nothing of the other.
			now := open(t, filepath.Join(home, "strata.db"), nil)
			sound(t, now)
			if found, err := has(now, "before"); found || err != nil {
				t.Errorf("the other home has it: %v, %v", found, err)
			}
			aside := open(t, filepath.Join(home+"-aside", "strata.db"), nil)
			sound(t, aside)
			if found, err := has(aside, "before"); !found || err != nil {
				t.Errorf("the home that was moved lost it: %v, %v", found, err)
			}
		})
	}
}

// A function that runs while the home goes is not acknowledged either, and a home that
// comes back is used again.
func TestAHomeThatGoesDuringAWriteAndComesBack(t *testing.T) {
	ctx := context.Background()
	home := filepath.Join(t.TempDir(), "home")
	db := open(t, filepath.Join(home, "strata.db"), nil)
	err := db.Update(ctx, func(w store.Writer) error {
		if err := w.PutWorkspace(ctx, "during0", "id-during0"); err != nil {
			return err
		}
		return os.Rename(home, home+"-aside")
	})
	if strata.CodeOf(err) != strata.CodeUnavailable {
		t.Errorf("the write = %v", err)
	}
	if err := os.Rename(home+"-aside", home); err != nil {
		t.Fatal(err)
	}
	if found, err := has(db, "during"); found || err != nil {
		t.Errorf("what was refused is there: %v, %v", found, err)
	}
	if n, err := saves(db, "after"); n != 5 {
		t.Errorf("%d saves of 5 after the home came back, %v", n, err)
	}
}
