// Package durable makes the names of files durable: a file that was synced can still be
// gone after a power cut while the directory that names it was not.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Directory makes the names in a directory durable. One that may not be read, or lies
// where directories cannot be synced, is as durable as it gets, and is no error.
func Directory(name string) error { return syncOpened(os.Open(name)) }

// DirectoryIn is [Directory] for a directory below a root.
func DirectoryIn(root *os.Root, name string) error { return syncOpened(root.Open(name)) }

// Tree makes the names in a directory and in those below it durable.
func Tree(name string) error {
	return filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return Directory(name)
	})
}

// syncOpened syncs and closes a directory that was opened, or was not.
func syncOpened(d *os.File, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) || runtime.GOOS == "windows" {
		err = nil
	}
	return errors.Join(err, d.Close())
}
