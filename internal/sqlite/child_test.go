package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
	"github.com/strata-memory/strata/store"
)

// The tests that need several processes start this test binary again. What
// such a child does is named in its environment.
const (
	childTask = "STRATA_TEST_TASK"
	childPath = "STRATA_TEST_PATH"
	childName = "STRATA_TEST_NAME"
	childSize = "STRATA_TEST_SIZE"
)

// childTasks are what a child can do with a store. Each prints a line for what
// it has done.
var childTasks = map[string]func(db *sqlite.DB, name string, size int) error{
	"write": writeFacts,
	"hold":  holdWriter,
	"lines": writeLines,
}

// runChild reports whether this process is a child, after doing its task.
func runChild() bool {
	task := childTasks[os.Getenv(childTask)]
	if task == nil {
		return false
	}
	size, err := strconv.Atoi(os.Getenv(childSize))
	if err == nil {
		err = withStore(os.Getenv(childPath), func(db *sqlite.DB) error { return task(db, os.Getenv(childName), size) })
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, strata.CodeOf(err), err)
		os.Exit(1)
	}
	return true
}

func withStore(path string, fn func(db *sqlite.DB) error) error {
	db, err := sqlite.Open(context.Background(), path, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return fn(db)
}

// child prepares a child process.
func child(t testing.TB, task, path, name string, size int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), childTask+"="+task, childPath+"="+path, childName+"="+name, fmt.Sprint(childSize, "=", size))
	return c
}

// writeFacts writes facts one by one and prints the id of each once it is
// acknowledged.
func writeFacts(db *sqlite.DB, name string, size int) error {
	for i := range size {
		f := newFact(fmt.Sprintf("fact_%s_%06d", name, i), fmt.Sprintf("fact number %d of writer %s", i, name))
		if err := save(db, f); err != nil {
			return err
		}
		fmt.Println(f.ID)
	}
	return nil
}

// holdWriter begins a write, says so, and holds on to it until its input ends.
func holdWriter(db *sqlite.DB, _ string, _ int) error {
	return db.Update(context.Background(), func(w store.Writer) error {
		if _, err := w.PutFact(context.Background(), newFact("fact_held", "held")); err != nil {
			return err
		}
		fmt.Println("holding")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	})
}

func newFact(id, text string) strata.Fact {
	return strata.Fact{ID: id, Scope: strata.Global(), Type: strata.TypeProject, Category: "general", Text: text,
		Confidence: 0.5, Origin: strata.OriginAPI, Generation: 1}
}

// save writes one fact and its decision the way the engine does.
func save(db *sqlite.DB, f strata.Fact) error {
	ctx := context.Background()
	return db.Update(ctx, func(w store.Writer) error { return saveIn(ctx, w, f) })
}

func saveIn(ctx context.Context, w store.Writer, f strata.Fact) error {
	f.RecordedAt = w.Now()
	number, err := w.PutFact(ctx, f)
	if err != nil {
		return err
	}
	err = w.PutPassage(ctx, store.Passage{Number: number, Kind: strata.KindFact, Ref: f.ID, Scope: f.Scope, Parent: f.Category, Said: f.Text,
		Type: f.Type, Text: f.Text, RecordedAt: f.RecordedAt, Model: "test", Vector: []float32{0.6, 0.8, 0, 0, 0, 0, 0, 0}})
	if err != nil {
		return err
	}
	now := w.Now()
	d := strata.Decision{ID: "dec" + f.ID[len("fact"):], Scope: f.Scope, Op: strata.OpAdd, Reason: "nothing like it known",
		Confidence: 0.9, Origin: f.Origin, FactID: f.ID, After: &f, AppliedAt: &now}
	if err := w.AppendDecision(ctx, d); err != nil {
		return err
	}
	return w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteCommitted, Scope: f.Scope, Ref: d.ID})
}

// lines reads what a child prints, line by line, until it ends.
func lines(r io.Reader) []string {
	var out []string
	s := bufio.NewScanner(r)
	for s.Scan() {
		out = append(out, s.Text())
	}
	return out
}
