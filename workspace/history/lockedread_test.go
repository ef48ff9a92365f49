package history_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata/internal/filelock"
)

// The history is read while another process holds its lock, and says so. What that one
// holds of git's locks stays.
func TestTheHistoryIsReadWhileAnotherHoldsIt(t *testing.T) {
	h := newHome(t)
	h.write("notes/a.md", "one")
	h.commit("first")
	own := filepath.Join(h.dir, ".git", "strata")
	lock, err := os.OpenFile(filepath.Join(own, "lock"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	if held, err := filelock.Try(lock); err != nil || !held {
		t.Fatalf("held %v, %v", held, err)
	}
	claim := filepath.Join(own, "claim-index")
	if err := os.WriteFile(claim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(claim, filepath.Join(h.dir, ".git", "index.lock")); err != nil {
		t.Fatal(err)
	}
	log := h.log(10, false)
	if len(log.Commits) != 2 || log.Commits[0].Subject != "first" || log.Note == "" {
		t.Errorf("%d commits, note %q", len(log.Commits), log.Note)
	}
	if _, err := os.Stat(filepath.Join(h.dir, ".git", "index.lock")); err != nil {
		t.Errorf("the lock of another is gone: %v", err)
	}
}
