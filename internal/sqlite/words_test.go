package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// wordStand is a home whose documents lose a word in different ways before a
// fact with that word is forgotten.
type wordStand struct {
	t    *testing.T
	path string
	db   *sqlite.DB
	next int // generation of documents
}

// secretWord stands in a fact, and in what was in documents.
const secretWord = "zqvorbliq"

func (s *wordStand) update(db *sqlite.DB, fn func(ctx context.Context, w store.Writer) error) error {
	ctx := context.Background()
	return db.Update(ctx, func(w store.Writer) error { return fn(ctx, w) })
}

func (s *wordStand) ok(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// write puts a version of a document of which every line is a section.
func (s *wordStand) write(ctx context.Context, w store.Writer, path string, lines ...string) error {
	s.next++
	d, sections := lineDocument(strata.Global(), path, int64(s.next), lines)
	_, err := putDocument(ctx, w, d, sections)
	return err
}

// edit writes the word into a document, and then another in its place.
func (s *wordStand) edit(db *sqlite.DB, path string) {
	s.t.Helper()
	for _, text := range []string{"the " + secretWord + " project", "another project"} {
		s.ok(s.update(db, func(ctx context.Context, w store.Writer) error { return s.write(ctx, w, path, "first", text) }))
	}
}

// fill saves documents without the word.
func (s *wordStand) fill(n int) {
	s.t.Helper()
	for from := 0; from < n; from += 50 {
		s.ok(s.update(s.db, func(ctx context.Context, w store.Writer) error {
			for i := from; i < from+50; i++ {
				text := fmt.Sprintf("project %d is about %s", i, strings.Repeat("shelves and boxes ", i%40))
				if err := s.write(ctx, w, fmt.Sprintf("_system/other%d.md", i), text); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}

func (s *wordStand) forget(db *sqlite.DB, id string) {
	s.t.Helper()
	s.ok(s.update(db, func(ctx context.Context, w store.Writer) error {
		_, err := w.Forget(ctx, strata.Global(), id, nil)
		return err
	}))
}

func (s *wordStand) save(id, text string) {
	s.t.Helper()
	s.ok(s.update(s.db, func(ctx context.Context, w store.Writer) error { return saveIn(ctx, w, newFact(id, text)) }))
}

// mergeFroms are sizes from which texts are put into the index of substrings: at
// once, after a few, and as in use.
var mergeFroms = []int64{1, 3, 256}

// What an edit leaves in the index is only marked as deleted; forgetting
// overwrites it, whoever edited and however the index was written.
func TestForget_NoByteIsLeftOfWhatAnEditReplaced(t *testing.T) {
	const path = "_system/note.md"
	for name, lose := range map[string]func(s *wordStand){
		"an edit":        func(s *wordStand) { s.edit(s.db, path) },
		"edits in a row": func(s *wordStand) { s.edit(s.db, path); s.edit(s.db, path) },
		"an edit among others": func(s *wordStand) {
			s.fill(300)
			s.edit(s.db, path)
			s.fill(600)
		},
		"written and edited at once": func(s *wordStand) {
			s.ok(s.update(s.db, func(ctx context.Context, w store.Writer) error {
				return errors.Join(s.write(ctx, w, path, secretWord), s.write(ctx, w, path, "gone"))
			}))
		},
		"a deletion": func(s *wordStand) {
			s.edit(s.db, path)
			s.ok(s.update(s.db, func(ctx context.Context, w store.Writer) error {
				return errors.Join(s.write(ctx, w, path, secretWord), w.RemoveDocument(ctx, strata.Global(), path))
			}))
		},
		"an edit after something else was forgotten": func(s *wordStand) {
			s.save("fact_2", "unimportant")
			s.edit(s.db, path)
			s.forget(s.db, "fact_2")
			s.edit(s.db, path)
		},
		"an edit that was undone": func(s *wordStand) {
			undone := errors.New("undone")
			s.fill(50)
			err := s.update(s.db, func(ctx context.Context, w store.Writer) error {
				return errors.Join(s.write(ctx, w, "_system/other1.md", secretWord), undone)
			})
			if !errors.Is(err, undone) {
				s.t.Fatal(err)
			}
		},
		"something forgotten that was undone": func(s *wordStand) {
			undone := errors.New("undone")
			s.edit(s.db, path)
			s.save("fact_2", "unimportant")
			err := s.update(s.db, func(ctx context.Context, w store.Writer) error {
				_, err := w.Forget(ctx, strata.Global(), "fact_2", nil)
				return errors.Join(err, undone)
			})
			if !errors.Is(err, undone) {
				s.t.Fatal(err)
			}
			s.edit(s.db, path)
		},
		"an edit by another process": func(s *wordStand) {
			s.edit(s.db, path)
			s.edit(open(s.t, s.path, nil), path)
		},
		"something forgotten by another process": func(s *wordStand) {
			s.save("fact_2", "unimportant")
			s.edit(s.db, path)
			s.forget(open(s.t, s.path, nil), "fact_2")
			s.save("fact_3", "the "+secretWord+" again")
			s.forget(s.db, "fact_3")
		},
		"an index that was dropped": func(s *wordStand) {
			s.edit(s.db, path)
			s.ok(s.update(s.db, func(ctx context.Context, w store.Writer) error { return w.DropIndex(ctx, strata.InWorkspace("w")) }))
			s.edit(s.db, path)
		},
	} {
		for _, cut := range mergeFroms {
			t.Run(fmt.Sprint(name, ", cut from ", cut), func(t *testing.T) {
				t.Parallel()
				s := &wordStand{t: t, path: filepath.Join(t.TempDir(), "home", "strata.db")}
				s.db = open(t, s.path, nil)
				s.db.MergePendingFrom(cut)
				if cut == 3 {
					s.db.PurgePlainly()
				}
				s.save("fact_1", "we know of the "+secretWord+" project")
				lose(s)
				if !onDisk(t, s.path, secretWord) {
					t.Fatal("the word cannot be found even before it is forgotten")
				}
				s.forget(s.db, "fact_1")
				s.ok(s.db.Compact(context.Background()))
				if onDisk(t, s.path, secretWord) {
					t.Error("the word is still on the disk")
				}
				sound(t, s.db)
			})
		}
	}
}

// Whatever is written, edited, deleted, forgotten and undone, in whatever order,
// the index stays sound, finds what stands in documents, and forgets to the last
// byte.
func TestForget_AmongEditsInAnyOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "words")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path := filepath.Join(dir, "home", "strata.db")
		ctx := context.Background()
		db, err := sqlite.Open(ctx, path, nil)
		if err != nil {
			rt.Fatal(err)
		}
		defer db.Close()
		db.MergePendingFrom(rapid.SampledFrom(mergeFroms).Draw(rt, "cut from"))
		if rapid.Bool().Draw(rt, "plain") {
			db.PurgePlainly()
		}
		undone := errors.New("undone")
		standing := make(map[string]string) // texts by path
		generation, facts := int64(0), 0
		for range rapid.IntRange(1, 30).Draw(rt, "transactions") {
			after := maps.Clone(standing)
			undo := rapid.IntRange(0, 4).Draw(rt, "undo") == 0
			err := db.Update(ctx, func(w store.Writer) error {
				for range rapid.IntRange(1, 4).Draw(rt, "steps") {
					path := rapid.SampledFrom([]string{"_system/a.md", "_system/b.md", "_system/c.md"}).Draw(rt, "path")
					words := rapid.SliceOfN(rapid.SampledFrom([]string{"cat", "dog", "kittens", "東京", secretWord}), 1, 5).Draw(rt, "words")
					text := strings.Join(words, " ")
					generation++
					switch rapid.SampledFrom([]string{"write", "write", "write", "delete", "save", "forget", "rebuild"}).Draw(rt, "do") {
					case "write":
						d, sections := lineDocument(strata.Global(), path, generation, []string{"kept", text})
						if _, err := putDocument(ctx, w, d, sections); err != nil {
							return err
						}
						after[path] = text
					case "delete":
						if err := w.RemoveDocument(ctx, strata.Global(), path); err != nil {
							return err
						}
						delete(after, path)
					case "save":
						facts++
						if err := saveIn(ctx, w, newFact(fmt.Sprint("fact_", facts), text)); err != nil {
							return err
						}
					case "forget":
						_, err := w.Forget(ctx, strata.Global(), fmt.Sprint("fact_", rapid.IntRange(1, facts+1).Draw(rt, "fact")), nil)
						if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
							return err
						}
					case "rebuild":
						if err := w.DropIndex(ctx, strata.InWorkspace("w")); err != nil {
							return err
						}
					}
				}
				if undo {
					return undone
				}
				return nil
			})
			if err != nil && !errors.Is(err, undone) {
				rt.Fatal(err)
			}
			if !undo {
				standing = after
			}
		}
		checkSound(rt, db)
		// Now nothing has the word but what was.
		err = db.Update(ctx, func(w store.Writer) error {
			for path := range standing {
				if err := w.RemoveDocument(ctx, strata.Global(), path); err != nil {
					return err
				}
			}
			if err := saveIn(ctx, w, newFact("fact_last", secretWord)); err != nil {
				return err
			}
			_, err := w.Forget(ctx, strata.Global(), "fact_last", nil)
			if err != nil {
				return err
			}
			for i := range facts {
				_, err := w.Forget(ctx, strata.Global(), fmt.Sprint("fact_", i+1), nil)
				if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
					return err
				}
			}
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		checkSound(rt, db)
		if err := db.Compact(ctx); err != nil {
			rt.Fatal(err)
		}
		if onDisk(t, path, secretWord) {
			rt.Error("the word is still on the disk")
		}
	})
}

func checkSound(rt *rapid.T, db *sqlite.DB) {
	problems, err := db.Check(context.Background(), nil)
	if err != nil || len(problems) > 0 {
		rt.Fatalf("check found %+v, %v", problems, err)
	}
}
