package history_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/filelock"
	"github.com/strata-memory/strata/store/files"
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

// A file that another process replaces while the files are read, as memory replaces its
// own, is recorded as it is then.
func TestAFileThatIsReplacedMeanwhileIsRecorded(t *testing.T) {
	h := newHome(t)
	h.write("a.md", "first")
	h.write("b.md", "old")
	h.write("c.md", "gone soon")
	check := func(path string, _ []byte) error {
		if path != "a.md" {
			return nil
		}
		h.write("b.new", "new")
		if err := os.Rename(filepath.Join(h.dir, "b.new"), filepath.Join(h.dir, "b.md")); err != nil {
			return err
		}
		return os.Remove(filepath.Join(h.dir, "c.md"))
	}
	c, err := h.Commit(t.Context(), strata.Global(), files.Message{Subject: "all", Agent: "ada", At: day}, check)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.git("show", "HEAD:b.md"); got != "new" {
		t.Errorf("b.md is recorded as %q", got)
	}
	if len(c.LeftOut) != 1 || c.LeftOut[0].Path != "c.md" {
		t.Errorf("left out: %v", c.LeftOut)
	}
}
