package sqlite

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// When there is no room, a turn is refused as full and nothing of it stays:
// neither the turn nor its images nor its place in the count.
func TestAppendTurn_FullDatabaseKeepsNoHalfTurn(t *testing.T) {
	ctx, scope := context.Background(), strata.Global()
	db, err := Open(ctx, filepath.Join(t.TempDir(), "strata.db"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	say := func(n int) error {
		return db.Update(ctx, func(w store.Writer) error {
			if err := w.OpenSession(ctx, strata.Session{ID: "s", Scope: scope}); err != nil {
				return err
			}
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: fmt.Sprint("turn_", n), Scope: scope, Session: "s", Role: strata.RoleUser,
				Text: strings.Repeat("word ", 500), Images: []strata.Image{{MediaType: "image/png", Data: bytes.Repeat([]byte{1}, 50_000)}}})
			if err != nil {
				return err
			}
			return w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: scope, Parent: "s", Seq: u.Seq,
				Text: u.Text, RecordedAt: u.RecordedAt})
		})
	}
	if err := say(0); err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := db.writing.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
		t.Fatal(err)
	}
	if err := db.writing.Control(fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+50)); err != nil {
		t.Fatal(err)
	}
	kept := int64(1)
	for n := 1; ; n++ {
		err := say(n)
		if strata.CodeOf(err) == strata.CodeFull {
			break
		}
		if err != nil || n == 100 {
			t.Fatalf("turn %d: %v", n, err)
		}
		kept++
	}
	err = db.View(ctx, func(r store.Reader) error {
		st, err := r.Stats(ctx, scope)
		if err == nil && (st.Turns != kept || st.Images != kept) {
			t.Errorf("%d turns and %d images of %d", st.Turns, st.Images, kept)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.writing.Control(`PRAGMA max_page_count = 1000000`); err != nil {
		t.Fatal(err)
	}
	if err := say(1000); err != nil {
		t.Fatalf("with room again: %v", err)
	}
	problems, err := db.Check(ctx, nil)
	if err != nil || len(problems) > 0 {
		t.Errorf("check: %+v, %v", problems, err)
	}
}
