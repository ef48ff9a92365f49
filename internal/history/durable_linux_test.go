//go:build amd64 || arm64

package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strata-memory/strata/internal/base/powercut"
	"github.com/strata-memory/strata/internal/history"
	"github.com/strata-memory/strata/store/files"
)

// A commit that was acknowledged is on the disk, with every object it needs, and the
// repository is one that git finds nothing wrong with.
func TestCommitsAreDurable(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		h := &home{t, dir, history.New(at(dir), nil)}
		h.write("notes/a.md", "zero")
		h.commit("zero")
		acknowledge("0")
		for i := range 6 {
			h.write("notes/a.md", fmt.Sprint("text ", i))
			h.write(fmt.Sprintf("notes/sub%d/b.md", i%3), fmt.Sprint("other ", i))
			h.commit(fmt.Sprint("commit ", i+1))
			acknowledge(fmt.Sprint(i + 1))
		}
	})
	for _, fault := range r.Faults() {
		if strings.Contains(fault, "/.git") { // the files themselves are written by people
			t.Error(fault)
		}
	}
	r.Cuts(t, 100, 1, func(t *testing.T, c powercut.Cut) {
		h := &home{t, c.Dir, history.New(at(c.Dir), nil)}
		log := h.log(100, false)
		commits := len(log.Commits)
		const first = 1 // what .gitignore and the like began with
		if said := first + len(c.Acknowledged); commits < said || commits > said+1 {
			t.Errorf("%d commits of %d acknowledged ones", commits, len(c.Acknowledged))
		}
		if out, err := h.tryGit("fsck", "--full", "--strict", "--no-dangling"); err != nil {
			t.Errorf("git fsck: %v\n%s", err, out)
		}
		// The next commit goes on from there.
		h.write("notes/after.md", "after")
		h.commit("after")
		if after := h.log(100, false).Commits; len(after) != commits+1 || !slices.Equal(ids(after[1:]), ids(log.Commits)) {
			t.Errorf("%d commits after one more, and there were %d", len(after), commits)
		}
	})
}

func ids(commits []files.Commit) []string {
	var out []string
	for _, c := range commits {
		out = append(out, c.ID)
	}
	return out
}

// What was purged does not come back with a power cut.
func TestPurgesAreDurable(t *testing.T) {
	r := powercut.Record(t, t.TempDir(), func(dir string, acknowledge func(string)) {
		h := &home{t, dir, history.New(at(dir), nil)}
		for i := range 4 {
			h.write("a.md", fmt.Sprintf("%s %d\n", secret, i))
			h.write(fmt.Sprintf("sub%d/b.md", i), secret)
			h.commit(fmt.Sprint("commit ", i))
		}
		h.write("a.md", "nothing\n")
		for i := range 4 {
			h.write(fmt.Sprintf("sub%d/b.md", i), "nothing")
		}
		h.purge(secret)
		acknowledge("purged")
		for i := range 3 {
			h.write("a.md", fmt.Sprint("after ", i))
			h.commit(fmt.Sprint("after ", i))
		}
	})
	r.Cuts(t, 60, 1, func(t *testing.T, c powercut.Cut) {
		if len(c.Acknowledged) == 0 {
			return
		}
		h := &home{t, c.Dir, history.New(at(c.Dir), nil)}
		if out := h.git("cat-file", "--batch-all-objects", "--batch"); strings.Contains(out, secret) {
			t.Error("an object holds what was purged")
		}
	})
}
