package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A directory at the top of a scope's may be a link to one outside, such as the
// vault of another program, if the user allowed that directory by name. What
// comes with a project can therefore lead to no other place.

// AllowLinks names the directories to which a link at the top of a scope's
// directory may lead. Every other link is refused. It is for whoever made the
// tree, before it is used.
func (t *Tree) AllowLinks(dirs ...string) {
	for _, dir := range dirs {
		t.links = append(t.links, realPath(dir))
	}
}

// linked opens the directory to which the link of a name leads; nil for what is
// no link, or one that is not allowed.
func (t *Tree) linked(o *opened, name string) (*opened, error) {
	if len(t.links) == 0 {
		return nil, nil
	}
	full := filepath.Join(o.place.full(), name)
	if info, err := os.Lstat(full); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return nil, nil
	}
	real, err := filepath.EvalSymlinks(full)
	if err != nil || !slices.Contains(t.links, real) {
		return nil, nil
	}
	// The allowed directory is opened, whatever the link says by now.
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &opened{op: o.op, scope: o.scope, place: o.place, root: root, below: ".", link: name}, nil
}

// holding returns the directory that a document lies in: the scope's own, or
// that to which a link leads. The function closes what was opened for it.
func (t *Tree) holding(o *opened, doc string) (at *opened, done func(), err error) {
	first, _, below := strings.Cut(doc, "/")
	if !below || len(t.links) == 0 {
		return o, func() {}, nil
	}
	at, err = t.linked(o, first)
	if at == nil {
		return o, func() {}, err
	}
	return at, func() { at.Close() }, nil
}

// holdingLocked is holding for a writer, who holds the lock of the scope. Several
// scopes may share what a link leads to, so that this has a lock of its own.
func (t *Tree) holdingLocked(ctx context.Context, o *opened, doc string) (at *opened, done func(), err error) {
	at, closeIt, err := t.holding(o, doc)
	if err != nil || at == o {
		return at, closeIt, err
	}
	release, err := lockIn(ctx, at.root, lockName, o.op, "the directory "+at.link+" of "+o.scope.Key())
	if err == nil {
		if err = removeIfThere(at.root, tempName); err == nil {
			return at, func() { release(); closeIt() }, nil
		}
		release()
	}
	closeIt()
	return nil, nil, err
}
