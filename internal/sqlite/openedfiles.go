package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"sync/atomic"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/sqlite/database"
)

// openedFiles are a database and its write-ahead log as they were opened: device and
// inode, or what the system has in their place. A file that was moved away or removed
// can be written to for as long as it is open, and what is written there nobody finds
// again. Nil is not looked at. Several goroutines may check them.
type openedFiles struct {
	path     string
	database fs.FileInfo
	log      fs.FileInfo  // nil while the log may come and go
	length   atomic.Int64 // of the database at the last look of CheckWrite
	damaged  atomic.Bool  // damage was met
}

// filesAt returns the identity of the database at path, which is to be opened next.
func filesAt(path string) (*openedFiles, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	f := &openedFiles{path: path, database: info}
	f.length.Store(info.Size())
	return f, nil
}

// WithLog returns the identity with that of the log. The caller has both open and
// keeps them so, by which SQLite leaves the log where it is.
func (f *openedFiles) WithLog() (*openedFiles, error) {
	info, err := os.Stat(logPath(f.path))
	if err != nil {
		return nil, f.gone(err)
	}
	with := &openedFiles{path: f.path, database: f.database, log: info}
	with.length.Store(f.length.Load())
	return with, with.Check()
}

// Size is the bytes that the database had when its identity was taken.
func (f *openedFiles) Size() int64 { return f.database.Size() }

// Check fails with unavailable when other files, or none, are at the path by now. It
// takes two looks at the directory, some microseconds.
func (f *openedFiles) Check() error {
	if f == nil {
		return nil
	}
	_, err := f.look()
	return err
}

// Note remembers damage that SQLite met. What is written from then on may make it worse.
func (f *openedFiles) Note(err error) {
	if database.IsCorrupt(err) {
		f.damaged.Store(true)
	}
}

// Damaged fails with corrupt once damage was met.
func (f *openedFiles) Damaged(op string) error {
	if !f.damaged.Load() {
		return nil
	}
	e := database.Corrupt(op, "the database is damaged, or was overwritten while it was open here: nothing more is written")
	e.Hint = "end this process (an agent, strata chat, mcp, serve or watch), then " + e.Hint
	return e
}

// CheckWrite is Check and Damaged. It asks whole about a database that is shorter than at
// the last look: one that was compacted is, and one that was overwritten in place.
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

// look is Check, and returns the bytes of the database.
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

// same compares what is at a path with what was.
func (f *openedFiles) same(path string, was fs.FileInfo) (fs.FileInfo, error) {
	is, err := os.Stat(path)
	if err != nil || !os.SameFile(is, was) {
		return nil, f.gone(err)
	}
	return is, nil
}

// gone says that what is open is not what is at the path. Of err only what is no
// plain absence is of interest.
func (f *openedFiles) gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return &strata.Error{Code: strata.CodeUnavailable, Op: "use store", Err: err,
		Message: "the home was moved, removed or replaced while it was open here: " + f.path,
		Hint:    "end this process (an agent, strata chat, mcp or watch) and start it again; what it saved before is where the old home is now"}
}

func logPath(path string) string { return path + "-wal" }
