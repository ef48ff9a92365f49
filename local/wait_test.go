package local_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/local"
	"github.com/strata-memory/strata/workspace"
)

// A question is answered while another process holds the lock of the files for as long
// as it likes, and is told that they may be older.
func TestAQuestionIsAnsweredWhileFilesAreLocked(t *testing.T) {
	for name, lock := range map[string]func(t *testing.T, home string){
		"by another that renders": func(t *testing.T, home string) {
			release, err := workspace.NewTree(home, nil).Lock(t.Context(), strata.Global())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(release)
		},
		"by another that writes one": func(t *testing.T, home string) {
			dir := filepath.Join(home, "global")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			f, err := os.Create(filepath.Join(dir, ".lock.tmp"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			if held, err := filelock.Try(f); !held {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) { answeredWhileLocked(t, lock) })
	}
}

func answeredWhileLocked(t *testing.T, lock func(t *testing.T, home string)) {
	ctx := t.Context()
	home := filepath.Join(t.TempDir(), "home")
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := sqlite.Open(ctx, local.Database(home), nil)
	ok(err)
	mem, err := engine.Open(ctx, st, nil) // without files, which are outstanding then
	ok(err)
	_, err = mem.Remember(ctx, edit.Note{Type: strata.TypeUser, Title: "Harbor", Body: "The harbor master keeps 40 lanterns in the shed.", Origin: strata.OriginCLI})
	ok(err)
	ok(mem.Close())
	lock(t, home)
	begun := time.Now()
	var mu sync.Mutex
	var notes []string
	again, err := local.OpenWith(ctx, local.Options{Home: home, Notice: func(note string) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, note)
	}})
	ok(err)
	found, err := again.Recall(ctx, strata.Global().View(), "how many lanterns does the harbor master keep?")
	if err != nil || len(found.Hits) == 0 || !strings.Contains(found.Hits[0].Text, "40 lanterns") {
		t.Errorf("recall: %+v, %v", found.Hits, err)
	}
	ok(again.Close())
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "may be older") }) {
		t.Errorf("told %q", notes)
	}
	if _, err := os.Stat(filepath.Join(home, "global", "MEMORY.md")); err == nil {
		t.Error("files were written under the lock of another")
	}
}

// Nor does it wait for whoever writes transcripts.
func TestAQuestionIsAnsweredWhileTranscriptsAreLocked(t *testing.T) {
	ctx := t.Context()
	home := filepath.Join(t.TempDir(), "home")
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	st, err := sqlite.Open(ctx, local.Database(home), nil)
	ok(err)
	mem, err := engine.Open(ctx, st, nil) // without files: the transcript is outstanding then
	ok(err)
	talk, err := mem.Talk(ctx, sessions.Options{})
	ok(err)
	_, err = talk.Append(ctx, []strata.Turn{{Role: strata.RoleUser, Text: "The harbor master keeps 40 lanterns in the shed."}})
	ok(err)
	ok(talk.Close(ctx))
	ok(mem.Close())
	dir := filepath.Join(home, "global", "transcripts")
	ok(os.MkdirAll(dir, 0o700))
	lock, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	ok(err)
	defer lock.Close()
	held, err := filelock.Try(lock)
	if err != nil || !held {
		t.Fatalf("held %v, %v", held, err)
	}
	begun := time.Now()
	again, err := local.Open(ctx, home)
	ok(err)
	found, err := again.Recall(ctx, strata.Global().View(), "how many lanterns does the harbor master keep?")
	if err != nil || len(found.Hits) == 0 {
		t.Errorf("recall: %+v, %v", found.Hits, err)
	}
	if waited := time.Since(begun); waited > 10*time.Second { // writers wait for 30 s
		t.Errorf("the answer took %v", waited)
	}
	ok(again.Close())
}
