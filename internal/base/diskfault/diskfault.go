// Package diskfault explains why a disk refused an operation: no space, a quota, a
// read-only file system or file, a limit of the process. It looks at the system's error
// or, if that does not say, probes the file system.
package diskfault

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/strata-memory/strata"
)

// Of explains the disk error in the chain of err, with code, message and hint but without
// operation and cause; nil if there is none. path is the file to be written, and may be
// empty; an absolute path in the error itself takes precedence.
func Of(err error, path string) *strata.Error {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return nil
	}
	path = pathIn(err, path)
	on := "the disk"
	if path != "" {
		on += " of " + path
	}
	switch {
	case slices.Contains(noRoom, number):
		return &strata.Error{Code: strata.CodeFull, Message: "no room is left on " + on, Hint: roomHint(path)}
	case slices.Contains(overQuota, number):
		return &strata.Error{Code: strata.CodeFull, Message: "your quota is used up on " + on,
			Hint: "remove files of yours there, or have the quota raised, then try again"}
	case slices.Contains(tooLarge, number):
		return &strata.Error{Code: strata.CodeFull, Message: "a file may not grow further on " + on,
			Hint: "raise the limit of file sizes (ulimit -f), or use a file system that allows larger files, then try again"}
	case slices.Contains(readOnly, number):
		return &strata.Error{Code: strata.CodeReadOnly, Message: "the file system is read-only on " + on,
			Hint: "mount it for writing, or name another directory; what is there can be read"}
	case errors.Is(number, fs.ErrPermission):
		return permission(path)
	case slices.Contains(tooManyOpen, number):
		return &strata.Error{Code: strata.CodeUnavailable, Message: "too many files are open",
			Hint: "raise the limit of open files (ulimit -n), or end other programs, then try again"}
	case slices.Contains(broken, number):
		return &strata.Error{Code: strata.CodeUnavailable, Message: on + " reports errors",
			Hint: "look at the log of the system, and make a backup on another disk: strata backup FILE"}
	}
	return nil
}

// Explain gives e the code and hint of the disk error in its chain, if there is one, and
// returns e. path is as for [Of].
func Explain(e *strata.Error, path string) *strata.Error {
	if r := Of(e.Err, path); r != nil {
		e.Code, e.Hint = r.Code, r.Hint
	}
	return e
}

// Coded gives an error without a code the code of the disk error in its chain. It returns
// all others unchanged. A relative path in the error is relative to the working
// directory.
func Coded(op string, err error) error {
	var known *strata.Error
	if errors.As(err, &known) {
		return err
	}
	path := ""
	var file *fs.PathError
	if errors.As(err, &file) {
		path, _ = filepath.Abs(file.Path) // if it fails, the file stays unnamed
	}
	r := Of(err, path)
	if r == nil {
		return err
	}
	r.Op, r.Err = op, err
	return r
}

// probeBytes is how much a probe writes: about what SQLite needs to start, so that a disk
// on which SQLite did not get it is full.
const probeBytes = 64 << 10

// Look finds out why the file at path cannot be created, written or extended, by writing
// and removing a small file next to it; nil if it finds no reason. It does not open the
// file at path itself.
func Look(path string) *strata.Error {
	if err := mayWrite(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Of(err, path)
	}
	return Of(probe(nearest(path)), path)
}

// probe writes a small file into a directory and removes it.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".strata-probe-*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeBytes))
	if err == nil {
		err = f.Sync() // some file systems allocate space only now
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// nearest returns path if it is a directory, or the nearest directory above it.
func nearest(path string) string {
	for {
		info, err := os.Stat(path)
		parent := filepath.Dir(path)
		if err == nil && info.IsDir() || parent == path {
			return path
		}
		path = parent
	}
}

// pathIn returns the absolute path in an error, or else path. Errors of an [os.Root] have
// relative paths.
func pathIn(err error, path string) string {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file) && filepath.IsAbs(file.Path):
		return file.Path
	case errors.As(err, &link) && filepath.IsAbs(link.New):
		return link.New
	}
	return path
}

// permission returns the error for a file or directory that the user may not write.
func permission(path string) *strata.Error {
	e := &strata.Error{Code: strata.CodeReadOnly, Message: "this user may not write there", Hint: "check who owns the directory and its files, or run it as their owner"}
	if path != "" {
		e.Message = "this user may not write " + path
		e.Hint = "check who owns it and its directory, or run it as their owner"
	}
	return e
}

// roomHint says how much space is free and what to do.
func roomHint(path string) string {
	if path == "" {
		return "free space on the disk, then try again"
	}
	dir := nearest(path)
	bytes, files, known := Free(dir)
	switch {
	case !known:
		return "free space on the disk of " + dir + ", then try again"
	case files == 0:
		return "remove files on the disk of " + dir + ", which has no room for the name of another, then try again"
	}
	return fmt.Sprintf("free space on the disk of %s, where you have %s left, then try again", dir, size(bytes))
}

// size formats a number of bytes for people.
func size(bytes uint64) string {
	const unit = 1 << 10
	switch {
	case bytes < unit:
		return fmt.Sprint(bytes, " bytes")
	case bytes < unit<<10:
		return fmt.Sprintf("%.0f KiB", float64(bytes)/unit)
	case bytes < unit<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(unit<<10))
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(unit<<20))
}
