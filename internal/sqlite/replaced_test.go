package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
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
// is read from them. See type openedFiles.
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

// A database that is overwritten in place keeps its inode. Nothing is acknowledged after,
// until it is opened anew.
func TestADatabaseThatIsCutOffWhileOpenIsNotWritten(t *testing.T) {
	for name, overwrite := range map[string]func(path string, older []byte) error{
		"emptied":           func(path string, _ []byte) error { return os.Truncate(path, 0) },
		"half of it":        func(path string, older []byte) error { return os.Truncate(path, int64(len(older))/2) },
		"by an older copy":  func(path string, older []byte) error { return os.WriteFile(path, older, 0o600) },
		"by something else": func(path string, older []byte) error { return os.WriteFile(path, make([]byte, len(older)), 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filled(t, 1)
			older, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			first := open(t, path, nil)
			for i := range 300 {
				if err := save(first, newFact(fmt.Sprintf("fact_1%05d", i), fmt.Sprintf("parcel %d goes to platform %d", i, i*i))); err != nil {
					t.Fatal(err)
				}
			}
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			db := open(t, path, nil)
			if n, err := saves(db, "before"); n != 5 {
				t.Fatalf("%d saves of 5, %v", n, err)
			}
			if err := overwrite(path, older); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if n, err := saves(db, "after"); n != 0 || strata.CodeOf(err) != strata.CodeCorrupt {
					t.Errorf("%d saves were acknowledged, %v", n, err)
				}
				_, _ = has(db, "before")
			}
		})
	}
}

// What shortens a database in its own way is no damage.
func TestADatabaseThatIsCompactedElsewhereIsWritten(t *testing.T) {
	ctx := context.Background()
	path := filled(t, 2000)
	db, other := open(t, path, nil), open(t, path, nil)
	if n, err := saves(db, "before"); n != 5 {
		t.Fatalf("%d saves of 5, %v", n, err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Update(ctx, func(w store.Writer) error { return w.DropIndex(ctx, strata.Global()) }); err != nil {
		t.Fatal(err)
	}
	if err := other.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(path); err != nil || after.Size() >= before.Size() {
		t.Fatalf("it is not shorter: %d and %d bytes, %v", before.Size(), after.Size(), err)
	}
	if n, err := saves(db, "after"); n != 5 {
		t.Errorf("%d saves of 5, %v", n, err)
	}
	if found, err := has(db, "after"); !found || err != nil {
		t.Errorf("what was saved is there: %v, %v", found, err)
	}
}
