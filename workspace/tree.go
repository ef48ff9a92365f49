package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

var _ files.Tree = (*Tree)(nil)

// Tree is the documents of scopes as files of mode 0600 in directories of mode
// 0700:
//
//	<home>/global/
//	<home>/agents/<agent>/
//	<workspace>/.strata/                   where that directory exists,
//	<home>/workspaces/<id>/                and elsewhere
//
// with agents/<agent>/ below the last two for an agent in a workspace. Each of
// these four is a root directory. Writers of one root take turns, those of other
// processes too. Links are refused, wherever they lead, save those that
// [Tree.AllowLinks] allows, as is all else that is no file in the place of one.
//
// People edit the files without a lock. Between the moment Write or Remove
// looks at a file and the moment it is replaced lie some microseconds, in which
// such an edit would be lost.
type Tree struct {
	layout *layout
	now    func() time.Time
	// shortQuiet and quiet are how long what is watched must be quiet.
	shortQuiet, quiet time.Duration
	links             []string          // real paths of directories to which links may lead
	waiting           func(what string) // told of long waits; may be nil

	mu sync.Mutex // guards the fields below
	// seen is what the last scan of a scope found, written what this Tree wrote
	// since: the hash by path. By them watchers see whether something changed.
	seen    map[strata.Scope]map[string]files.Stat
	written map[strata.Scope]map[string]string
	// placed are the workspaces whose directory is recorded in the home.
	placed map[string]string
	// onScan is called when a watcher has looked at a scope, in tests.
	onScan func(scope strata.Scope, changed bool)
}

// NewTree returns the tree of a home. workspaces are the directories of the
// available workspaces, by id, whether or not they have a .strata; nil for none.
func NewTree(home string, workspaces map[string]string) *Tree {
	return &Tree{
		layout: newLayout(home, workspaces), now: time.Now, shortQuiet: quickTime, quiet: quietTime,
		seen:    make(map[strata.Scope]map[string]files.Stat),
		written: make(map[strata.Scope]map[string]string),
		placed:  make(map[string]string),
	}
}

// Attach sets the directory of a workspace, for callers that learn its id after
// the tree was made.
func (t *Tree) Attach(id, root string) { t.layout.attach(id, root) }

// Directory returns the directory of a scope.
func (t *Tree) Directory(scope strata.Scope) (dir string, ok bool) {
	p, err := t.place("", scope)
	return p.full(), err == nil
}

// Root returns the root directory of a scope: the one with a history of its own,
// which an agent in a workspace shares with the workspace.
func (t *Tree) Root(scope strata.Scope) (dir string, ok bool) {
	p, err := t.place("", scope)
	return filepath.Join(p.base, filepath.FromSlash(p.root)), err == nil
}

const (
	// lockName and tempName end so that git leaves them alone.
	lockName = ".lock.tmp"
	tempName = ".write.tmp"
)

// place finds the directory of a scope.
func (t *Tree) place(op string, scope strata.Scope) (place, error) {
	if err := scope.Validate(); err != nil {
		return place{}, err
	}
	p := t.layout.find(scope)
	if p.workspace == "" {
		if root, lost := t.layout.missing(scope); lost {
			return place{}, &strata.Error{
				Code: strata.CodeUnavailable, Op: op, Message: "the directory of the workspace " + scope.Workspace + " is not at hand; it was " + filepath.Join(root, markerDir),
				Hint: "go to where it is now; or run strata init where it was, to make it again",
			}
		}
	}
	if p.base == "" {
		return place{}, &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "there is no home, so that " + scope.Key() + " has no directory", Hint: "name one with --home"}
	}
	return p, nil
}

// rememberPlace records the directory of a workspace in the home. It is a
// convenience for later, so its errors are ignored.
func (t *Tree) rememberPlace(p place) {
	if p.workspace == "" || t.layout.home == "" {
		return
	}
	root := filepath.Dir(p.base)
	t.mu.Lock()
	known := t.placed[p.workspace] == root
	t.placed[p.workspace] = root
	t.mu.Unlock()
	if !known && hasStrata(root, p.workspace, true) {
		_ = writePointer(t.layout.home, p.workspace, root)
	}
}

// opened is the directory of a scope, open.
type opened struct {
	op    string
	scope strata.Scope
	place place
	// root is the root directory, below the scope's directory in it.
	root  *os.Root
	below string
	// link is the name of the link that leads here, by which the paths of the
	// documents begin; empty for the scope's own directory.
	link string
}

func (o *opened) Close() error { return o.root.Close() }

// name is a document's path as seen from the root directory.
func (o *opened) name(doc string) string {
	if o.link != "" {
		doc = strings.TrimPrefix(strings.TrimPrefix(doc, o.link), "/")
	}
	return filepath.FromSlash(path.Join(o.below, doc))
}

// fail describes an error that concerns a document, or the directory itself
// where doc is empty.
func (o *opened) fail(doc string, err error) error {
	var known *strata.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	what := "the directory of " + o.scope.Key()
	if doc != "" {
		what = "the file " + doc + " of " + o.scope.Key()
	}
	e := diskError(o.op, what+" cannot be reached", err)
	if e.Code == strata.CodeReadOnly && (o.op == opRead || o.op == opScan) {
		e.Code = strata.CodeUnavailable
	}
	return e
}

