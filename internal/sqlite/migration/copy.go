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

	"github.com/strata-memory/strata/internal/sqlite/database"
)

// Before the schema of a database changes, the file is copied beside itself, so that
// a failed upgrade can be undone with the version of Strata that wrote it. Only one
// copy is kept, and none once anything is forgotten, since it would still hold that.

// copySuffix stands between the path of the database and the version of the schema
// that followed the copy.
const copySuffix = ".before-"

// copyBefore copies the database before its schema is brought to a version, and
// removes older copies. The caller holds the write lock.
func copyBefore(ctx context.Context, f database.File, version int) error {
	older, err := named(filepath.Dir(f.Path), filepath.Base(f.Path)+copySuffix)
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

// copyTo writes the committed data to a new file, durably.
func copyTo(ctx context.Context, f database.File, path string) error {
	empty, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := empty.Close(); err != nil {
		return err
	}
	// This needs a connection of its own: SQLite cannot run VACUUM INTO in a
	// transaction.
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

// Automatic backups are in a directory beside the database. Package internal/backup
// writes them, and unfinished ones into directories there.
const (
	BackupDir    = database.BackupDir
	BackupPrefix = "strata-"
	WorkPrefix   = ".strata-backup-"
)

// Copies lists the older copies of the database at path: the copy from before its
// last schema change, automatic backups, and the remains of an unfinished one.
func Copies(path string) ([]string, error) {
	unfinished, err := named(backupDir(path), WorkPrefix)
	if err != nil {
		return nil, err
	}
	finished, err := finishedCopies(path)
	return append(finished, unfinished...), err
}

func finishedCopies(path string) ([]string, error) {
	list, err := named(filepath.Dir(path), filepath.Base(path)+copySuffix)
	if err != nil {
		return nil, err
	}
	backups, err := named(backupDir(path), BackupPrefix)
	return append(list, backups...), err
}

func backupDir(path string) string { return filepath.Join(filepath.Dir(path), BackupDir) }

// named lists the entries of a directory whose names begin with a prefix.
func named(dir, prefix string) (list []string, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, err
}

// RemoveCopies removes all copies. It does not overwrite their bytes, which are then
// in no file of the home.
func RemoveCopies(path string) error {
	// Unfinished backups are removed first: one that is completed in the meantime is
	// then among the others, and one that lost its directory is not completed.
	unfinished, err := named(backupDir(path), WorkPrefix)
	if err != nil {
		return err
	}
	for i, dir := range unfinished {
		// It is renamed first, since its process may still be writing.
		gone := fmt.Sprint(filepath.Join(filepath.Dir(dir), WorkPrefix+"forgotten-"), os.Getpid(), "-", i)
		if err := os.Rename(dir, gone); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := os.RemoveAll(gone); err != nil {
			return err
		}
	}
	list, err := finishedCopies(path)
	if err != nil {
		return err
	}
	return removeAll(list)
}

// removeAll removes files, ignoring those that do not exist.
func removeAll(paths []string) error {
	var errs []error
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
