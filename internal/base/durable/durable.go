// Package durable makes directory entries durable: after a power cut, a synced file can
// be missing if its directory was not synced.
package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// Directory makes the entries of a directory durable. It ignores a directory that may not
// be read or synced, because nothing more can be done for it.
func Directory(name string) error { return syncOpened(os.Open(name)) }

// DirectoryIn is [Directory] for a directory below a root.
func DirectoryIn(root *os.Root, name string) error { return syncOpened(root.Open(name)) }

// Tree makes the entries of a directory and its subdirectories durable.
func Tree(name string) error {
	return filepath.WalkDir(name, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return Directory(name)
	})
}

// syncOpened syncs and closes a directory, given the result of opening it.
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
