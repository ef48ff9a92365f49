package workspace

import (
	"maps"
	"os"
	"path"
	"path/filepath"
	"sync"

	"github.com/strata-memory/strata"
)

// layout says where the directories of scopes are:
//
//	<home>/global/
//	<home>/agents/<agent>/
//	<workspace>/.strata/           where that directory exists,
//	<home>/workspaces/<id>/        and elsewhere
//
// with agents/<agent>/ below the last two for an agent in a workspace. The
// directory of a workspace is known because it was named, or because the home
// remembers where it was last (see [pointer]).
type layout struct {
	home string

	mu    sync.RWMutex
	roots map[string]string // directories of projects, by id of workspace
}

func newLayout(home string, workspaces map[string]string) *layout {
	l := &layout{home: home, roots: maps.Clone(workspaces)}
	if l.roots == nil {
		l.roots = make(map[string]string)
	}
	return l
}

// place is where a scope has its directory. The zero place is nowhere.
type place struct {
	// workspace is the id of the workspace in whose .strata it lies; empty for
	// one in the home.
	workspace string
	base      string // the home, or a .strata, out of which nothing leads
	root      string // below base: the directory with a lock and a history of its own
	dir       string // below base: the scope's directory
}

// full is the path of the scope's directory on disk.
func (p place) full() string { return filepath.Join(p.base, filepath.FromSlash(p.dir)) }

// below is the scope's directory as seen from the root directory.
func (p place) below() string {
	if p.dir == p.root {
		return "."
	}
	if p.root == "." {
		return p.dir
	}
	return p.dir[len(p.root)+1:]
}

// find returns the place of a valid scope.
func (l *layout) find(scope strata.Scope) place {
	p := l.inHome(scope)
	if scope.Workspace == "" {
		return p
	}
	if dir := l.strataDir(scope.Workspace); dir != "" {
		p = place{workspace: scope.Workspace, base: dir, root: ".", dir: "."}
		if scope.Agent != "" {
			p.dir = path.Join("agents", fileName(scope.Agent))
		}
	}
	return p
}

// inHome returns the place that a valid scope has in the home, wherever its workspace is.
func (l *layout) inHome(scope strata.Scope) place {
	p := place{base: l.home, root: "global"}
	switch {
	case scope.Workspace != "":
		p.root = path.Join("workspaces", fileName(scope.Workspace))
		p.dir = p.root
		if scope.Agent != "" {
			p.dir = path.Join(p.root, "agents", fileName(scope.Agent))
		}
		return p
	case scope.Agent != "":
		p.root = path.Join("agents", fileName(scope.Agent))
	}
	p.dir = p.root
	return p
}

// attach sets the directory of a workspace.
func (l *layout) attach(id, root string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.roots[id] = root
}

// named returns the directory of a workspace that the caller named.
func (l *layout) named(id string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.roots[id]
}

// project returns the directory of a workspace's project; empty if it is not
// at hand.
func (l *layout) project(id string) string {
	if root := l.named(id); root != "" {
		return root
	}
	if root := lastRoot(l.home, id); root != "" && hasStrata(root, id, true) {
		return root
	}
	return ""
}

// strataDir returns the .strata of a workspace that is available; empty if there
// is none.
func (l *layout) strataDir(id string) string {
	if root := l.named(id); root != "" && hasStrata(root, id, false) {
		return filepath.Join(root, markerDir)
	}
	if root := lastRoot(l.home, id); root != "" && hasStrata(root, id, true) {
		return filepath.Join(root, markerDir)
	}
	return mainStrata(l.named(id), id)
}

// mainStrata returns the .strata of a workspace in the main worktree of the repository
// of which root is another, where the home does not know yet that it was moved; empty
// if there is none.
func mainStrata(root, id string) string {
	if root == "" {
		return ""
	}
	main := mainOf(root)
	if main == root || !hasStrata(main, id, true) {
		return ""
	}
	return filepath.Join(main, markerDir)
}

// missing returns where a workspace was last, if it has a .strata that is not
// there any more. Then its files are not available, and those that the home may
// hold are not its files.
func (l *layout) missing(scope strata.Scope) (root string, lost bool) {
	if scope.Workspace == "" || l.strataDir(scope.Workspace) != "" {
		return "", false
	}
	p, err := readPointer(l.home, scope.Workspace)
	return p.Root, p.Root != "" || err != nil
}

// markerDir is the directory of a workspace's memory below its root.
const markerDir = ".strata"

// hasStrata reports whether root holds the memory of a workspace: a directory
// .strata. A link there is followed only if it leads to the memory of that
// workspace, as its marker says, so that what came with a project cannot lead
// elsewhere. With strict the marker must say so in any case.
func hasStrata(root, id string, strict bool) bool {
	info, err := os.Lstat(filepath.Join(root, markerDir))
	if err != nil || !info.IsDir() && info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	if info.IsDir() && !strict {
		return true
	}
	return owns(root, id)
}
