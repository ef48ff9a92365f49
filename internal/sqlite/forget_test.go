package sqlite_test

import (
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// After forgetting and compacting, no byte of the text may be in any file:
// neither in tables, nor in full-text segments, free pages or the log.
func TestForget_NoByteOfTheTextIsLeft(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		t.Run(fmt.Sprint("plain ", plain), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "home", "strata.db")
			db := open(t, path, nil)
			if plain {
				db.PurgePlainly()
			}
			noByteIsLeft(t, path, db)
		})
	}
}

func noByteIsLeft(t *testing.T, path string, db *sqlite.DB) {
	ctx := context.Background()
	update := func(fn func(w store.Writer) error) {
		t.Helper()
		if err := db.Update(ctx, fn); err != nil {
			t.Fatal(err)
		}
	}
	// Each fact has a word of its own that nothing else holds.
	word := func(i int) string { return fmt.Sprintf("zq%dvorbliq%d", i*7919%1000, i) }
	text := func(i int) string {
		return fmt.Sprintf("Note %d: the %s project is kept under %s", i, word(i), strings.Repeat("shelf ", i%50))
	}
	const n = 400
	for start := 0; start < n; start += 20 {
		update(func(w store.Writer) error {
			for i := start; i < start+20; i++ {
				f := newFact(fmt.Sprintf("fact_%04d", i), text(i))
				f.Category = []string{"shelves", "general", word(i)}[i%3]
				f.Tags = []string{word(i)}
				f.Entity, f.Attribute = word(i)+" project", "place"
				f.Sources = []string{fmt.Sprintf("turn_%04d", i)}
				if err := saveIn(ctx, w, f); err != nil {
					return err
				}
				session := fmt.Sprint("s", i%7)
				if err := w.OpenSession(ctx, strata.Session{ID: session, Scope: strata.Global()}); err != nil {
					return err
				}
				u, number, err := w.AppendTurn(ctx, strata.Turn{ID: f.Sources[0], Scope: strata.Global(), Session: session,
					Role: strata.RoleUser, Text: "By the way, the " + word(i) + " thing is done. " + strings.Repeat("padding ", i%200)})
				if err != nil {
					return err
				}
				err = w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: u.Scope,
					Parent: session, Seq: u.Seq, Text: u.Text, RecordedAt: u.RecordedAt})
				if err != nil {
					return err
				}
				err = w.PutTrace(ctx, store.Trace{ID: fmt.Sprintf("trace_%04d", i), Scope: strata.InWorkspace("w"), Query: f.Text,
					Hits: []store.TraceHit{{ID: f.ID, Why: strata.Why{Terms: []string{word(i)}}}}})
				if err != nil {
					return err
				}
				err = w.RecordRecall(ctx, []store.RecallEvent{{Scope: f.Scope, Memory: f.ID, Query: f.Text}}, 1000)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if !onDisk(t, path, word(10)) {
		t.Fatal("the word cannot be found even before it is forgotten")
	}
	var gone []int
	for i := 3; i < n; i += 9 {
		gone = append(gone, i)
	}
	for _, i := range gone {
		update(func(w store.Writer) error {
			_, err := w.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%04d", i), nil)
			return err
		})
	}
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	for _, i := range gone {
		if onDisk(t, path, word(i)) {
			t.Errorf("%s is still on the disk", word(i))
		}
	}
	if !onDisk(t, path, word(10)) {
		t.Error("a word that was not forgotten is gone")
	}
	sound(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, i := range gone {
		if onDisk(t, path, word(i)) {
			t.Errorf("%s is on the disk after closing", word(i))
		}
	}
}

// onDisk reports whether any file of the home holds a word in any case.
func onDisk(t testing.TB, path, word string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(filepath.Dir(path), func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(file)
		found = found || bytes.Contains(bytes.ToLower(content), []byte(word))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// Compacting gives the room of what was removed back.
func TestCompact_GivesRoomBack(t *testing.T) {
	ctx := context.Background()
	path := filled(t, 300)
	db := open(t, path, nil)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(ctx, func(w store.Writer) error {
		if err := w.DropIndex(ctx, strata.Global()); err != nil {
			return err
		}
		for i := range 290 {
			if _, err := w.Forget(ctx, strata.Global(), fmt.Sprintf("fact_%06d", i), nil); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if after.Size() >= before.Size() {
		t.Errorf("the database went from %d to %d bytes", before.Size(), after.Size())
	}
	if free := pragma(t, path, "freelist_count"); free != 0 {
		t.Errorf("%d pages are still free", free)
	}
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() != 0 {
		t.Errorf("the log holds %d bytes (%v)", log.Size(), err)
	}
}

// pragma reads a setting of a database without Strata.
func pragma(t testing.TB, path, name string) int64 {
	t.Helper()
	c, err := (&sqlite3.SQLiteDriver{}).Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rows, err := c.(*sqlite3.SQLiteConn).Query("PRAGMA "+name, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	value := make([]driver.Value, 1)
	if err := rows.Next(value); err != nil {
		t.Fatal(err)
	}
	return value[0].(int64)
}
