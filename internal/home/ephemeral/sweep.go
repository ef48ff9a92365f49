//go:build unix

package ephemeral

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/strata-memory/strata/internal/base/filelock"
)

// Sweep removes the throw-away directories inside parent that no process holds any more,
// and returns their paths. If parent is empty, it uses the system's directory for
// temporary files. It continues after an error, and returns all errors joined.
func Sweep(parent string) ([]string, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil, fmt.Errorf("sweep ephemeral homes: %w", err)
	}
	var removed []string
	var errs []error
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		root := filepath.Join(parent, e.Name())
		gone, err := sweep(root)
		if err != nil {
			errs = append(errs, fmt.Errorf("sweep ephemeral home %s: %w", root, err))
		}
		if gone {
			removed = append(removed, root)
		}
	}
	return removed, errors.Join(errs...)
}

// sweep removes one directory if it belongs to this user and is dead.
func sweep(root string) (bool, error) {
	info, err := os.Lstat(root)
	if err != nil || !info.IsDir() || !own(info) {
		return false, nil
	}
	lock, err := os.OpenFile(filepath.Join(root, lockName), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		// Either its process was killed before there was a lock file, or New is making it
		// right now, notices and tries again. Remove deletes an empty directory only.
		return os.Remove(root) == nil, nil
	}
	if err != nil {
		return false, nil // not one of our files
	}
	defer lock.Close()
	if held, err := filelock.Try(lock); err != nil || !held || !isSameFile(lock) {
		return false, err
	}
	if err := remove(root); err != nil {
		return false, err
	}
	return true, nil
}

// own reports whether a directory belongs to the current user.
func own(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
