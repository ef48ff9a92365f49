package sqlite

import (
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
)

// createPrivate creates an empty file that only its owner may read, and its
// directory, if they are missing. SQLite gives its other files the same mode.
func createPrivate(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// checkFile reports a file that is no database, or only the beginning of one.
// SQLite itself would take a very short file for an empty database, and would
// not miss the end of the last page. An empty file is a new database.
func checkFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for try := 0; ; try++ {
		err := checkHeader(f)
		// Another process may just change the length of the file.
		if err == nil || try == 3 {
			return err
		}
	}
}

func checkHeader(f *os.File) error {
	const op = "open store"
	header := make([]byte, 100)
	switch n, err := f.ReadAt(header, 0); {
	case n == 0 && err == io.EOF:
		return nil
	case err == io.EOF, err == nil && string(header[:16]) != "SQLite format 3\x00":
		return corruptError(op, "the file is not a database")
	case err != nil:
		return err
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 { // how the header says 65,536
		pageSize = 1 << 16
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	pages := int64(binary.BigEndian.Uint32(header[28:]))
	if info.Size() >= pages*pageSize {
		return nil
	}
	if log, err := os.Stat(f.Name() + "-wal"); err == nil && log.Size() > 0 {
		return nil // the rest may be in the log still
	}
	return corruptError(op, "the end of the database is missing")
}
