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
//	<workspace>/.strata/           if that directory exists,
//	<home>/workspaces/<id>/        otherwise
//
// An agent in a workspace has agents/<agent>/ below one of the last two. The caller names
// the directory of a workspace, or the home remembers where it was last (see [pointer]).
type layout struct {
	home string

	mu    sync.RWMutex
	roots map[string]string // directories of projects, by workspace id
}

func newLayout(home string, workspaces map[string]string) *layout {
	l := &layout{home: home, roots: maps.Clone(workspaces)}
	if l.roots == nil {
		l.roots = make(map[string]string)
	}
	return l
}

// place is the location of a scope's directory. The zero value is nowhere.
type place struct {
	// workspace is the id of the workspace whose .strata contains it; empty if it is in
	// the home.
	workspace string
	base      string // the home or a .strata; nothing leads out of it
	root      string // below base: the directory with its own lock and history
	dir       string // below base: the scope's directory
}

// full returns the path of the scope's directory on disk.
func (p place) full() string { return filepath.Join(p.base, filepath.FromSlash(p.dir)) }

// below returns the scope's directory relative to the root directory.
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

// inHome returns the place that a valid scope has in the home, even if its workspace has
// a .strata.
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

// named returns the directory of a workspace that the caller has set.
func (l *layout) named(id string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.roots[id]
}

// project returns the directory of a workspace's project; empty if it is not available.
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
// that has root as a worktree, in case the home does not know yet that it moved there;
// empty if there is none.
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

// missing returns the last place of a workspace whose .strata is no longer there. Its
// files are then unavailable, and files that the home may hold are not its files.
func (l *layout) missing(scope strata.Scope) (root string, lost bool) {
	if scope.Workspace == "" || l.strataDir(scope.Workspace) != "" {
		return "", false
	}
	p, err := readPointer(l.home, scope.Workspace)
	return p.Root, p.Root != "" || err != nil
}

// markerDir is the directory of a workspace's memory below its root.
const markerDir = ".strata"

// hasStrata reports whether root holds the memory of a workspace: a directory .strata. A
// link is accepted only if it leads to a .strata whose marker has the id, so that a link
// that came with a project cannot lead elsewhere. With strict, the marker must have the
// id in any case.
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
