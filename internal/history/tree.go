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

// maxDepth bounds the directories inside each other. More than this no path
// can name on the systems there are.
const maxDepth = 2048

// listing is files by their paths, sorted.
type listing []object.TreeEntry

// at returns the file of a path; the zero entry where there is none.
func (l listing) at(file string) object.TreeEntry {
	i, ok := slices.BinarySearchFunc(l, object.TreeEntry{Name: file}, byPath)
	if !ok {
		return object.TreeEntry{}
	}
	return l[i]
}

func byPath(a, b object.TreeEntry) int { return strings.Compare(a.Name, b.Name) }

// holds lists the files of a commit, and the trees of its directories; nothing for the
// zero hash.
func (r *repo) holds(ctx context.Context, id plumbing.Hash) (files listing, dirs map[string]plumbing.Hash, err error) {
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
	// before are the trees of the state before, by directory, and touched the
	// directories below which something changed.
	before  map[string]plumbing.Hash
	touched map[string]bool
}

// touch notes that a file changed.
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

// build writes the tree of the files below a directory, which are sorted. What
// did not change is not written.
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

// change is a file that differs between two states. One of the modes is 0 where
// the file is not there.
type change struct {
	path     string
	from, to object.TreeEntry
}

// diffTrees lists the files that differ between two trees, in order of path. A zero
// hash is the empty tree.
//
// Go-git's DiffTree takes a directory that it cannot read for one that did not change,
// and one with a control character in its name, too; that damage is told is a promise.
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
				// Trees sort apart from files, so the other is a tree or none.
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

// sortName is what git sorts the names of a directory by.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}
