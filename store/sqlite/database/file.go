package database

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// File is a database file and how connections to it wait.
type File struct {
	Path        string        // absolute
	BusyTimeout time.Duration // how long a statement waits for another connection
}

// Nothing here opens the database file itself: closing it again would drop the
// locks that SQLite holds on it elsewhere in this process.
// See https://www.sqlite.org/howtocorrupt.html, section 2.2.

// Create creates an empty file that only its owner may read, and its
// directory, if they are missing. SQLite gives its other files the same mode.
func (f File) Create() error {
	if _, err := os.Stat(f.Path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o700); err != nil {
		return err
	}
	// os.CreateTemp makes files of mode 0600.
	temp, err := os.CreateTemp(filepath.Dir(f.Path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := temp.Close(); err != nil {
		return err
	}
	// Another process may have been faster; then its file stays.
	err = os.Link(temp.Name(), f.Path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// A file system without links.
	if temp, err = os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return err
	}
	return temp.Close()
}

// CheckSize reports a file too short to be a database, which SQLite would take
// for an empty one. A file of no bytes at all is a new database.
func (f File) CheckSize() error {
	const smallest = 512 // bytes of SQLite's smallest page
	info, err := os.Stat(f.Path)
	if err != nil {
		return err
	}
	if info.Size() > 0 && info.Size() < smallest {
		return Corrupt("open store", "the file is not a database")
	}
	return nil
}

// CheckEnd reports a database that ends before its last page does. SQLite does
// not miss the end of a page.
func (f File) CheckEnd(ctx context.Context, c *Conn) error {
	for try := 0; ; try++ {
		var pages, size int64
		if err := c.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
			return err
		}
		if err := c.QueryRowContext(ctx, `PRAGMA page_size`).Scan(&size); err != nil {
			return err
		}
		info, err := os.Stat(f.Path)
		if err != nil || info.Size() >= pages*size {
			return err
		}
		if log, err := os.Stat(f.Path + "-wal"); err == nil && log.Size() > 0 {
			return nil // the rest may be in the log still
		}
		if try == 3 { // no other process was just changing the length
			return Corrupt("open store", "the end of the database is missing")
		}
	}
}
