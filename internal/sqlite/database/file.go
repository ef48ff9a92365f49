package database

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/strata-memory/strata/internal/base/durable"
)

// File is a database file and how connections to it wait.
type File struct {
	Path        string        // absolute
	BusyTimeout time.Duration // how long a statement waits for another connection
}

// Nothing here opens the database file itself: closing it again would drop the locks
// that SQLite holds on it elsewhere in this process. See
// https://www.sqlite.org/howtocorrupt.html, section 2.2.

// Create creates an empty file that only its owner may read, and its directory, if
// they are missing. SQLite gives its other files the same mode.
func (f File) Create() error {
	if _, err := os.Stat(f.Path); err == nil {
		return nil
	}
	if err := makeDirectory(filepath.Dir(f.Path), durable.Directory); err != nil {
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
	// Another process may have been faster; its file stays.
	err = os.Link(temp.Name(), f.Path)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system does not support links.
		if temp, err = os.OpenFile(f.Path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return err
		}
		if err := temp.Close(); err != nil {
			return err
		}
	}
	return durable.Directory(filepath.Dir(f.Path))
}

// makeDirectory creates a directory and its missing parents, readable by the owner
// only. It calls sync for the parent of each new directory to make the new name
// durable.
func makeDirectory(dir string, sync func(dir string) error) error {
	var parents []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) || at == filepath.Dir(at) {
			break
		}
		parents = append(parents, filepath.Dir(at))
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := sync(parent); err != nil {
			return err
		}
	}
	return nil
}

// CheckSize fails with corrupt if the file is too short to be a database, which
// SQLite would take for an empty one. An empty file is a new database.
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

// CheckEnd fails with corrupt if the file ends before the last page of the database
// does, which SQLite does not notice.
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
			return nil // the rest may still be in the log
		}
		if try == 3 { // it was not another process just changing the length
			return Corrupt("open store", "the end of the database is missing")
		}
	}
}
