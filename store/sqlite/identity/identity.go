// Package identity tells whether the files of a database are still those that were
// opened. A file that was moved away or removed can be written to for as long as it is
// open, and what is written there nobody finds again.
package identity

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/sqlite/database"
)

// Files are a database and its write-ahead log as they were opened: device and inode,
// or what the system has in their place. Nil Files are not looked at. Several goroutines
// may check them.
type Files struct {
	path     string
	database fs.FileInfo
	log      fs.FileInfo  // nil while the log may come and go
	length   atomic.Int64 // of the database at the last look of CheckWrite
	damaged  atomic.Bool  // damage was met
}

// Of returns the identity of the database at path, which is to be opened next.
func Of(path string) (*Files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &Files{path: path, database: info}
	f.length.Store(info.Size())
	return f, nil
}

// WithLog returns the identity with that of the log. The caller has both open and
// keeps them so, by which SQLite leaves the log where it is.
func (f *Files) WithLog() (*Files, error) {
	info, err := os.Stat(logOf(f.path))
	if err != nil {
		return nil, f.gone(err)
	}
	with := &Files{path: f.path, database: f.database, log: info}
	with.length.Store(f.length.Load())
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
	_, err := f.look()
	return err
}

// Note remembers damage that SQLite met. What is written from then on may make it worse.
func (f *Files) Note(err error) {
	if database.IsCorrupt(err) {
		f.damaged.Store(true)
	}
}

// Damaged fails with corrupt once damage was met.
func (f *Files) Damaged(op string) error {
	if !f.damaged.Load() {
		return nil
	}
	e := database.Corrupt(op, "the database is damaged, or was overwritten while it was open here: nothing more is written")
	e.Hint = "end this process (an agent, strata chat, mcp, serve or watch), then " + e.Hint
	return e
}

// CheckWrite is Check and Damaged. It asks whole about a database that is shorter than at
// the last look: one that was compacted is, and one that was overwritten in place.
func (f *Files) CheckWrite(whole func() (bool, error)) error {
	length, err := f.look()
	if err != nil {
		return err
	}
	if length < f.length.Load() {
		ok, err := whole()
		if err != nil {
			return err
		}
		if !ok {
			f.damaged.Store(true)
		}
	}
	f.length.Store(length)
	return f.Damaged("commit")
}

// look is Check, and returns the bytes of the database.
func (f *Files) look() (length int64, err error) {
	is, err := f.same(f.path, f.database)
	if err == nil && f.log != nil {
		_, err = f.same(logOf(f.path), f.log)
	}
	if err != nil {
		return 0, err
	}
	return is.Size(), nil
}

// same compares what is at a path with what was.
func (f *Files) same(path string, was fs.FileInfo) (fs.FileInfo, error) {
	is, err := os.Stat(path)
	if err != nil || !os.SameFile(is, was) {
		return nil, f.gone(err)
	}
	return is, nil
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
