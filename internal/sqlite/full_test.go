package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

func plainFact(id, text string) strata.Fact {
	return strata.Fact{ID: id, Scope: strata.Global(), Type: strata.TypeProject, Category: "general", Text: text,
		Origin: strata.OriginAPI, Generation: 1}
}

// When the database cannot grow, a write fails as full, nothing of it stays,
// those that share its commit are told, and once there is room all goes on.
func TestUpdate_FullDatabaseLosesNothingAcknowledged(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	put := func(id string) error {
		return db.Update(ctx, func(w store.Writer) error {
			_, err := w.PutFact(ctx, plainFact(id, strings.Repeat("x", 5000)))
			return err
		})
	}
	if err := put("fact_first"); err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := db.writing.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if err := db.writing.Control(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+20)); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	stored := map[string]bool{"fact_first": true}
	refused := 0
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 20 {
				id := fmt.Sprintf("fact_%d_%02d", i, n)
				err := put(id)
				mu.Lock()
				switch strata.CodeOf(err) {
				case "":
					stored[id] = true
				case strata.CodeFull:
					refused++
				default:
					t.Errorf("write of %s: %v", id, err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if refused == 0 || len(stored) < 3 {
		t.Fatalf("%d stored, %d refused: the limit did not bite as planned", len(stored), refused)
	}
	if err := db.writing.Control(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	if err := put("fact_last"); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	stored["fact_last"] = true
	err = db.View(ctx, func(r store.Reader) error {
		list, err := r.Facts(ctx, strata.Global(), strata.FactFilter{Limit: 1000})
		if len(list) != len(stored) {
			t.Errorf("%d facts are stored, %d were acknowledged", len(list), len(stored))
		}
		for _, f := range list {
			if !stored[f.ID] {
				t.Errorf("%s was refused and is stored", f.ID)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A function that ignores the error by which SQLite undid its transaction must
// not go on outside of it.
func TestUpdate_IgnoredErrorDoesNotCommitTheRest(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(ctx, func(w store.Writer) error {
		if _, err := w.PutFact(ctx, plainFact("fact_1", "one")); err != nil {
			return err
		}
		// What a full disk does to a transaction in the worst case.
		if err := db.writing.Control("ROLLBACK"); err != nil {
			return err
		}
		w.(*tx).failed("pretend", fmt.Errorf("the disk is full"))
		_, err := w.PutFact(ctx, plainFact("fact_2", "two"))
		if err == nil {
			t.Error("a statement ran outside the transaction")
		}
		return nil
	})
	if err == nil {
		t.Error("a transaction that was undone was acknowledged")
	}
	err = db.View(ctx, func(r store.Reader) error {
		list, err := r.Facts(ctx, strata.Global(), strata.FactFilter{})
		if len(list) != 0 {
			t.Errorf("%d facts are stored", len(list))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// fullStore refuses every write, as on a full disk.
type fullStore struct{ store.Store }

func (fullStore) Update(context.Context, func(store.Writer) error) error {
	return &strata.Error{Code: strata.CodeFull, Op: "update store", Message: "no room left for the store"}
}

// What is known of a workspace is read without room to keep it for another key.
func TestAWorkspaceIsKnownOnAFullDisk(t *testing.T) {
	ctx := context.Background()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	id, err := store.WorkspaceID(ctx, db, "git:origin")
	if err != nil {
		t.Fatal(err)
	}
	full := fullStore{db}
	if got, err := store.WorkspaceID(ctx, full, "/new/place", "git:origin"); err != nil || got != id {
		t.Errorf("id %q, %v, want %q", got, err, id)
	}
	if got, err := store.WorkspaceID(ctx, full, "/other/place"); strata.CodeOf(err) != strata.CodeFull {
		t.Errorf("id %q, %v of one that is seen for the first time", got, err)
	}
}
