// Package homedir says which home is meant where none is named.
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
	// Name is what the home is called in the home directory of a user.
	Name = ".strata"
)

// Default is $STRATA_HOME, as [Expand] reads it, or .strata in the user's home directory.
func Default() (string, error) {
	if home := os.Getenv(Variable); home != "" {
		user, _ := os.UserHomeDir() // who has none is told so where it is needed
		return Expand(home, os.Getenv, user)
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return "", &strata.Error{Code: strata.CodeInvalid, Op: "find home", Message: "there is no home directory",
			Hint: "set " + Variable + ", or name a home", Err: err}
	}
	return filepath.Join(user, Name), nil
}

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

// Expand returns a path of a setting or flag with what it begins with expanded, as a
// shell would: ~ for the user's home directory, and $NAME, ${NAME} or %NAME% for a
// variable. No shell has done so where the path was quoted, or came from a file. What
// follows is part of the path, whatever it is, and so is the beginning of ./~ or ./$NAME.
//
// A ~ with a name, a variable that is not set, and a home directory that is not known are
// invalid: taken as they stand they would be directories of such names.
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

// cutVariable divides a path that begins with a variable, as a shell of Unix or of Windows
// writes it, into the variable's name and what follows.
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

// nameChars are the characters of the names of variables.
const nameChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789"

// isName reports whether a name may be that of a variable: it does not begin with a digit.
func isName(s string) bool { return s != "" && (s[0] < '0' || s[0] > '9') }

// join puts the rest of a path behind what its beginning stands for. Paths of Windows have
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
