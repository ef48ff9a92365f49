package upkeep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// others are the permissions of all but the owner.
const others = 0o077

// looseFile is a file or directory of memory that others than its owner may use. Strata makes
// files with mode 0600 and directories with 0700; copies, editors and other programs do not.
type looseFile struct {
	Path string
	Mode fs.FileMode // its permissions
}

// own are the permissions that it should have: those of its owner.
func (f looseFile) own() fs.FileMode { return f.Mode &^ others }

// findLoose lists what others may use of a directory: itself and all below it, in the order
// of their paths. Links are not followed. A directory that is not there has nothing, and
// where permissions are none of the system's, nor has any.
func findLoose(dir string) (list []looseFile, err error) {
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
			list = append(list, looseFile{Path: path, Mode: info.Mode().Perm()})
		}
		return err
	})
	return list, err
}

// mendLoose takes the permissions of others away, and returns the files of which it cannot.
func mendLoose(list []looseFile) (left []looseFile, err error) {
	var errs []error
	for _, f := range list {
		err := os.Chmod(f.Path, f.own())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			left, errs = append(left, f), append(errs, err)
		}
	}
	return left, errors.Join(errs...)
}
