package upkeep

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// others are the permission bits of everyone but the owner.
const others = 0o077

// looseFile is a file or directory of memory that other users have access to. Strata
// creates files with mode 0600 and directories with 0700; copies, editors and other
// programs do not.
type looseFile struct {
	Path string
	Mode fs.FileMode // its permissions
}

// own returns the permissions that it should have: those of the owner only.
func (f looseFile) own() fs.FileMode { return f.Mode &^ others }

// findLoose lists a directory and everything below it that other users have access to,
// ordered by path. It does not follow links. It finds nothing if the directory does not
// exist, or on a system without such permissions.
func findLoose(dir string) (list []looseFile, err error) {
	if runtime.GOOS == "windows" || runtime.GOOS == "plan9" {
		return nil, nil
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return nil // it disappeared meanwhile, or is unreadable
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

// mendLoose removes the permissions of others, and returns the files where that failed.
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
