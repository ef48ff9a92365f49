//go:build unix

// Package ephemeral creates throw-away homes: a temporary directory with a home and a
// workspace root inside, which Close removes.
//
// # Guarantees
//
// A directory is alive while the process that created it holds a lock on a file inside
// it. The kernel releases the lock when the process dies, however it dies, so [Sweep] can
// tell what a killed run left behind from what is still in use. Sweep removes only
// directories that have the prefix and the lock file, belong to the same user and are not
// alive.
package ephemeral

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/strata-memory/strata/internal/base/filelock"
)

const (
	// prefix begins the name of every throw-away directory.
	prefix = "strata-ephemeral-"
	// lockName is the file whose lock marks the directory as alive. Its unusual name
	// protects directories that merely share the prefix from Sweep.
	lockName = ".strata-ephemeral.lock"
	// attempts bounds how often New tries again after a sweeper took its directory away
	// before it was locked. One retry has always been enough.
	attempts = 16
)

// Dir is a throw-away directory. The caller of [New] owns it and must call [Dir.Close].
type Dir struct {
	Root      string // the directory itself, mode 0700
	Home      string // an empty home inside it
	Workspace string // an empty workspace root inside it

	lock *os.File // nil after Close
}

// New creates a throw-away directory inside parent. If parent is empty, it uses the
// system's directory for temporary files.
func New(parent string) (*Dir, error) {
	for range attempts {
		d, err := create(parent)
		if err != nil {
			return nil, fmt.Errorf("make an ephemeral home: %w", err)
		}
		if d != nil {
			return d, nil
		}
	}
	return nil, errors.New("make an ephemeral home: every directory was swept away while it was made")
}

// create creates one directory. It returns nil without an error if a sweeper removed it
// before it was locked.
func create(parent string) (*Dir, error) {
	root, err := os.MkdirTemp(parent, prefix+"*")
	if err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(root, lockName), os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		os.Remove(root)
		return nil, err
	}
	if held, err := filelock.Try(lock); err != nil || !held || !isSameFile(lock) {
		lock.Close()
		return nil, err
	}
	d := &Dir{
		Root: root, Home: filepath.Join(root, "home"), Workspace: filepath.Join(root, "workspace"), lock: lock,
	}
	for _, dir := range []string{d.Home, d.Workspace} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	return d, nil
}

// Close removes the directory and everything in it. It is idempotent.
func (d *Dir) Close() error {
	if d.lock == nil {
		return nil
	}
	err := remove(d.Root)
	d.lock.Close()
	d.lock = nil
	if err != nil {
		return fmt.Errorf("remove ephemeral home %s: %w", d.Root, err)
	}
	return nil
}

// remove deletes a directory whose lock is held. It deletes the lock file last, so that
// Sweep can still find what a crash leaves behind.
func remove(root string) error {
	entries, err := os.ReadDir(root)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == lockName {
			continue
		}
		if err := os.RemoveAll(filepath.Join(root, e.Name())); err != nil {
			return err
		}
	}
	return os.RemoveAll(root)
}

// isSameFile reports whether the path of f still leads to f. A sweeper may have removed
// the file after it was opened and before it was locked.
func isSameFile(f *os.File) bool {
	held, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(f.Name())
	return err == nil && os.SameFile(held, there)
}
