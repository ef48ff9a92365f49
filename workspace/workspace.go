// Package workspace finds the workspace a directory belongs to.
//
// A workspace is a project with a memory of its own. Its identity outlives its
// path: it is the id in .strata/workspace.toml where there is one, and else a
// key for which the home keeps an id. The key of a git repository is its common
// directory, so that all its worktrees share one memory and nothing is written
// into the project. Every other directory is a workspace by its own path.
//
// Files can say what they like, and come from everywhere. A directory with the id
// of a workspace has its memory only if the home knows the directory: by its path, or
// by a key that the home put there. A .git that leads elsewhere counts only if
// the repository there knows of the directory, too.
//
// Keys hold the whole real path, unencoded, behind a prefix that names their
// kind. Two directories can therefore never share a key by accident.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"

	"github.com/oklog/ulid/v2"

	"github.com/strata-memory/strata"
)

// The sources of an identity.
const (
	SourceMarker    = "workspace.toml" // the nearest marker upwards
	SourceGit       = "git"            // the git repository around
	SourceDirectory = "directory"      // the directory itself
	SourceID        = "id"             // an id that was named
)

// Found is a workspace. Either ID or Key is set; the zero Found is none.
type Found struct {
	// Root is the workspace's directory, with links resolved; empty if only an
	// id was named, or if the directory can have no .strata of its own.
	Root string
	// Key is the place of an id that the home keeps: "git:" and the real path of the
	// repository's common directory, or "dir:" and the real path of a directory.
	Key string
	// ID is the workspace's own id, a ULID.
	ID string
	// Source says what the identity rests on, one of the Source constants.
	Source string
	// NoIngest says that the project takes no conversations in.
	NoIngest bool
}

// IsZero reports whether no workspace was found.
func (f Found) IsZero() bool { return f == Found{} }

// Keys are the places under which the home may keep the id, the surest first. A
// git repository is known as the directory it was before, too; so is the
// directory when the repository is gone.
func (f Found) Keys() []string {
	if f.Key == "" {
		return nil
	}
	keys := []string{f.Key}
	if f.Source == SourceGit {
		if root, err := mainRoot(f); err == nil { // a bare repository is no directory to work in
			keys = append(keys, directoryKey(root))
		}
	}
	return keys
}

// directoryKey is the key of a directory with links resolved.
func directoryKey(dir string) string { return "dir:" + dir }

const op = "find workspace"

// Find returns the workspace that dir lies in: the nearest directory upwards
// with a marker, else the nearest git repository, else dir itself and nothing
// below it. At the user's home directory, the Strata home (home; empty if there
// is none) and what lies inside the latter the search ends; they can have no
// .strata, so that the home keeps their files as well as their id.
//
// It returns invalid for a dir that is not a directory, corrupt for a damaged
// marker or repository, unavailable for one that cannot be read, and conflict
// for a marker that was copied along with its directory, or has to be asked about
// (see [IsDisputed]).
func Find(dir, home string) (Found, error) {
	real, err := realDir(dir)
	if err != nil {
		return Found{}, err
	}
	b := boundsFor(home)
	found, err := findAny(real, b)
	if err != nil || !found.IsZero() {
		return found, err
	}
	found = Found{Key: directoryKey(real), Source: SourceDirectory}
	if !b.stops(real) {
		found.Root = real
	}
	return found, nil
}

// FindPast is [Find] for a directory that somebody worked in, which may be gone by now or
// of another machine. One that is gone lies in the workspace of what is left above it if
// that has a marker or a repository, else it is a workspace by its path. A path that is
// not absolute is in none.
func FindPast(dir, home string) (Found, error) {
	if dir == "" || !isAbsolute(dir) {
		return Found{}, nil
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return Find(dir, home)
	}
	if !filepath.IsAbs(dir) {
		return Found{Key: directoryKey(dir), Source: SourceDirectory}, nil
	}
	gone := realPath(dir)
	above := filepath.Dir(gone)
	for above != filepath.Dir(above) {
		if _, err := os.Stat(above); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		above = filepath.Dir(above)
	}
	found, err := findAny(above, boundsFor(home))
	if err != nil || !found.IsZero() {
		return found, err
	}
	return Found{Key: directoryKey(gone), Source: SourceDirectory}, nil
}

