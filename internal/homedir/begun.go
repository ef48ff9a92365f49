package homedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// database is the file of the database in a home.
const database = "strata.db"

// begunName is the file of a home that says that its database was begun anew.
const begunName = "database-begun.txt"

// left are what Strata leaves in a home whose database goes. Notes and an index of them are
// not among it: somebody may have copied those into a new home.
var left = []string{lockName, filepath.Join("global", ".git"), filepath.Join("global", ".lock.tmp")}

const (
	logName  = database + "-wal"
	lockName = database + "-lock" // made once the database has its tables
)

// pageSize is that of every database, in bytes. One in which nothing was stored yet has a
// first page, and at most one more that SQLite keeps for itself.
const pageSize = 8192

// LostDatabase reports whether a home had a database that is not there any more, or holds
// nothing.
func LostDatabase(home string) bool {
	info, err := os.Stat(filepath.Join(home, database))
	gone := errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0
	if !gone && (err != nil || info.Size() != pageSize && info.Size() != 2*pageSize) {
		return false
	}
	log, err := os.Stat(filepath.Join(home, logName))
	switch {
	case err != nil:
	case gone:
		return true // a log comes after the first page
	case log.Size() > 0:
		return false // what is stored may be in it still
	}
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(home, name)); err == nil {
			return true
		}
	}
	return false
}

// MarkBegun says in a home that a new database takes the place of one that was lost.
func MarkBegun(home string) error {
	const text = "The database of this home, strata.db, was gone, and a new one was begun beside the files that were left.\n" +
		"What stood in the database alone is not in it. Restore a backup: strata restore FILE --replace\n" +
		"To go on without: strata doctor --repair, or remove this file.\n"
	return os.WriteFile(filepath.Join(home, begunName), []byte(text), 0o600)
}

// Begun returns when a new database took the place of one that was lost; the zero time if
// none did, or somebody took note of it.
func Begun(home string) time.Time {
	info, err := os.Stat(filepath.Join(home, begunName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// ForgetBegun removes what MarkBegun wrote.
func ForgetBegun(home string) error {
	name := filepath.Join(home, begunName)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil // a read-only file system would refuse to remove even that
	}
	return os.Remove(name)
}
