// Package workdir creates directories for unfinished work next to its destination. A
// directory is locked while it is in use, and the lock ends with the process, so that a
// directory left by a killed process can be told from one in use.
package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata/internal/base/filelock"
)

// lockName is the file in a directory whose lock means that it is in use.
const lockName = "lock"

// Dir is a directory for unfinished work. Its owner moves the finished work elsewhere,
// and calls Remove.
type Dir struct {
	Path string
	lock *os.File
}

// New creates a directory whose name begins with a prefix.
func New(parent, prefix string) (*Dir, error) {
	name, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return nil, err
	}
	lock, err := os.OpenFile(filepath.Join(name, lockName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	d := &Dir{Path: name, lock: lock}
	held, err := filelock.Try(lock)
	if err == nil && !held {
		err = errors.New(name + " was taken away while it was made")
	}
	if err != nil {
		return nil, errors.Join(err, d.Remove())
	}
	return d, nil
}

// Remove removes the directory with everything in it.
func (d *Dir) Remove() error { return errors.Join(os.RemoveAll(d.Path), d.lock.Close()) }

// Left lists by name the directories with a prefix that are no longer in use.
func Left(parent, prefix string) (list []string, err error) {
	err = left(parent, prefix, func(name string) error { list = append(list, name); return nil })
	return list, err
}

// Sweep removes the directories that Left lists.
func Sweep(parent, prefix string) error { return left(parent, prefix, os.RemoveAll) }

// left calls do, with its lock held, for each directory that is no longer in use.
func left(parent, prefix string, do func(name string) error) error {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		name := filepath.Join(parent, e.Name())
		lock, err := os.OpenFile(filepath.Join(name, lockName), os.O_RDWR, 0)
		if err != nil {
			continue // its process is just starting, or ending
		}
		held, err := filelock.Try(lock)
		if held {
			err = do(name)
		}
		errs = append(errs, err, lock.Close())
	}
	return errors.Join(errs...)
}

// OfRestore returns the parent and the prefix of directories for unfinished restores of
// a home.
func OfRestore(home string) (parent, prefix string) {
	return filepath.Dir(home), filepath.Base(home) + ".restoring-"
}
