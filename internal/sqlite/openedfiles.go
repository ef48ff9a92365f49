package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// openedFiles identify a database and its write-ahead log as they were opened, by
// device and inode or what the system has instead. A file that was moved away or
// removed can still be written while it is open, but nobody will find what is
// written there. Check accepts nil. openedFiles is safe for concurrent use.
type openedFiles struct {
	path     string
	database fs.FileInfo
	log      fs.FileInfo  // nil while the log may be created and removed
	length   atomic.Int64 // of the database, when CheckWrite last looked
	damaged  atomic.Bool  // whether damage was found
}

// filesAt returns the identity of the database at path, which is about to be opened.
func filesAt(path string) (*openedFiles, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &openedFiles{path: path, database: info}
	f.length.Store(info.Size())
	return f, nil
}

// WithLog returns the identity of the database and its log. The caller must have
// both open and keep them open, so that SQLite does not remove the log.
func (f *openedFiles) WithLog() (*openedFiles, error) {
	info, err := os.Stat(logPath(f.path))
	if err != nil {
		return nil, f.gone(err)
	}
	with := &openedFiles{path: f.path, database: f.database, log: info}
	with.length.Store(f.length.Load())
	return with, with.Check()
}

// Size returns the size of the database in bytes when its identity was taken.
func (f *openedFiles) Size() int64 { return f.database.Size() }

// Check fails with unavailable if the files at the path are no longer the same or
// are missing. It takes two stat calls, a few microseconds.
func (f *openedFiles) Check() error {
	if f == nil {
		return nil
	}
	_, err := f.look()
	return err
}

// Note records damage that SQLite reports. Writing after that might make it worse.
func (f *openedFiles) Note(err error) {
	if database.IsCorrupt(err) {
		f.damaged.Store(true)
	}
}

// Damaged fails with corrupt once damage was recorded.
func (f *openedFiles) Damaged(op string) error {
	if !f.damaged.Load() {
		return nil
	}
	e := database.Corrupt(op, "the database is damaged, or was overwritten while it was open here: nothing more is written")
	e.Hint = "end this process (an agent, strata chat, mcp, serve or watch), then " + e.Hint
	return e
}

// CheckWrite is like Check and Damaged together. If the database is shorter than at
// the last call, it calls whole, because the database was either compacted or
// overwritten in place.
func (f *openedFiles) CheckWrite(whole func() (bool, error)) error {
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

// look is like Check, and returns the size of the database.
func (f *openedFiles) look() (length int64, err error) {
	is, err := f.same(f.path, f.database)
	if err == nil && f.log != nil {
		_, err = f.same(logPath(f.path), f.log)
	}
	if err != nil {
		return 0, err
	}
	return is.Size(), nil
}

// same returns the file at a path, or an error if it is not the file that was there.
func (f *openedFiles) same(path string, was fs.FileInfo) (fs.FileInfo, error) {
	is, err := os.Stat(path)
	if err != nil || !os.SameFile(is, was) {
		return nil, f.gone(err)
	}
	return is, nil
}

// gone returns the error that the open files are not those at the path. It wraps
// err, unless err only says that the file is missing.
func (f *openedFiles) gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return &strata.Error{Code: strata.CodeUnavailable, Op: "use store", Err: err,
		Message: "the home was moved, removed or replaced while it was open here: " + f.path,
		Hint:    "end this process (an agent, strata chat, mcp or watch) and start it again; what it saved before is where the old home is now"}
}

func logPath(path string) string { return path + "-wal" }
