package history

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/strata-memory/strata/store/files"
)

// The reasons for leaving out files.
const (
	reasonLarge    = "larger than 1 MiB"
	reasonLink     = "a link"
	reasonOther    = "neither a file nor a directory"
	reasonNested   = "a repository of its own"
	reasonRead     = "cannot be read"
	reasonUnstable = "changed while it was read"
	reasonName     = "a name that git does not allow"
)

// onDisk is a regular file of the work tree that may be recorded.
type onDisk struct {
	path  string
	info  fs.FileInfo
	looks int // how often it was examined again
}

// walker walks through a work tree. It does not follow links.
type walker struct {
	r *repo
	// tracked are the paths, sorted, that are recorded whatever a .gitignore says.
	tracked []string
	// held are the files of the last commit.
	held listing

	found []onDisk
	// left are the files that are left out and named. unchanged are the paths where
	// everything, including what is below, stays as last recorded.
	left      []files.Skipped
	unchanged map[string]bool
}

func (w *walker) isTracked(file string) bool {
	i := sort.SearchStrings(w.tracked, file)
	return i < len(w.tracked) && w.tracked[i] == file
}

func (w *walker) tracksBelow(dir string) bool {
	i := sort.SearchStrings(w.tracked, dir+"/")
	return i < len(w.tracked) && strings.HasPrefix(w.tracked[i], dir+"/")
}

// leave leaves out a path and names it. What is recorded of it stays.
func (w *walker) leave(file, reason string) {
	w.left = append(w.left, files.Skipped{Path: file, Reason: reason})
	w.unchanged[file] = true
}

// walk examines a directory. If out is set, a directory above is ignored, so that only
// tracked files count.
func (w *walker) walk(ctx context.Context, at []string, rules []gitignore.Pattern, out bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	dir := path.Join(at...)
	entries, err := w.list(dir)
	switch {
	case dir != "" && errors.Is(err, fs.ErrPermission):
		w.leave(dir, reasonRead)
		return nil
	case dir != "" && errors.Is(err, fs.ErrNotExist):
		return nil // removed meanwhile
	case err != nil:
		return err
	}
	for _, e := range entries {
		if e.Name() == ignoreName {
			text, err := readRules(w.r.tree, path.Join(dir, ignoreName))
			if err != nil {
				return err
			}
			rules = slices.Concat(rules, parseIgnore(text, at))
		}
	}
	for _, e := range entries {
		if err := w.visit(ctx, append(at[:len(at):len(at)], e.Name()), e, rules, out); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) list(dir string) ([]fs.DirEntry, error) {
	if dir == "" {
		dir = "."
	}
	f, err := w.r.tree.Open(dir)
	if err != nil {
		return nil, err
	}
	entries, err := f.ReadDir(-1)
	return entries, errors.Join(err, f.Close())
}

// visit examines one entry of a directory.
func (w *walker) visit(ctx context.Context, at []string, e fs.DirEntry, rules []gitignore.Pattern, out bool) error {
	file := strings.Join(at, "/")
	if isGitName(e.Name()) {
		if !strings.EqualFold(e.Name(), gitName) {
			w.leave(file, reasonName)
		}
		return nil
	}
	if never(at, e.IsDir()) {
		return nil
	}
	isIgnored := func() bool { return out || gitignore.NewMatcher(rules).Match(at, e.IsDir()) }
	if e.IsDir() {
		return w.enter(ctx, at, rules, isIgnored())
	}
	if !w.isTracked(file) && isIgnored() {
		return nil
	}
	info, err := e.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		w.link(file)
	case !info.Mode().IsRegular():
		w.leave(file, reasonOther)
	default:
		w.found = append(w.found, onDisk{path: file, info: info})
	}
	return nil
}

// enter walks into a directory unless it is ignored or a repository of its own.
func (w *walker) enter(ctx context.Context, at []string, rules []gitignore.Pattern, out bool) error {
	dir := strings.Join(at, "/")
	if w.held.at(dir).Mode == filemode.Submodule {
		w.unchanged[dir] = true
		return nil
	}
	if out && !w.tracksBelow(dir) {
		return nil
	}
	if _, err := w.r.tree.Lstat(dir + "/" + gitName); err == nil {
		w.leave(dir, reasonNested)
		return nil
	}
	return w.walk(ctx, at, rules, out)
}

// link leaves out a link. A link that git recorded as it is now is not named.
func (w *walker) link(file string) {
	w.unchanged[file] = true
	if held := w.held.at(file); held.Mode == filemode.Symlink {
		target, err := w.r.tree.Readlink(file)
		if err == nil && plumbing.ComputeHash(plumbing.BlobObject, []byte(target)) == held.Hash {
			return
		}
	}
	w.leave(file, reasonLink)
}

// isUnchanged reports whether a recorded path stays as last recorded.
func (w *walker) isUnchanged(file string) bool {
	if len(w.unchanged) == 0 {
		return false
	}
	for {
		if w.unchanged[file] {
			return true
		}
		slash := strings.LastIndexByte(file, '/')
		if slash < 0 {
			return false
		}
		file = file[:slash]
	}
}
