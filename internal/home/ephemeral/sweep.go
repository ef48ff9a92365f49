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

// Sweep removes the throw-away directories inside parent that no process holds
// any more, and returns their paths. An empty parent is the system's directory
// for temporary files. It continues after an error; all errors are returned
// together.
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

// sweep removes one directory if it is ours and dead.
func sweep(root string) (bool, error) {
	info, err := os.Lstat(root)
	if err != nil || !info.IsDir() || !own(info) {
		return false, nil
	}
	lock, err := os.OpenFile(filepath.Join(root, lockName), os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if errors.Is(err, os.ErrNotExist) {
		// Killed before it had a lock file, or being made right now: then New
		// notices and tries again. Remove takes an empty directory only.
		return os.Remove(root) == nil, nil
	}
	if err != nil {
		return false, nil // not a file of ours
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

// own reports whether the directory belongs to the user who sweeps.
func own(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
