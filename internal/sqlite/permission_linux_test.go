package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite"
)

// asStranger runs fn as a user who owns nothing, on this thread alone. Only
// root can do so; anybody else is stopped by permissions as he is.
func asStranger(fn func()) {
	if os.Geteuid() != 0 {
		fn()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		unix.Setfsgid(65534)
		unix.Setfsuid(65534)
		fn()
	}()
	<-done
}

func TestOpen_WhatMayNotBeWrittenIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		dir, file os.FileMode
	}{
		"a file that may not be written":      {0o777, 0o444},
		"a directory that may not be written": {0o555, 0o666},
		"neither":                             {0o555, 0o444},
	} {
		t.Run(name, func(t *testing.T) {
			path := filled(t, 3)
			chmod(t, filepath.Dir(filepath.Dir(path)), 0o755)
			chmod(t, filepath.Dir(path), c.dir)
			chmod(t, path, c.file)
			t.Cleanup(func() { os.Chmod(filepath.Dir(path), 0o700) })
			asStranger(func() {
				db, err := sqlite.Open(context.Background(), path, nil)
				if err != nil {
					t.Errorf("open: %v", err)
					return
				}
				defer db.Close()
				if n := len(facts(t, db)); n != 3 {
					t.Errorf("%d facts are read of 3", n)
				}
				if err := save(db, newFact("fact_x", "x")); strata.CodeOf(err) != strata.CodeReadOnly {
					t.Errorf("save returned %v, want read_only", err)
				}
			})
		})
	}
}

func TestOpen_WhereNothingMayBeCreatedSaysSo(t *testing.T) {
	dir := t.TempDir()
	chmod(t, filepath.Dir(dir), 0o755)
	chmod(t, dir, 0o555)
	asStranger(func() {
		for _, path := range []string{filepath.Join(dir, "strata.db"), filepath.Join(dir, "home", "strata.db")} {
			_, err := sqlite.Open(context.Background(), path, nil)
			if strata.CodeOf(err) != strata.CodeReadOnly {
				t.Errorf("open %s returned %v, want read_only", path, err)
			}
		}
	})
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
