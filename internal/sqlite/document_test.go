package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// lineDocument is a document of which every line is a section.
func lineDocument(scope strata.Scope, path string, generation int64, lines []string) (strata.Document, []strata.Section) {
	d := strata.Document{ID: "doc_" + strings.NewReplacer("/", "_", ".", "_").Replace(path), Scope: scope, Path: path,
		Kind: strata.KindOfPath(path), Generation: generation, Content: strings.Join(lines, "\n"), Hash: fmt.Sprint(generation),
		ModifiedAt: time.Unix(0, 0)}
	var out []strata.Section
	for i, s := range lines {
		out = append(out, strata.Section{Seq: int64(i + 1), Line: i + 1, EndLine: i + 1, Text: s})
	}
	return d, out
}

// putDocument stores a document and indexes its new sections.
func putDocument(ctx context.Context, w store.Writer, d strata.Document, sections []strata.Section) ([]store.StoredSection, error) {
	stored, err := w.PutDocument(ctx, d, sections)
	if err != nil {
		return nil, err
	}
	for i, s := range stored {
		if !s.New {
			continue
		}
		err := w.PutPassage(ctx, store.Passage{Number: s.Number, Kind: strata.KindSection, Ref: d.ID, Scope: d.Scope, Parent: d.Path,
			Seq: int64(i + 1), Text: sections[i].Text, RecordedAt: w.Now(), Model: "test", Vector: []float32{0.6, 0.8, 0, 0, 0, 0, 0, 0}})
		if err != nil {
			return nil, err
		}
	}
	return stored, nil
}

