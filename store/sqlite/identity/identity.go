// Package identity tells whether the files of a database are still those that were
// opened. A file that was moved away or removed can be written to for as long as it is
// open, and what is written there nobody finds again.
package identity

import (
	"errors"
	"io/fs"
	"os"

	"github.com/strata-memory/strata"
)

// Files are a database and its write-ahead log as they were opened: device and inode,
// or what the system has in their place. Nil Files are not looked at. They do not
// change, so that several goroutines may check them.
type Files struct {
	path     string
	database fs.FileInfo
	log      fs.FileInfo // nil while the log may come and go
}

// Of returns the identity of the database at path, which is to be opened next.
func Of(path string) (*Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	return &Files{path: path, database: info}, nil
}

// WithLog returns the identity with that of the log. The caller has both open and
// keeps them so, by which SQLite leaves the log where it is.
func (f *Files) WithLog() (*Files, error) {
	info, err := os.Stat(logOf(f.path))
	if err != nil {
		return nil, f.gone(err)
	}
	with := &Files{path: f.path, database: f.database, log: info}
	return with, with.Check()
}

// Size is the bytes that the database had when its identity was taken.
func (f *Files) Size() int64 { return f.database.Size() }

// Check fails with unavailable when other files, or none, are at the path by now. It
// takes two looks at the directory, some microseconds.
func (f *Files) Check() error {
	if f == nil {
		return nil
	}
	if err := f.same(f.path, f.database); err != nil || f.log == nil {
		return err
	}
	return f.same(logOf(f.path), f.log)
}

// same compares what is at a path with what was.
func (f *Files) same(path string, was fs.FileInfo) error {
	is, err := os.Stat(path)
	if err != nil || !os.SameFile(is, was) {
		return f.gone(err)
	}
	return nil
}

// gone says that what is open is not what is at the path. Of err only what is no
// plain absence is of interest.
func (f *Files) gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return &strata.Error{Code: strata.CodeUnavailable, Op: "use store", Err: err,
		Message: "the home was moved, removed or replaced while it was open here: " + f.path,
		Hint:    "end this process (an agent, strata chat, mcp or watch) and start it again; what it saved before is where the old home is now"}
}

func logOf(path string) string { return path + "-wal" }
