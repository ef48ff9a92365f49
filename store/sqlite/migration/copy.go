package migration

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/strata-memory/strata/store/sqlite/database"
)

// Before the schema of a database changes, the file is copied beside itself: what
// went wrong can be put right with the version of Strata that wrote it. One copy is
// kept, and none once anything is forgotten: it would hold what was.

// copySuffix stands between the path of the database and the version of the schema
// that came after the copy.
const copySuffix = ".before-"

// copyBefore copies the database before its schema becomes that of a version, and
// removes older copies. The caller holds the lock for writing.
func copyBefore(ctx context.Context, f database.File, version int) error {
	older, err := Copies(f.Path)
	if err != nil {
		return err
	}
	path := fmt.Sprint(f.Path, copySuffix, version)
	begun := path + ".tmp"
	if err := copyTo(ctx, f, begun); err != nil {
		return errors.Join(err, removeAll([]string{begun}))
	}
	if err := os.Rename(begun, path); err != nil {
		return errors.Join(err, removeAll([]string{begun}))
	}
	if err := syncFile(filepath.Dir(path)); err != nil {
		return err
	}
	return removeAll(slices.DeleteFunc(older, func(other string) bool { return other == path }))
}

// copyTo writes what is committed to a file of its own, durably.
func copyTo(ctx context.Context, f database.File, path string) error {
	empty, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := empty.Close(); err != nil {
		return err
	}
	// On a connection of its own: in a transaction SQLite copies nothing.
	pool := f.Open(database.Write)
	defer pool.Close()
	if _, err := pool.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return err
	}
	return syncFile(path)
}

// syncFile makes a file, or the names in a directory, durable.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Copies lists the files beside the database at path that hold it as it was before
// its schema changed last: one, or none, and what is left of one that was not
// completed.
func Copies(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var list []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+copySuffix) {
			list = append(list, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return list, nil
}

// RemoveCopies removes all copies. Bytes of them are not overwritten: they lie in no
// file of the home any more.
func RemoveCopies(path string) error {
	list, err := Copies(path)
	if err != nil {
		return err
	}
	return removeAll(list)
}

// removeAll removes files, of which some may be gone.
func removeAll(paths []string) error {
	var errs []error
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
