//go:build failpoint

package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/base/failpoint"
)

// noteHome is the home that the test binary writes notes into when it is set,
// and noteFrom the number of the first.
const (
	noteHome = "STRATA_TEST_NOTE_HOME"
	noteFrom = "STRATA_TEST_NOTE_FROM"
)

// crashNote is the path of the n-th write, which is one of few.
func crashNote(n int) string { return fmt.Sprintf("notes/project_n%d.md", n%7) }

// TestNoteProcess is not a test: it is the program of the one below. It writes,
// overwrites and deletes notes, and prints each decision once it is acknowledged.
func TestNoteProcess(t *testing.T) {
	home := os.Getenv(noteHome)
	if home == "" {
		return
	}
	from, _ := strconv.Atoi(os.Getenv(noteFrom))
	e := openAt(t, filepath.Join(home, "strata.db"), withFiles(home))
	for n := from; n < from+100; n++ {
		c := strata.Candidate{Scope: strata.Global(), Path: crashNote(n), Content: noteText("Note", fmt.Sprintf("Version %d of it.", n))}
		if n%11 == 10 {
			c.Action, c.Content = strata.ActionDelete, ""
		}
		d, err := e.Write(context.Background(), c)
		if err != nil {
			t.Fatalf("write %d: %v", n, err)
		}
		if d.Op.Changed() {
			fmt.Printf("acknowledged %d %s\n", n, d.ID)
		}
		if n%10 == 9 {
			followed(t, e)
		}
	}
}

// TestCrashWhileNotesAreWritten kills a writer of notes with SIGKILL at every
// named point from the decision to the file, again and again in one home. After
// every kill each acknowledged decision is there, files and database agree, and
// nothing is taken for an edit by hand.
func TestCrashWhileNotesAreWritten(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	points := append(slices.Clone(projectPoints), failpoint.WritePrepared, failpoint.WriteBegun, failpoint.WriteDecided, failpoint.WriteStored,
		failpoint.WriteIndexed, failpoint.WriteRecorded, failpoint.WriteCommitted, failpoint.FileFilled, failpoint.FileRenamed)
	home := t.TempDir()
	acks := make(map[int]string)
	for round := range 3 * len(points) {
		point := fmt.Sprintf("STRATA_FAILPOINT=%s=%d", points[round%len(points)], 1+rng.IntN(5))
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoteProcess$", "-test.v")
		cmd.Env = append(os.Environ(), noteHome+"="+home, fmt.Sprintf("%s=%d", noteFrom, 100*round), point)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		rest := acknowledged(out, acks)
		if err := cmd.Wait(); err == nil || cmd.ProcessState.ExitCode() != -1 {
			t.Fatalf("the writer was not killed at %s: %v\n%s", point, err, rest)
		}
		e := openAt(t, filepath.Join(home, "strata.db"), withFiles(home))
		checkNotes(t, e, home, acks)
		closeNow(t, e)
	}
	t.Logf("%d kills, %d acknowledged writes", 3*len(points), len(acks))
}

// checkNotes compares the home with what was acknowledged.
func checkNotes(t *testing.T, e *engine.Engine, home string, acks map[int]string) {
	t.Helper()
	ctx, view := context.Background(), strata.Global().View()
	followed(t, e)
	if r, err := e.Sync(ctx, view); err != nil || len(r.Changes) != 0 {
		t.Fatalf("taken for edits by hand: %+v, %v", r, err)
	}
	for n, id := range acks {
		if d, err := e.Decision(ctx, view, id); err != nil || d.AppliedAt == nil || d.SetAside != "" {
			t.Fatalf("acknowledged write %d: %+v, %v", n, d, err)
		}
	}
	for n := range 7 {
		text, err := os.ReadFile(filepath.Join(home, "global", crashNote(n)))
		d := stored(t, e, strata.Global(), crashNote(n))
		if (d == nil) != os.IsNotExist(err) || d != nil && d.Content != string(text) {
			t.Fatalf("%s says %q (%v), memory %+v", crashNote(n), text, err, d)
		}
	}
	healthy(t, e)
}
