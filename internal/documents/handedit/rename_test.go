package handedit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// written is a note as memory writes it.
func written(title, id, body string, at time.Time) string {
	return markdown.Note{Front: markdown.Front{Name: title, Description: "when", Type: strata.TypeProject, ID: id,
		Provenance: markdown.Provenance{Actor: "cli", CreatedAt: at}}, Body: body}.Render()
}

// idAt is the id of the document at a path; empty where there is none.
func (h *home) idAt(path string) string {
	h.t.Helper()
	d, err := store.Read(h.t.Context(), h.st, func(r store.Reader) (*strata.Document, error) {
		return documents.At(h.t.Context(), r, global, path)
	})
	if err != nil {
		h.t.Fatal(err)
	}
	if d == nil {
		return ""
	}
	return d.ID
}

// A file that is gone and one that is new are one where something says so, and only then.
func TestWhatIsTakenForARename(t *testing.T) {
	made := now().Add(-time.Hour)
	for _, c := range []struct {
		name     string
		from, to string
		before   string
		after    func(id string) string // of the document
		renamed  bool
	}{
		{"the same bytes", "notes/a.md", "notes/b.md", "same\n", func(string) string { return "same\n" }, true},
		{"into a directory", "notes/a.md", "notes/sub/a.md", "same\n", func(string) string { return "same\n" }, true},
		{"a proposal", "_inbox/project_a.md", "_inbox/project_b.md", "same\n", func(string) string { return "same\n" }, true},
		{"another text", "notes/a.md", "notes/b.md", "one\n", func(string) string { return "two\n" }, false},
		{"nothing in it", "notes/a.md", "notes/b.md", "\n", func(string) string { return "\n" }, false},
		{"a log of a day", "memory/2026-01-01.md", "memory/2026-01-02.md", "same\n", func(string) string { return "same\n" }, false},
		{"edited, with its time", "notes/a.md", "notes/b.md", written("A", "", "one", made), func(string) string { return written("B", "", "two", made) }, true},
		{"edited, another time", "notes/a.md", "notes/b.md", written("A", "", "one", made), func(string) string { return written("A", "", "two", made.Add(time.Minute)) }, false},
		{"edited, with its id", "notes/a.md", "notes/b.md", written("A", "", "one", time.Time{}), func(id string) string { return written("B", id, "two", time.Time{}) }, true},
		{"edited, with another id", "notes/a.md", "notes/b.md", written("A", "", "one", time.Time{}), func(string) string { return written("B", "doc_x", "two", time.Time{}) }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHome(t)
			h.put("AGENTS.md", "Build with make.\n")
			h.put(c.from, c.before)
			h.sync()
			id := h.idAt(c.from)
			h.put(c.to, c.after(id))
			h.delete(c.from)
			got := h.sync()
			if want := [3]int64{1, 0, 1}; !c.renamed && (got != want || h.idAt(c.to) == id) {
				t.Errorf("%v, want %v", got, want)
			}
			if want := [3]int64{0, 1, 0}; c.renamed && (got != want || h.idAt(c.to) != id || h.idAt(c.from) != "") {
				t.Errorf("%v, want %v; %s is %s, was %s", got, want, c.to, h.idAt(c.to), id)
			}
			if again := h.sync(); again != [3]int64{} {
				t.Errorf("a second look: %v", again)
			}
		})
	}
}

// Of several with the same bytes each goes to the one of its name, and a copy is none.
func TestFilesOfTheSameBytesAreRenamedOneByOne(t *testing.T) {
	h := newHome(t)
	h.put("AGENTS.md", "Build with make.\n")
	for _, p := range []string{"notes/a.md", "notes/b.md", "notes/c.md"} {
		h.put(p, "same\n")
	}
	h.sync()
	a, b, c := h.idAt("notes/a.md"), h.idAt("notes/b.md"), h.idAt("notes/c.md")
	h.delete("notes/a.md")
	h.delete("notes/b.md")
	h.put("notes/x/b.md", "same\n")
	h.put("notes/y/a.md", "same\n")
	h.put("notes/z/c.md", "same\n")
	if got := h.sync(); got != [3]int64{1, 2, 0} {
		t.Errorf("%v", got)
	}
	if h.idAt("notes/x/b.md") != b || h.idAt("notes/y/a.md") != a || h.idAt("notes/c.md") != c || h.idAt("notes/z/c.md") == c {
		t.Error("they were taken for one another")
	}
}

// Who is about to write a file that is gone looks whether it was renamed.
func TestARenameIsNoticedBeforeTheFormerFileIsWritten(t *testing.T) {
	h := newHome(t)
	h.put("AGENTS.md", "Build with make.\n")
	h.put("notes/a.md", "same\n")
	h.sync()
	id := h.idAt("notes/a.md")
	h.put("notes/b.md", "same\n")
	h.delete("notes/a.md")
	if err := h.NoticeEdits(t.Context(), documents.Place{Scope: global, Path: "notes/a.md"}); err != nil {
		t.Fatal(err)
	}
	if h.idAt("notes/b.md") != id {
		t.Error("it is a new file")
	}
	list, err := documents.NewLibrary(h.st).Decisions(t.Context(), global.View(), strata.DecisionFilter{Path: "notes/b.md"})
	if err != nil || len(list) != 2 || !strings.HasPrefix(list[0].Reason, "renamed by hand") {
		t.Errorf("%+v, %v", list, err)
	}
}
