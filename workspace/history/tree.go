package history

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// The modes that git knows.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeLink       = 0o120000
	modeRepository = 0o160000 // a commit of another repository
	modeTree       = 0o040000
)

// emptyTree is the hash of the empty tree.
var emptyTree = hashOf(plumbing.TreeObject, nil)

// entry is a file of a recorded state, or one name in a tree.
type entry struct {
	path string // in a tree only the name
	mode uint32
	hash plumbing.Hash
}

// parseTree reads the names in a tree object.
func parseTree(h plumbing.Hash, data []byte) ([]entry, error) {
	out := make([]entry, 0, len(data)/48) // about the length of one
	for len(data) > 0 {
		space := bytes.IndexByte(data, ' ')
		end := bytes.IndexByte(data, 0)
		if space < 0 || end < space || len(data) < end+1+len(h) {
			return nil, damaged("tree %s is cut short", h)
		}
		mode, err := strconv.ParseUint(string(data[:space]), 8, 32)
		if err != nil {
			return nil, damaged("tree %s has a name without a mode", h)
		}
		name := string(data[space+1 : end])
		if name == "" || name == "." || name == ".." || strings.Contains(name, "/") {
			return nil, damaged("tree %s has a name that no file can have", h)
		}
		e := entry{path: name, mode: uint32(mode)}
		copy(e.hash[:], data[end+1:])
		out = append(out, e)
		data = data[end+1+len(h):]
	}
	return out, nil
}

// encodeTree makes a tree object of names in git's order.
func encodeTree(entries []entry) []byte {
	size := 0
	for _, e := range entries {
		size += len("100644 \x00") + len(e.path) + len(e.hash)
	}
	out := make([]byte, 0, size)
	for _, e := range entries {
		out = strconv.AppendUint(out, uint64(e.mode), 8)
		out = append(append(out, ' '), e.path...)
		out = append(append(out, 0), e.hash[:]...)
	}
	return out
}

func (r *repo) readTree(h plumbing.Hash) ([]entry, error) {
	if h == emptyTree {
		return nil, nil // git knows it without having it
	}
	data, err := r.read(plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	return parseTree(h, data)
}

// maxDepth bounds the directories inside each other. More than this no path
// can name on the systems there are.
const maxDepth = 2048

// flatten lists the files of a tree by their paths, in the order of the paths'
// bytes, and adds the hashes of its directories to dirs.
func (r *repo) flatten(ctx context.Context, h plumbing.Hash, dirs map[string]plumbing.Hash) ([]entry, error) {
	var out []entry
	var walk func(h plumbing.Hash, dir string, depth int) error
	walk = func(h plumbing.Hash, dir string, depth int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if depth > maxDepth {
			return damaged("tree %s has too many levels", h)
		}
		dirs[dir] = h
		names, err := r.readTree(h)
		if err != nil {
			return err
		}
		out = slices.Grow(out, len(names))
		for _, e := range names {
			if dir != "" {
				e.path = dir + "/" + e.path
			}
			if e.mode != modeTree {
				out = append(out, e)
			} else if err := walk(e.hash, e.path, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	return out, walk(h, "", 0)
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
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		if b.touched[dir] {
			return
		}
		b.touched[dir] = true
		if dir == "" {
			return
		}
	}
}

// build writes the tree of the files below a directory, which are sorted. What
// did not change is not written.
func (b *builder) build(dir string, files []entry) plumbing.Hash {
	if h, ok := b.before[dir]; ok && !b.touched[dir] {
		return h
	}
	skip := 0
	if dir != "" {
		skip = len(dir) + 1
	}
	var names []entry
	for len(files) > 0 {
		name, _, isDir := strings.Cut(files[0].path[skip:], "/")
		if !isDir {
			e := files[0]
			e.path = name
			names, files = append(names, e), files[1:]
			continue
		}
		inside := files[0].path[:skip+len(name)+1]
		n := 1
		for n < len(files) && strings.HasPrefix(files[n].path, inside) {
			n++
		}
		h := b.build(strings.TrimSuffix(inside, "/"), files[:n])
		names, files = append(names, entry{path: name, mode: modeTree, hash: h}), files[n:]
	}
	return b.w.put(plumbing.TreeObject, encodeTree(names))
}

// change is a file that differs between two states. One of the modes is 0 where
// the file is not there.
type change struct {
	path     string
	from, to entry
}

// diffTrees calls fn for every file that differs between two trees, in order of
// path. A zero hash is the empty tree.
func (r *repo) diffTrees(ctx context.Context, a, b plumbing.Hash, fn func(change) error) error {
	return r.diffBelow(ctx, "", a, b, 0, fn)
}

func (r *repo) diffBelow(ctx context.Context, dir string, a, b plumbing.Hash, depth int, fn func(change) error) error {
	if a == b {
		return nil
	}
	if depth > maxDepth {
		return damaged("tree %s has too many levels", b)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	old, err := r.treeOrNone(a)
	if err != nil {
		return err
	}
	now, err := r.treeOrNone(b)
	if err != nil {
		return err
	}
	for len(old) > 0 || len(now) > 0 {
		var x, y entry
		switch order := compareNames(old, now); {
		case order < 0:
			x, old = old[0], old[1:]
		case order > 0:
			y, now = now[0], now[1:]
		default:
			x, y, old, now = old[0], now[0], old[1:], now[1:]
		}
		if x == y {
			continue
		}
		name := path.Join(dir, x.path)
		if x.mode == 0 {
			name = path.Join(dir, y.path)
		}
		if x.mode == modeTree || y.mode == modeTree {
			// Trees sort apart from files, so the other is a tree or none.
			err = r.diffBelow(ctx, name, x.hash, y.hash, depth+1, fn)
		} else {
			err = fn(change{path: name, from: x, to: y})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *repo) treeOrNone(h plumbing.Hash) ([]entry, error) {
	if h.IsZero() {
		return nil, nil
	}
	return r.readTree(h)
}

// compareNames compares the first names of two trees as git sorts them: a
// directory as if its name ended in a slash.
func compareNames(a, b []entry) int {
	switch {
	case len(a) == 0:
		return 1
	case len(b) == 0:
		return -1
	}
	return strings.Compare(sortName(a[0]), sortName(b[0]))
}

func sortName(e entry) string {
	if e.mode == modeTree {
		return e.path + "/"
	}
	return e.path
}
