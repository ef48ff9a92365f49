package workspace

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/strata-memory/strata"
)

// asNobody runs fn without the right to read everything, which root has.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	done := make(chan error)
	go func() {
		// The thread is not unlocked, so that it ends with the goroutine and
		// takes the identity with it.
		runtime.LockOSThread()
		err := syscall.Setfsuid(65534)
		if err == nil {
			fn()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

func TestUnreadable(t *testing.T) {
	tr := newTree(t)
	tr.mark("a", idA)
	tr.mark("b", idA)
	tr.repository("c/.git")
	tr.file("d/.git", "gitdir: ../c/.git")
	for _, dir := range []string{filepath.Dir(tr.root), tr.root} {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	deny := func(path string) {
		t.Helper()
		if err := os.Chmod(tr.path(path), 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(tr.path(path), 0o755) })
	}
	deny("a/.strata")
	deny("b/" + MarkerPath)
	deny("d/.git")
	asNobody(t, func() {
		for dir, names := range map[string]string{"a": "a/" + MarkerPath, "b": "b/" + MarkerPath, "d": "d/.git"} {
			_, err := Find(tr.path(dir), tr.home)
			e, ok := err.(*strata.Error)
			if !ok || e.Code != strata.CodeUnavailable || e.Hint == "" || e.Message != "cannot read "+tr.path(names) {
				t.Errorf("Find(%s): %v", dir, err)
			}
		}
		if _, err := Find(tr.path("a/.strata"), tr.home); strata.CodeOf(err) != strata.CodeUnavailable {
			t.Errorf("inside an unreadable directory: %v", err)
		}
	})
	t.Run("a repository that cannot be searched", func(t *testing.T) {
		deny("c/.git")
		asNobody(t, func() {
			got, err := Find(tr.path("c"), tr.home)
			if strata.CodeOf(err) != strata.CodeUnavailable {
				t.Errorf("%+v, %v", got, err)
			}
		})
	})
}
