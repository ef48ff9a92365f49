// Package homedir determines the home to use when none is named.
package homedir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

const (
	// Variable is the environment variable that names a home.
	Variable = "STRATA_HOME"
	// Name is the name of the default home in the user's home directory.
	Name = ".strata"
)

// Default returns $STRATA_HOME, expanded by [Expand], or .strata in the user's home
// directory.
func Default() (string, error) {
	if home := os.Getenv(Variable); home != "" {
		user, _ := os.UserHomeDir() // an error shows where the directory is needed
		return Expand(home, os.Getenv, user)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", &strata.Error{Code: strata.CodeInvalid, Op: "find home", Message: "there is no home directory",
			Hint: "set " + Variable + ", or name a home", Err: err}
	}
	return filepath.Join(user, Name), nil
}

// database is the name of the database file in a home.
const database = "strata.db"

// begunName is the file in a home that records that a new database replaced a lost one.
const begunName = "database-begun.txt"

// left are the files of Strata that remain in a home when its database disappears. Notes
// and their index do not count: somebody may have copied them into a new home.
var left = []string{lockName, filepath.Join("global", ".git"), filepath.Join("global", ".lock.tmp")}

const (
	logName  = database + "-wal"
	lockName = database + "-lock" // created once the database has its tables
)

// pageSize is the page size of every database, in bytes. A database in which nothing has
// been stored has one page, and at most one more that SQLite reserves.
const pageSize = 8192

// LostDatabase reports whether a home once had a database that is now missing or empty.
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
		return true // SQLite creates a log only after the first page
	case log.Size() > 0:
		return false // the log may still hold the data
	}
	for _, name := range left {
		if _, err := os.Lstat(filepath.Join(home, name)); err == nil {
			return true
		}
	}
	return false
}

// MarkBegun records in a home that a new database replaces a lost one.
func MarkBegun(home string) error {
	const text = "The database of this home, strata.db, was gone, and a new one was begun beside the files that were left.\n" +
		"What stood in the database alone is not in it. Restore a backup: strata restore FILE --replace\n" +
		"To go on without: strata doctor --repair, or remove this file.\n"
	return os.WriteFile(filepath.Join(home, begunName), []byte(text), 0o600)
}

// Begun returns when a new database replaced a lost one; the zero time if none did, or if
// the record has been removed.
func Begun(home string) time.Time {
	info, err := os.Stat(filepath.Join(home, begunName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// ForgetBegun removes the record of [MarkBegun].
func ForgetBegun(home string) error {
	name := filepath.Join(home, begunName)
	if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
		return nil // a read-only file system would refuse to remove even a missing file
	}
	return os.Remove(name)
}

// Expand expands the beginning of a path from a setting or flag as a shell would: ~
// becomes the user's home directory, and $NAME, ${NAME} or %NAME% the value of a
// variable. A shell does not do so if the path is quoted or comes from a file. The rest
// of the path is taken literally, and so is all of ./~ or ./$NAME.
//
// It returns invalid for a ~ followed by a name, an unset variable, and an unknown home
// directory: taken literally, they would name directories.
func Expand(path string, getenv func(string) string, userHome string) (string, error) {
	first, _, _ := strings.Cut(path, "/")
	if strings.HasPrefix(first, "~") {
		if name, _, _ := strings.Cut(first, `\`); name != "~" {
			return "", unexpanded(path, "the home directory of another user is not looked up")
		}
		if userHome == "" {
			return "", unexpanded(path, "the user has no home directory")
		}
		return join(userHome, path[1:]), nil
	}
	name, rest, ok := cutVariable(path)
	switch {
	case !ok && strings.HasPrefix(path, "${"):
		return "", unexpanded(path, "the name of the variable has no end")
	case !ok:
		return path, nil
	}
	value := getenv(name)
	if value == "" {
		return "", unexpanded(path, "the variable "+name+" is not set")
	}
	return join(value, rest), nil
}

// cutVariable splits a path that begins with a variable, in Unix or Windows syntax, into
// the name of the variable and the rest.
func cutVariable(path string) (name, rest string, ok bool) {
	if braced, found := strings.CutPrefix(path, "${"); found {
		return strings.Cut(braced, "}")
	}
	if plain, found := strings.CutPrefix(path, "$"); found {
		rest := strings.TrimLeft(plain, nameChars)
		name := plain[:len(plain)-len(rest)]
		return name, rest, isName(name)
	}
	if enclosed, found := strings.CutPrefix(path, "%"); found {
		name, rest, ok := strings.Cut(enclosed, "%")
		return name, rest, ok && isName(strings.Trim(name, "()")) && strings.Trim(name, nameChars+"()") == ""
	}
	return "", "", false
}

// nameChars are the characters allowed in the name of a variable.
const nameChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

// isName reports whether s can name a variable: it does not begin with a digit.
func isName(s string) bool { return s != "" && (s[0] < '0' || s[0] > '9') }

// join appends the rest of a path to the expansion of its beginning. Windows paths have
// backslashes.
func join(value, rest string) string {
	if strings.HasPrefix(rest, `\`) {
		rest = strings.ReplaceAll(rest, `\`, "/")
	}
	return filepath.Clean(value + rest)
}

func unexpanded(path, why string) error {
	return strata.Invalid("read path", path+" cannot be expanded: "+why, "write the whole path; ./"+path+" is a file of that name in the working directory")
}
