// Package diskfault tells why a disk refused what was asked of it: no room, a quota, a
// file system or file that may not be written, a limit of the process. The error of the
// system says so; where there is none that does, a look at the file system.
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

// Of returns the refusal in the chain of err, with code, message and hint but without
// operation and cause; nil if there is none. path is what was to be written; an absolute
// path that the error names itself goes before it. It may be empty.
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

// Explain gives e the code and hint of the refusal that is its cause, if it is one, and
// returns it. path is as for [Of].
func Explain(e *strata.Error, path string) *strata.Error {
	if r := Of(e.Err, path); r != nil {
		e.Code, e.Hint = r.Code, r.Hint
	}
	return e
}

// Coded returns an error that has no code yet as one with the code of the refusal in its
// chain. All others stay as they are. A relative path that the error names is one of the
// working directory.
func Coded(op string, err error) error {
	var known *strata.Error
	if errors.As(err, &known) {
		return err
	}
	path := ""
	var file *fs.PathError
	if errors.As(err, &file) {
		path, _ = filepath.Abs(file.Path) // without one it stays unnamed
	}
	r := Of(err, path)
	if r == nil {
		return err
	}
	r.Op, r.Err = op, err
	return r
}

// probeBytes is how much a look writes: about what SQLite needs to begin, so that a disk
// on which it did not get that is full.
const probeBytes = 64 << 10

// Look tells by the file system why the file at path cannot be made, written or grow, with
// a small file that it writes beside it and removes; nil if it finds no reason. The file
// at path itself is not opened.
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
		err = f.Sync() // some file systems take room only then
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}

// nearest is path if that is a directory, else the nearest directory above it.
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

// pathIn is the absolute path that an error names, else path. Below a root files are named
// relative to it.
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

// permission is the refusal of a file or directory that others own.
func permission(path string) *strata.Error {
	e := &strata.Error{Code: strata.CodeReadOnly, Message: "this user may not write there", Hint: "check who owns the directory and its files, or run it as their owner"}
	if path != "" {
		e.Message = "this user may not write " + path
		e.Hint = "check who owns it and its directory, or run it as their owner"
	}
	return e
}

// roomHint says how much is free and what to do.
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

// size writes a number of bytes for people.
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
