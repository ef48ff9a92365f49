// Package workdir makes directories for unfinished work beside what the work is for. A
// directory is locked while it is used, also against the end of the process, so that
// what a killed one left can be told from what is under way.
package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata/internal/base/filelock"
)

// lockName is the file in a directory by whose lock it is known to be used.
const lockName = "lock"

// Dir is a directory for unfinished work, which is not finished by being in it. Its
// owner calls Remove.
type Dir struct {
	Path string
	lock *os.File
}

// New makes a directory whose name begins with a prefix.
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

// Remove removes the directory with all that is in it.
func (d *Dir) Remove() error { return errors.Join(os.RemoveAll(d.Path), d.lock.Close()) }

// Left lists the directories with a prefix that nobody uses any more, by name.
func Left(parent, prefix string) (list []string, err error) {
	err = left(parent, prefix, func(name string) error { list = append(list, name); return nil })
	return list, err
}

// Sweep removes the directories that Left lists.
func Sweep(parent, prefix string) error { return left(parent, prefix, os.RemoveAll) }

// left calls do with each directory that nobody uses any more, under its lock.
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
			continue // of a process that begins just now, or ends
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