// The operations, as errors name them.
const (
	opRead   = "read file"
	opWrite  = "write file"
	opRemove = "remove file"
	opScan   = "scan files"
	opWatch  = "watch files"
	opLock   = "lock files"
)

// open opens the directory of a scope. With create the root directory is made;
// otherwise the error says fs.ErrNotExist if there is none.
func (t *Tree) open(op string, scope strata.Scope, create bool) (*opened, error) {
	p, err := t.place(op, scope)
	if err != nil {
		return nil, err
	}
	t.rememberPlace(p)
	o := &opened{op: op, scope: scope, place: p, below: p.below()}
	base, err := os.OpenRoot(p.base)
	if err != nil {
		return nil, diskError(op, "the directory "+p.base+" is not at hand", err)
	}
	defer base.Close()
	root := filepath.FromSlash(p.root)
	if err := checkDirs(base, root, op); err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, o.fail("", err)
		}
		if !create {
			return nil, err
		}
		if err := makePrivate(base, root); err != nil {
			return nil, o.fail("", err)
		}
	}
	if o.root, err = base.OpenRoot(root); err != nil {
		return nil, o.fail("", err)
	}
	return o, nil
}

// checkDirs returns an error unless dir and those above it, below root, are directories
// and no links. The error is fs.ErrNotExist if one is missing.
func checkDirs(root *os.Root, dir, op string) error {
	if dir == "." {
		return nil
	}
	if err := checkDirs(root, filepath.Dir(dir), op); err != nil {
		return err
	}
	info, err := root.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return &strata.Error{Code: strata.CodeConflict, Op: op, Message: filepath.ToSlash(dir) + " is not a directory",
			Hint: "move it away; a link is followed to a directory that the setting links names, and to no other"}
	}
	return nil
}

// Read reads a file.
func (t *Tree) Read(ctx context.Context, scope strata.Scope, doc string) (files.File, error) {
	if err := files.CheckPath(scope, doc); err != nil {
		return files.File{}, err
	}
	if err := ctx.Err(); err != nil {
		return files.File{}, err
	}
	o, name, err := t.openFor(opRead, scope, doc)
	if errors.Is(err, fs.ErrNotExist) {
		return files.File{}, strata.NotFound(opRead, "file", doc)
	}
	if err != nil {
		return files.File{}, err
	}
	defer o.Close()
	f, err := t.load(o, doc, name)
	if errors.Is(err, fs.ErrNotExist) {
		return files.File{}, strata.NotFound(opRead, "file", doc)
	}
	if err != nil {
		return files.File{}, o.fail(doc, err)
	}
	return f, nil
}

// openFor opens the directory that a document lies in, which is that of the
// project for the project's own. The name is its path in there.
func (t *Tree) openFor(op string, scope strata.Scope, doc string) (*opened, string, error) {
	if doc == files.ProjectFile {
		o, err := t.openProject(op, scope)
		return o, path.Base(files.ProjectFile), err
	}
	o, err := t.open(op, scope, false)
	if err != nil {
		return nil, "", err
	}
	at, _, err := t.holding(o, doc)
	if err != nil || at != o {
		o.Close()
	}
	if err != nil {
		return nil, "", o.fail(doc, err)
	}
	return at, at.name(doc), nil
}

// openProject opens the directory of a workspace's project. The error says
// fs.ErrNotExist if it is not available.
func (t *Tree) openProject(op string, scope strata.Scope) (*opened, error) {
	o := &opened{op: op, scope: scope, below: "."}
	dir := t.layout.project(scope.Workspace)
	if dir == "" {
		return nil, fs.ErrNotExist
	}
	var err error
	if o.root, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	return o, nil
}

// InHome reports whether the files of a scope lie in the home, and not in a project.
func (t *Tree) InHome(scope strata.Scope) bool {
	p, err := t.place("", scope)
	return err == nil && p.workspace == ""
}

// maxAgents bounds how many agents of a workspace are named.
const maxAgents = 1000

// Agents names the agents that have a directory in that of a workspace.
func (t *Tree) Agents(scope strata.Scope) (out []string) {
	dir, ok := t.Directory(scope)
	if !ok {
		return nil
	}
	list, err := os.ReadDir(filepath.Join(dir, files.AgentsDir))
	if err != nil {
		return nil // there are none
	}
	for _, d := range list {
		// Of another name the directory is another.
		if name := d.Name(); d.IsDir() && len(out) < maxAgents && strata.ValidateName("agent", name) == nil && fileName(name) == name {
			out = append(out, name)
		}
	}
	return out
}

// Locate returns the real path of the file of a document, which links lead to; not_found
// where there is none.
func (t *Tree) Locate(scope strata.Scope, doc string) (string, error) {
	const op = "find file"
	if err := files.CheckPath(scope, doc); err != nil {
		return "", err
	}
	dir, name := "", doc
	if doc == files.ProjectFile {
		dir, name = t.layout.project(scope.Workspace), path.Base(doc)
	} else {
		p, err := t.place(op, scope)
		if err != nil {
			return "", err
		}
		dir = p.full()
	}
	real, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(name)))
	if dir == "" || err != nil {
		return "", strata.NotFound(op, "file", doc)
	}
	return real, nil
}
