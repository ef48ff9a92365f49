package history

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// maxDepth limits the depth of directories. No system allows a longer path.
const maxDepth = 2048

// listing is a list of files, named and sorted by their full paths.
type listing []object.TreeEntry

// at returns the file at a path; the zero entry if there is none.
func (l listing) at(file string) object.TreeEntry {
	i, ok := slices.BinarySearchFunc(l, object.TreeEntry{Name: file}, byPath)
	if !ok {
		return object.TreeEntry{}
	}
	return l[i]
}

func byPath(a, b object.TreeEntry) int { return strings.Compare(a.Name, b.Name) }

// filesOf returns the files of a commit and the trees of its directories; nothing for the
// zero hash.
func (r *repo) filesOf(ctx context.Context, id plumbing.Hash) (files listing, dirs map[string]plumbing.Hash, err error) {
	dirs = make(map[string]plumbing.Hash)
	if id.IsZero() {
		return nil, dirs, nil
	}
	c, err := r.readCommit(id)
	if err != nil {
		return nil, nil, err
	}
	var walk func(h plumbing.Hash, dir string, depth int) error
	walk = func(h plumbing.Hash, dir string, depth int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if depth > maxDepth {
			return damaged("tree %s has too many levels", h)
		}
		dirs[dir] = h
		t, err := r.readTree(h)
		if err != nil {
			return err
		}
		files = slices.Grow(files, len(t.Entries))
		for _, e := range t.Entries {
			if e.Name == "." || e.Name == ".." || strings.Contains(e.Name, "/") {
				return damaged("tree %s has a name that no file can have", h)
			}
			if e.Name = path.Join(dir, e.Name); e.Mode != filemode.Dir {
				files = append(files, e)
			} else if err := walk(e.Hash, e.Name, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	err = walk(c.TreeHash, "", 0)
	slices.SortFunc(files, byPath)
	return files, dirs, err
}

// builder makes the trees of a new state.
type builder struct {
	w *objectWriter
	// before are the trees of the old state by directory, and touched the directories
	// below which something changed.
	before  map[string]plumbing.Hash
	touched map[string]bool
}

// touch records that a file changed.
func (b *builder) touch(file string) {
	for dir := file; dir != ""; {
		if dir = path.Dir(dir); dir == "." {
			dir = ""
		}
		if b.touched[dir] {
			return
		}
		b.touched[dir] = true
	}
}

// build writes the tree of the files below a directory, which must be sorted. It does not
// write trees that did not change.
func (b *builder) build(dir string, files []object.TreeEntry) (plumbing.Hash, error) {
	if h, ok := b.before[dir]; ok && !b.touched[dir] {
		return h, nil
	}
	var tree object.Tree
	prefix := ""
	if dir != "" {
		prefix = dir + "/"
	}
	for len(files) > 0 {
		e, n := files[0], 1
		name, _, isDir := strings.Cut(e.Name[len(prefix):], "/")
		if e.Name = name; isDir {
			for n < len(files) && strings.HasPrefix(files[n].Name, prefix+name+"/") {
				n++
			}
			h, err := b.build(prefix+name, files[:n])
			if err != nil {
				return h, err
			}
			e.Mode, e.Hash = filemode.Dir, h
		}
		tree.Entries, files = append(tree.Entries, e), files[n:]
	}
	return b.w.encode(&tree)
}

// change is a file that differs between two trees. A mode is 0 if the file does not exist
// on that side.
type change struct {
	path     string
	from, to object.TreeEntry
}

// diffTrees lists the files that differ between two trees, sorted by path. A zero hash
// means the empty tree.
//
// Go-git's DiffTree treats a directory that it cannot read, or that has a control
// character in its name, as unchanged; this package promises to report such damage.
func (r *repo) diffTrees(ctx context.Context, a, b plumbing.Hash) (out []change, err error) {
	var walk func(dir string, a, b plumbing.Hash, depth int) error
	walk = func(dir string, a, b plumbing.Hash, depth int) error {
		if depth > maxDepth {
			return damaged("tree %s has too many levels", b)
		}
		old, err := r.readTree(a)
		if err != nil {
			return err
		}
		now, err := r.readTree(b)
		if err != nil {
			return err
		}
		x, y := old.Entries, now.Entries
		for len(x) > 0 || len(y) > 0 {
			order := -1
			if len(x) == 0 {
				order = 1
			} else if len(y) > 0 {
				order = strings.Compare(sortName(x[0]), sortName(y[0]))
			}
			var c change
			if order <= 0 {
				c.from, x = x[0], x[1:]
			}
			if order >= 0 {
				c.to, y = y[0], y[1:]
			}
			c.path = path.Join(dir, cmp.Or(c.from.Name, c.to.Name))
			switch {
			case c.from == c.to:
			case c.from.Mode == filemode.Dir || c.to.Mode == filemode.Dir:
				// Trees sort apart from files, so the other side is a tree or nothing.
				if err := walk(c.path, c.from.Hash, c.to.Hash, depth+1); err != nil {
					return err
				}
			default:
				out = append(out, c)
			}
		}
		return ctx.Err()
	}
	if a != b {
		err = walk("", a, b, 0)
	}
	return out, err
}

// sortName returns the name by which git sorts the entry in its directory.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}
