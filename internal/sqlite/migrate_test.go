package sqlite_test

import (
	"compress/gzip"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// With -update the fixture of the newest schema is written anew. Those of
// released schemas must not change any more.
var update = flag.Bool("update", false, "write the fixture of the newest schema")

// fixture returns the file that holds a database of the newest schema.
func fixture(t *testing.T) string {
	t.Helper()
	list, err := filepath.Glob("migration/*.sql")
	if err != nil || len(list) == 0 {
		t.Fatal("no migrations", err)
	}
	return fmt.Sprintf("testdata/schema-%04d.db.gz", len(list))
}

// fillFixture writes a bit of everything.
func fillFixture(t *testing.T, path string) {
	t.Helper()
	ctx := context.Background()
	err := withStore(path, func(db *sqlite.DB) error {
		err := db.Update(ctx, func(w store.Writer) error {
			for i := range 5 {
				if err := saveIn(ctx, w, newFact(fmt.Sprint("fact_", i), fmt.Sprint("The answer to question ", i, " is 42"))); err != nil {
					return err
				}
			}
			if err := w.OpenSession(ctx, strata.Session{ID: "s1", Scope: strata.Global()}); err != nil {
				return err
			}
			u, number, err := w.AppendTurn(ctx, strata.Turn{ID: "turn_1", Scope: strata.Global(), Session: "s1", Role: strata.RoleUser,
				Text: "hello there", Images: []strata.Image{{MediaType: "image/png", Data: []byte("png")}}})
			if err != nil {
				return err
			}
			if err := w.PutSessionState(ctx, u.Scope, "s1", []byte("state")); err != nil {
				return err
			}
			if _, err := w.PutSnapshot(ctx, strata.Snapshot{Scope: u.Scope, Session: "s1", Text: "snapshot"}); err != nil {
				return err
			}
			d, sections := lineDocument(strata.Global(), "AGENTS.md", 1, []string{"where things lie"})
			if _, err := putDocument(ctx, w, d, sections); err != nil {
				return err
			}
			_, err = w.PutLearning(ctx, strata.Learning{ID: "lrn_1", Scope: u.Scope, Kind: strata.LearningCorrection, Key: "k", Text: "lesson"})
			if err != nil {
				return err
			}
			return w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindTurn, Ref: u.ID, Scope: u.Scope, Parent: "s1",
				Seq: 1, Text: u.Text, RecordedAt: u.RecordedAt})
		})
		if err != nil {
			return err
		}
		return db.Update(ctx, func(w store.Writer) error {
			_, err := w.Forget(ctx, strata.Global(), "fact_4", nil)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMigrate_EveryReleasedSchemaOpens(t *testing.T) {
	if *update {
		path := filepath.Join(t.TempDir(), "strata.db")
		fillFixture(t, path)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := pack(fixture(t), content); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(fixture(t)); err != nil {
		t.Fatalf("%v: run go test -run TestMigrate -update", err)
	}
	list, err := filepath.Glob("testdata/schema-*.db.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		t.Run(filepath.Base(file), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "strata.db")
			if err := unpack(file, path); err != nil {
				t.Fatal(err)
			}
			db := open(t, path, nil)
			if got := facts(t, db); len(got) != 4 || !got["fact_0"] {
				t.Errorf("facts %v", got)
			}
			err := db.View(context.Background(), func(r store.Reader) error {
				u, err := r.Turn(context.Background(), []strata.Scope{strata.Global()}, "turn_1")
				if err == nil && (u.Text != "hello there" || len(u.Images) != 1) {
					t.Errorf("turn %+v", u)
				}
				if err != nil {
					return err
				}
				m, err := r.Match(context.Background(), strata.Global(), []string{"answer"}, store.Filter{}, store.MatchOptions{})
				if err == nil && len(m.Passages) != 4 {
					t.Errorf("%d passages match of 4", len(m.Passages))
				}
				if err != nil {
					return err
				}
				if got := holding(t, r, "er to quest"); len(got) != 4 {
					t.Errorf("%d passages hold a part of 4", len(got))
				}
				d, err := r.Document(context.Background(), strata.Global(), "AGENTS.md")
				if file != fixture(t) && strata.CodeOf(err) == strata.CodeNotFound { // before there were documents
					err = nil
				} else if err == nil && d.Content != "where things lie" {
					t.Errorf("document %+v", d)
				}
				if err != nil {
					return err
				}
				if byText(t, r, "the answer to QUESTION 1 is 42") != "fact_1" || byText(t, r, "the answer to question 4 is 42") != "" {
					t.Error("facts are not found by their texts")
				}
				_, forgotten, err := r.Forgotten(context.Background(), strata.Global(), text.Analyze("the answer to question 4 is 42"))
				if !forgotten {
					t.Error("a tombstone is lost")
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := save(db, newFact("fact_new", "written after the upgrade, to answer questions")); err != nil {
				t.Error(err)
			}
			err = db.View(context.Background(), func(r store.Reader) error {
				if got := byText(t, r, "Written after the upgrade, to answer questions"); got != "fact_new" {
					t.Errorf("by the text of what is new %q is found", got)
				}
				if got := holding(t, r, "er quest"); len(got) != 1 {
					t.Errorf("%d passages hold a part of what is new", len(got))
				}
				if got := holding(t, r, "quest"); len(got) != 5 || got[0].Number < got[4].Number {
					t.Errorf("of old and new, newest first, %+v hold a part", got)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			sound(t, db)
			err = db.Update(context.Background(), func(w store.Writer) error {
				_, err := w.Forget(context.Background(), strata.Global(), "fact_new", nil)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Compact(context.Background()); err != nil {
				t.Fatal(err)
			}
			if onDisk(t, path, "upgrade") {
				t.Error("a word of what was forgotten is still on the disk")
			}
			sound(t, db)
		})
	}
}

// byText is the id of the one fact with a text; empty for none.
func byText(t *testing.T, r store.Reader, s string) string {
	t.Helper()
	list, err := r.FactsByText(context.Background(), strata.Global(), text.Analyze(s))
	if err != nil || len(list) > 1 {
		t.Fatalf("facts with the text %q: %v, %v", s, list, err)
	}
	if len(list) == 0 {
		return ""
	}
	return list[0].ID
}

// holding are the passages that hold a text; they are searched as those of a
// large scope.
func holding(t *testing.T, r store.Reader, part string) []store.Meta {
	t.Helper()
	list, err := r.MatchSubstring(context.Background(), strata.Global(), part, store.Filter{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func pack(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z := gzip.NewWriter(f)
	if _, err := z.Write(content); err != nil {
		return err
	}
	return z.Close()
}

func unpack(file, path string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	content, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o600)
}