// isAbsolute reports whether a path is absolute on this system or on Windows.
func isAbsolute(path string) bool { return filepath.IsAbs(path) || windowsPath.MatchString(path) }

var windowsPath = lazyregexp.New(`^(?:[A-Za-z]:[\\/]|\\\\)`)

// Resolve returns the workspace that arg names: an id, or a directory, as for
// [Find]. Write "./" before a directory whose name is an id. Errors are those of
// Find.
func Resolve(arg, home string) (Found, error) {
	if id, ok := parseID(arg); ok {
		return Found{ID: id, Source: SourceID}, nil
	}
	if strings.TrimSpace(arg) == "" {
		return Found{}, strata.Invalid(op, "the workspace is empty", "name a directory or the id of a workspace")
	}
	return Find(arg, home)
}

// findAny searches from a real directory upwards, for markers first.
func findAny(dir string, b bounds) (Found, error) {
	found, err := find(dir, b, b.marked, inGit)
	if err != nil || found.Source != SourceGit {
		return found, err
	}
	// A linked worktree has the identity that its main one keeps, also where
	// the home has not seen the repository at this place yet.
	main := mainOf(found.Root)
	if main == found.Root || b.stops(main) {
		return found, nil
	}
	switch kept, err := b.marked(main); {
	case IsDisputed(err):
		return Found{}, err
	case err == nil && !kept.IsZero():
		kept.Root = found.Root
		return kept, nil
	}
	return found, nil
}

// find searches from a real directory upwards, for one kind after the other.
func find(dir string, b bounds, kinds ...func(string) (Found, error)) (Found, error) {
	for _, look := range kinds {
		for at := dir; !b.stops(at); at = filepath.Dir(at) {
			if found, err := look(at); err != nil || !found.IsZero() {
				return found, err
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return Found{}, nil
}

// bounds are the real paths at which the search ends, empty for none.
type bounds struct {
	user   string // the user's home directory
	strata string // the Strata home
	// anyMarker takes every marker at its word, also where it has to be asked about.
	anyMarker bool
}

func boundsFor(home string) bounds {
	var b bounds
	if user, err := os.UserHomeDir(); err == nil {
		b.user = realPath(user)
	}
	if home != "" {
		b.strata = realPath(home)
	}
	return b
}

// stops reports whether dir is a home directory, or inside the Strata home.
func (b bounds) stops(dir string) bool {
	inside := b.strata != "" && strings.HasPrefix(dir+string(filepath.Separator), strings.TrimSuffix(b.strata, string(filepath.Separator))+string(filepath.Separator))
	return inside || dir == b.user
}

// realDir returns the absolute path of a directory with links resolved.
func realDir(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if errors.Is(err, fs.ErrPermission) {
		return "", unreadable(dir, err)
	}
	if err != nil {
		return "", &strata.Error{
			Code: strata.CodeInvalid, Op: op, Message: "no directory " + dir,
			Hint: "check the path and its links, or name a workspace by its id", Err: cause(err),
		}
	}
	if info, err := os.Stat(abs); err != nil || !info.IsDir() {
		return "", strata.Invalid(op, dir+" is not a directory", "name the directory of the project")
	}
	return abs, nil
}

// realPath resolves the links of a path, of which the last parts may not exist.
func realPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return filepath.Clean(path)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	return filepath.Join(realPath(parent), filepath.Base(abs))
}

// parseID reads a workspace id. ULIDs are written in capitals; small letters
// are accepted from people.
func parseID(s string) (string, bool) {
	id, err := ulid.ParseStrict(s)
	if err != nil {
		return "", false
	}
	return id.String(), true
}

// unreadable describes a file that exists and cannot be read.
func unreadable(path string, err error) error {
	return &strata.Error{
		Code: strata.CodeUnavailable, Op: op, Message: "cannot read " + path,
		Hint: "check its permissions and links, or name the workspace with --workspace", Err: cause(err),
	}
}

// corrupt describes a damaged file.
func corrupt(path, what, hint string) error {
	return &strata.Error{Code: strata.CodeCorrupt, Op: op, Message: path + " " + what, Hint: hint}
}

// cause strips the path that the message names already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
