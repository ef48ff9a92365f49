// Package private finds files of memory that others than their owner may use, and
// takes that away. Strata makes files with mode 0600 and directories with 0700; copies,
// editors and other programs do not.
package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// others are the permissions of all but the owner.
const others = 0o077

// File is a file or directory that others may use.
type File struct {
	Path string
	Mode fs.FileMode // its permissions
}

// Own are the permissions that it should have: those of its owner.
func (f File) Own() fs.FileMode { return f.Mode &^ others }

// Find lists what others may use of a directory: itself and all below it, in the order
// of their paths. Links are not followed. A directory that is not there has nothing, and
// where permissions are none of the system's, nor has any.
func Find(dir string) (list []File, err error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return nil, nil
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil // it went meanwhile, or is nobody's business
		}
		if err != nil {
			return err
		}
		if !e.IsDir() && !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && info.Mode().Perm()&others != 0 {
			list = append(list, File{Path: path, Mode: info.Mode().Perm()})
		}
		return err
	})
	return list, err
}

// Mend takes the permissions of others away, and returns the files of which it cannot.
func Mend(list []File) (left []File, err error) {
	var errs []error
	for _, f := range list {
		err := os.Chmod(f.Path, f.Own())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			left, errs = append(left, f), append(errs, err)
		}
	}
	return left, errors.Join(errs...)
}