// writeLines adds lines to one document, each in a transaction of its own, and
// prints each once it is acknowledged.
func writeLines(db *sqlite.DB, name string, size int) error {
	ctx := context.Background()
	for i := range size {
		line := fmt.Sprintf("line %d of %s", i, name)
		err := db.Update(ctx, func(w store.Writer) error {
			var lines []string
			old, err := w.Document(ctx, strata.Global(), "AGENTS.md")
			switch {
			case err == nil:
				lines = strings.Split(old.Content, "\n")
			case strata.CodeOf(err) != strata.CodeNotFound:
				return err
			}
			d, sections := lineDocument(strata.Global(), "AGENTS.md", old.Generation+1, append(lines, line))
			stored, err := putDocument(ctx, w, d, sections)
			if err != nil {
				return err
			}
			for k, s := range stored {
				if s.New != (k == len(stored)-1) {
					return fmt.Errorf("section %d of %d: %+v", k, len(stored), s)
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		fmt.Println(line)
	}
	return nil
}

func TestProcesses_EightWriteOneDocumentAndLoseNothing(t *testing.T) {
	const processes, each = 8, 20
	path := filepath.Join(t.TempDir(), "home", "strata.db")
	var started []*exec.Cmd
	var out, errs [processes]bytes.Buffer
	for i := range processes {
		c := child(t, "lines", path, fmt.Sprint("p", i), each)
		c.Stdout, c.Stderr = &out[i], &errs[i]
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		started = append(started, c)
	}
	for i, c := range started {
		if err := c.Wait(); err != nil || errs[i].Len() > 0 {
			t.Errorf("writer %d: %v\n%s", i, err, errs[i].String())
		}
	}
	db := open(t, path, nil)
	got := make(map[string]bool)
	err := db.View(context.Background(), func(r store.Reader) error {
		d, err := r.Document(context.Background(), strata.Global(), "AGENTS.md")
		if err != nil {
			return err
		}
		if d.Generation != processes*each {
			t.Errorf("generation %d after %d writes", d.Generation, processes*each)
		}
		sections, err := r.Sections(context.Background(), strata.Global(), d.ID)
		for _, s := range sections {
			got[s.Text] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		for _, line := range lines(&out[i]) {
			if !got[line] {
				t.Errorf("%q was acknowledged and is gone", line)
			}
		}
	}
	sound(t, db)
}

// Whatever a document is called and holds, it comes back as it was or is
// refused, and the store stays sound.
func FuzzPutDocument(f *testing.F) {
	for _, s := range []string{"AGENTS.md", "notes/user_x.md", "../x.md", "a//b.md", "CON.md", "ノート.md", "\u202ea.md", "x.md\x00", ".git/x.md",
		"%.md", "'; DROP TABLE document; --.md", `a"b.md`, strings.Repeat("x", 300) + ".md", "@/AGENTS.md", "_system/x.md"} {
		f.Add(s, "a name", "# one\ntext\n\x00", "text", 2, 2)
		f.Add(s, "\xff", s, s, 1, 9)
	}
	db, err := sqlite.Open(context.Background(), filepath.Join(f.TempDir(), "strata.db"), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	f.Fuzz(func(t *testing.T, path, name, content, section string, line, end int) {
		ctx := context.Background()
		d := strata.Document{ID: "doc_1", Scope: strata.Global(), Path: path, Kind: strata.KindOfPath(path), Name: name, Description: section,
			Hash: name, Problem: section, Content: content, Size: int64(len(content)), Generation: 1, ModifiedAt: time.UnixMicro(5).UTC()}
		s := strata.Section{Headings: []string{name, section}, Line: line, EndLine: end, Text: section}
		undo := errors.New("undo")
		err := db.Update(ctx, func(w store.Writer) error {
			d.RecordedAt = w.Now()
			if _, err := putDocument(ctx, w, d, []strata.Section{s, s}); err != nil {
				if code := strata.CodeOf(err); code != strata.CodeInvalid && code != strata.CodeTooLarge {
					t.Fatalf("put %q: %v", path, err)
				}
				return err
			}
			got, err := w.Document(ctx, d.Scope, path)
			if err != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", d) {
				t.Fatalf("got %#v, %v\nwant %#v", got, err, d)
			}
			list, err := w.Sections(ctx, d.Scope, d.ID)
			if err != nil || len(list) != 2 {
				t.Fatalf("%d sections, %v", len(list), err)
			}
			for i, x := range list {
				if x.Text != section || x.Path != path || x.Seq != int64(i+1) || x.Headings[1] != section {
					t.Fatalf("section %+v, want the text %q", x, section)
				}
			}
			if err := w.RemoveDocument(ctx, d.Scope, path); err != nil {
				t.Fatal(err)
			}
			st, err := w.Stats(ctx, d.Scope)
			if err != nil || st.Documents+st.Sections+st.Vectors != 0 {
				t.Fatalf("%+v is left, %v", st, err)
			}
			return undo
		})
		if !errors.Is(err, undo) && err == nil {
			t.Fatal("nothing was undone")
		}
		err = db.View(ctx, func(r store.Reader) error {
			_, err := r.Document(ctx, strata.Global(), path)
			_, err2 := r.Documents(ctx, strata.Global(), strata.DocumentFilter{After: path, Kind: strata.DocumentKind(name), Type: strata.Type(name)})
			_, err3 := r.SameIdentity(ctx, strata.Global(), path)
			_, err4 := r.Sections(ctx, strata.Global(), path)
			_, err5 := r.Decisions(ctx, strata.Global(), strata.DecisionFilter{Path: path})
			if strata.CodeOf(err) != strata.CodeNotFound {
				t.Fatalf("read %q: %v", path, err)
			}
			return errors.Join(err2, err3, err4, err5)
		})
		if err != nil {
			t.Fatalf("read %q: %v", path, err)
		}
	})
}

// After forgetting and compacting, no byte of the text may be in any file.
func TestForget_NoByteIsLeftOfDocuments(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "home", "strata.db")
	db := open(t, path, nil)
	const word = "zqvorbliq"
	err := db.Update(ctx, func(w store.Writer) error {
		if err := saveIn(ctx, w, newFact("fact_1", "the "+word+" project")); err != nil {
			return err
		}
		for i := range 30 {
			lines := []string{"plain", strings.Repeat("padding ", 100*i), "we know of the " + word + " project, too", "the end"}
			d, sections := lineDocument(strata.Global(), fmt.Sprintf("notes/project_n%d.md", i), 1, lines)
			if _, err := putDocument(ctx, w, d, sections); err != nil {
				return err
			}
			dec := strata.Decision{ID: fmt.Sprint("dec_file_", i), Scope: d.Scope, Op: strata.OpAdd, Reason: "new",
				Document: &strata.DocumentChange{Path: d.Path, After: &d}}
			if err := w.AppendDecision(ctx, dec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if !onDisk(t, path, word) {
		t.Fatal("the word cannot be found even before it is forgotten")
	}
	err = db.Update(ctx, func(w store.Writer) error {
		got, err := w.Forget(ctx, strata.Global(), "fact_1", nil)
		if len(got.Documents) != 30 || len(got.Remaining) != 30 {
			t.Errorf("forgotten %+v", got)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if onDisk(t, path, word) {
		t.Error("the word is still on the disk")
	}
	sound(t, db)
}
