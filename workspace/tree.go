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

// Tree stores the documents of scopes as files of mode 0600 in directories of mode 0700:
//
//	<home>/global/
//	<home>/agents/<agent>/
//	<workspace>/.strata/                   if that directory exists,
//	<home>/workspaces/<id>/                otherwise
//
// An agent in a workspace has agents/<agent>/ below one of the last two. Each of these
// four is a root directory. Writers to one root take turns, across processes too. Links
// are refused, wherever they lead, except those that [Tree.AllowLinks] allows. So is
// anything else that is not a regular file.
//
// People edit the files without a lock. An edit is lost if it falls into the few
// microseconds between the check and the replacement of a file in Write or Remove.
type Tree struct {
	layout *layout
	now    func() time.Time
	// shortQuiet and quiet are how long a watched scope must be quiet before it is
	// scanned.
	shortQuiet, quiet time.Duration
	links             []string          // real paths of the directories to which links may lead
	waiting           func(what string) // called when a wait is long; may be nil

	mu sync.Mutex // guards the fields below
	// seen has the stats that the last scan of a scope found, and written the hashes that
	// this Tree has written since, by path. Watchers use them to detect changes.
	seen    map[strata.Scope]map[string]files.Stat
	written map[strata.Scope]map[string]string
	// placed has the workspaces whose directory is recorded in the home.
	placed map[string]string
	// onScan is called in tests when a watcher has scanned a scope.
	onScan func(scope strata.Scope, changed bool)
}

// NewTree returns the tree of a home. workspaces holds the directories of the available
// workspaces by id, whether or not they have a .strata; nil for none.
func NewTree(home string, workspaces map[string]string) *Tree {
	return &Tree{
		layout: newLayout(home, workspaces), now: time.Now, shortQuiet: quickTime, quiet: quietTime,
		seen:    make(map[strata.Scope]map[string]files.Stat),
		written: make(map[strata.Scope]map[string]string),
		placed:  make(map[string]string),
	}
}

// Attach sets the directory of a workspace whose id becomes known after the tree was
// made.
func (t *Tree) Attach(id, root string) { t.layout.attach(id, root) }

// Directory returns the directory of a scope. ok is false if the scope has none.
func (t *Tree) Directory(scope strata.Scope) (dir string, ok bool) {
	p, err := t.place("", scope)
	return p.full(), err == nil
}

// Root returns the root directory of a scope, which has a history of its own. An agent in
// a workspace shares the root directory of the workspace.
func (t *Tree) Root(scope strata.Scope) (dir string, ok bool) {
	p, err := t.place("", scope)
	return filepath.Join(p.base, filepath.FromSlash(p.root)), err == nil
}

const (
	// lockName and tempName have an ending that git ignores.
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
				Code: strata.CodeUnavailable, Op: op, Message: "the directory of the workspace " + scope.Workspace + " is not available; it was " + filepath.Join(root, markerDir),
				Hint: "go to where it is now, or run strata init where it was to create it again",
			}
		}
	}
	if p.base == "" {
		return place{}, &strata.Error{Code: strata.CodeUnavailable, Op: op, Message: "there is no home, so " + scope.Key() + " has no directory", Hint: "name one with --home"}
	}
	return p, nil
}

// rememberPlace records the directory of a workspace in the home. It ignores errors,
// because the record is only a convenience.
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

// opened is the open directory of a scope.
type opened struct {
	op    string
	scope strata.Scope
	place place
	// root is the root directory, and below the scope's directory relative to it.
	root  *os.Root
	below string
	// link is the name of the link that leads here, with which the paths of the documents
	// begin; empty for the scope's own directory.
	link string
}

func (o *opened) Close() error { return o.root.Close() }

// name returns a document's path relative to the root directory.
func (o *opened) name(doc string) string {
	if o.link != "" {
		doc = strings.TrimPrefix(strings.TrimPrefix(doc, o.link), "/")
	}
	return filepath.FromSlash(path.Join(o.below, doc))
}

// fail describes an error about a document, or about the directory itself if doc is
// empty.
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

// The names of the operations in errors.
const (
	opRead   = "read file"
	opWrite  = "write file"
	opRemove = "remove file"
	opScan   = "scan files"
	opWatch  = "watch files"
	opLock   = "lock files"
)

// open opens the directory of a scope. With create, it makes the root directory;
// otherwise the error is fs.ErrNotExist if there is none.
func (t *Tree) open(op string, scope strata.Scope, create bool) (*opened, error) {
	p, err := t.place(op, scope)
	if err != nil {
		return nil, err
	}
	t.rememberPlace(p)
	o := &opened{op: op, scope: scope, place: p, below: p.below()}
	base, err := os.OpenRoot(p.base)
	if err != nil {
		return nil, diskError(op, "the directory "+p.base+" is not available", err)
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

// checkDirs returns an error unless dir and its parents below root are directories and
// not links. The error is fs.ErrNotExist if one is missing.
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
			Hint: "move it away; a link may lead only to a directory that the setting links names"}
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

// openFor opens the directory that contains a document, which for the project's own file
// is the project directory, and returns the document's name in it.
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

// openProject opens the directory of a workspace's project. The error is fs.ErrNotExist
// if it is not available.
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

// InHome reports whether the files of a scope are in the home rather than in a project.
func (t *Tree) InHome(scope strata.Scope) bool {
	p, err := t.place("", scope)
	return err == nil && p.workspace == ""
}

// maxAgents is the most agents that [Tree.Agents] returns.
const maxAgents = 1000

// Agents returns the agents that have a directory in that of a workspace.
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
		// Under any other name, the directory does not belong to an agent of that name.
		if name := d.Name(); d.IsDir() && len(out) < maxAgents && strata.ValidateName("agent", name) == nil && fileName(name) == name {
			out = append(out, name)
		}
	}
	return out
}

// Locate returns the real path of a document's file, with links resolved; not_found if
// there is none.
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
