package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// An entry at the top of a scope's directory may be a link to a directory outside, such
// as the vault of another program, if the user allowed that directory by name. So a link
// that comes with a project cannot lead anywhere else.

// AllowLinks names the directories to which a link at the top of a scope's directory may
// lead. Every other link is refused. Call AllowLinks before using the tree.
func (t *Tree) AllowLinks(dirs ...string) {
	for _, dir := range dirs {
		t.links = append(t.links, realPath(dir))
	}
}

// linked opens the directory to which a link leads. It returns nil if name is not a link
// or the link is not allowed.
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
	// Open the allowed directory itself: the link may have changed since.
	root, err := os.OpenRoot(real)
	if err != nil {
		return nil, err
	}
	return &opened{op: o.op, scope: o.scope, place: o.place, root: root, below: ".", link: name}, nil
}

// holding returns the directory that contains a document: the scope's own, or the target
// of a link. Calling done closes what was opened.
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

// holdingLocked is holding for a writer that has locked the scope. It also locks the
// target of a link, because several scopes may share it.
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
