package local_test

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// A home without files stays one as long as nobody writes: what only asks makes
// no file, and a fact makes its daily log.
func TestFilesAreMadeWhenThereIsSomethingToWrite(t *testing.T) {
	home := t.TempDir()
	open := func(work func(ctx context.Context)) {
		opened, err := local.Open(t.Context(), home)
		if err != nil {
			t.Fatal(err)
		}
		mem := opened.Engine()
		defer mem.Close()
		if work == nil {
			if _, err := mem.Recall(t.Context(), strata.Global().View(), "what is my cat called"); err != nil {
				t.Fatal(err)
			}
			return
		}
		if _, err := mem.Save(t.Context(), strata.Global(), "My cat's name is Whiskerino"); err != nil {
			t.Fatal(err)
		}
	}
	open(nil)
	if got := documents(t, home); len(got) > 0 {
		t.Errorf("a question made %v", got)
	}
	open(func(context.Context) {})
	got := documents(t, home)
	if len(got) != 1 || !strings.HasPrefix(got[0], "global/memory/") {
		t.Errorf("a fact made %v, want its daily log", got)
	}
}

// documents lists the Markdown files below a directory.
func documents(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".md") {
			rel, err := filepath.Rel(dir, path)
			out = append(out, rel)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}

// The snapshot that a session begins with has the index and what people wrote
// of themselves; that of a group session has nothing private.
func TestASessionBeginsWithTheIndexAndTheProfile(t *testing.T) {
	home := t.TempDir()
	opened, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	defer mem.Close()
	for path, content := range map[string]string{
		"USER.md": "# User\n\nNora works nights.\n", "SOUL.md": "# Soul\n\nBe brief as a wren.\n", "MEMORY.md": "# Memory\n\nA line by hand on the owl.\n",
	} {
		_, err := mem.Write(t.Context(), strata.Candidate{Scope: strata.Global(), Path: path, Content: content, BaseHash: strata.NoFile, Origin: strata.OriginCLI})
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err = mem.Remember(t.Context(), edit.Note{Type: strata.TypeUser, Title: "Night shifts", Body: "She sleeps until two.", Hook: "when a call is planned", Origin: strata.OriginCLI})
	if err != nil {
		t.Fatal(err)
	}
	if err := mem.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	private := []string{"works nights", "the owl", "when a call is planned"}
	for kind, want := range map[strata.SessionKind]bool{strata.SessionMain: true, strata.SessionGroup: false} {
		talk, err := mem.Talk(t.Context(), sessions.Options{Kind: kind})
		if err != nil {
			t.Fatal(err)
		}
		text := talk.Snapshot().Text
		for _, s := range private {
			if strings.Contains(text, s) != want {
				t.Errorf("%s: %q is there: %v, want %v\n%s", kind, s, !want, want, text)
			}
		}
		if !strings.Contains(text, "brief as a wren") {
			t.Errorf("%s: SOUL.md is missing\n%s", kind, text)
		}
	}
}

// Another process may render for long what very many saves left: whoever opens
// the home takes in what people did to other files, and goes on.
func TestOpeningDoesNotWaitForFilesThatFollow(t *testing.T) {
	home := t.TempDir()
	first, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	save := func(mem local.Memory, text string) {
		t.Helper()
		if _, err := mem.Save(t.Context(), strata.Global(), text); err != nil {
			t.Fatal(err)
		}
	}
	save(first, "The ferry to Orkney leaves at noon")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	release, err := workspace.NewTree(home, nil).Lock(t.Context(), strata.Global())
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	busy, err := local.Open(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	save(busy, "The ferry to Skye leaves at dusk")
	if err := os.WriteFile(filepath.Join(home, "global", "memory", "harbor.md"), []byte("# Harbor\n\nMoor at the red buoy.\n"), 0o600); err != nil {
		t.Fatal(err)
	}

	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	opened, err := local.Open(soon, home)
	if err != nil {
		t.Fatal(err)
	}
	mem := opened.Engine()
	note, err := mem.Document(t.Context(), strata.Global().View(), "memory/harbor.md")
	if err != nil || !strings.Contains(note.Content, "red buoy") {
		t.Errorf("what a person wrote is %q, %v", note.Content, err)
	}
	release()
	for _, m := range []io.Closer{mem, busy} {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	var logs strings.Builder
	for _, path := range documents(t, home) {
		content, err := os.ReadFile(filepath.Join(home, path))
		if err != nil {
			t.Fatal(err)
		}
		logs.Write(content)
	}
	for _, ferry := range []string{"Orkney", "Skye"} {
		if n := strings.Count(logs.String(), ferry); n != 1 {
			t.Errorf("the files tell of the ferry to %s %d times", ferry, n)
		}
	}
}
