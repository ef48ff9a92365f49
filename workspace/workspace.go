// Package workspace finds the workspace that a directory belongs to and keeps its files.
//
// A workspace is a project with a memory of its own. Its identity outlives its path: it
// is the id in .strata/workspace.toml if that file exists, and otherwise a key for which
// the home stores an id. The key of a git repository is its common directory, so that all
// its worktrees share one memory and nothing is written into the project. Every other
// directory is a workspace by its own path.
//
// Files can come from anywhere and claim anything. A directory with the id of a workspace
// gets its memory only if the home knows the directory, by its path or by a key that the
// home put there. A .git that leads elsewhere counts only if the repository there knows
// the directory, too.
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

// The sources of a workspace's identity.
const (
	SourceMarker    = "workspace.toml" // nearest marker in dir or above
	SourceGit       = "git"            // git repository that contains dir
	SourceDirectory = "directory"      // directory itself
	SourceID        = "id"             // id given by the caller
)

// Found is a workspace. Either ID or Key is set; the zero value means none was found.
type Found struct {
	// Root is the workspace's directory, with links resolved. It is empty if the caller
	// gave only an id, or if the directory cannot have a .strata of its own.
	Root string
	// Key is the key for which the home stores an id: "git:" and the real path of the
	// repository's common directory, or "dir:" and the real path of a directory.
	Key string
	// ID is the workspace's own id, a ULID.
	ID string
	// Source says where the identity comes from: one of the Source constants.
	Source string
	// NoIngest reports whether the project opts out of ingesting conversations.
	NoIngest bool
}

// IsZero reports whether no workspace was found.
func (f Found) IsZero() bool { return f == Found{} }

// Keys returns the keys under which the home may store the id, most reliable first. A git
// repository also has the key of the directory that it was before, so that the memory
// stays when the repository is added or removed.
func (f Found) Keys() []string {
	if f.Key == "" {
		return nil
	}
	keys := []string{f.Key}
	if f.Source == SourceGit {
		if root, err := mainRoot(f); err == nil { // a bare repository has no directory to work in
			keys = append(keys, directoryKey(root))
		}
	}
	return keys
}

// directoryKey returns the key of a directory whose links are resolved.
func directoryKey(dir string) string { return "dir:" + dir }

const op = "find workspace"

// Find returns the workspace that contains dir: the nearest directory upwards with a
// marker, else the nearest git repository, else dir itself. The search ends at the user's
// home directory, at the Strata home (home; empty if there is none) and inside the Strata
// home. These directories can have no .strata, so the home stores their files as well as
// their id.
//
// Find returns invalid if dir is not a directory, corrupt for a damaged marker or
// repository, unavailable for one that cannot be read, and conflict for a marker that was
// copied with its directory or whose identity a person must confirm (see [IsDisputed]).
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

// FindPast is like [Find] for a directory that somebody worked in, which may be gone or
// be on another machine. If dir is gone, FindPast searches from the nearest directory
// above that exists, for a marker or a repository; without either, dir is a workspace by
// its path. A path that is not absolute is in no workspace.
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

// Resolve returns the workspace that arg names: an id, or a directory as for [Find].
// Write "./" before a directory whose name is an id. The errors are those of Find.
func Resolve(arg, home string) (Found, error) {
	if id, ok := parseID(arg); ok {
		return Found{ID: id, Source: SourceID}, nil
	}
	if strings.TrimSpace(arg) == "" {
		return Found{}, strata.Invalid(op, "the workspace is empty", "name a directory or the id of a workspace")
	}
	return Find(arg, home)
}

// findAny searches from a real directory upwards, first for markers, then for git.
func findAny(dir string, b bounds) (Found, error) {
	found, err := find(dir, b, b.marked, inGit)
	if err != nil || found.Source != SourceGit {
		return found, err
	}
	// The main worktree holds the identity of a linked worktree, even if the home has not
	// seen the repository at this place yet.
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

// find searches from a real directory upwards, for one kind after another.
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

// bounds are the real paths at which a search ends; empty for none.
type bounds struct {
	user   string // the user's home directory
	strata string // the Strata home
	// anyMarker accepts every marker, even one that a person would have to confirm.
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

// realPath resolves the links of a path whose last elements may not exist.
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

// parseID parses a workspace id. A ULID is written in upper case; lower case is accepted
// from people.
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

// cause removes the path from an error, because the message names it already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
