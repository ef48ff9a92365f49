package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store/files"
)

const (
	// quickTime is how long a scope must be quiet after a file was written before it is
	// scanned: an editor writes in several steps, a few milliseconds apart.
	quickTime = 20 * time.Millisecond
	// quietTime is used instead if files were removed, which may come back at once, if
	// directories changed, or if so many files were written that more will follow, as in
	// a checkout.
	quietTime = 100 * time.Millisecond
	// fewWrites is the number of writes beyond which more are expected.
	fewWrites = 32
	// longestWait limits the wait for a directory that is never quiet.
	longestWait = 2 * time.Second
	// retryTime is how often a watch that could not be set up completely scans everything
	// and tries again.
	retryTime = 10 * time.Second
)

// Watch calls changed with a scope about 20 ms after one of its files was written, and
// about 100 ms after a file was removed or directories changed, until ctx ends. All calls
// come from one goroutine. Watch does not report what this Tree wrote itself, what
// another process wrote and a scan has seen, or files rewritten with the same bytes. It
// reports changes since the last scan of a scope at once.
func (t *Tree) Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error {
	w, err := t.watch(ctx, scopes, changed)
	if err == nil {
		go w.run(ctx)
	}
	return err
}

// watch sets up a watch.
func (t *Tree) watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) (*watch, error) {
	for _, s := range scopes {
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, describeWatch(err)
	}
	w := &watch{tree: t, notify: notify, scopes: slices.Clone(scopes), changed: changed, dirty: make(map[strata.Scope]int)}
	if err := w.arm(ctx); err != nil {
		return nil, errors.Join(describeWatch(err), notify.Close())
	}
	for _, s := range scopes {
		t.mu.Lock()
		_, scanned := t.seen[s]
		t.mu.Unlock()
		if scanned {
			w.dirty[s] = unsettled
			continue
		}
		// Files that exist now are not changes. A scope that cannot be read yet is
		// scanned when something happens.
		_, _ = t.Scan(ctx, s, nil)
	}
	return w, nil
}

// watch is one call of Watch.
type watch struct {
	tree    *Tree
	notify  *fsnotify.Watcher
	scopes  []strata.Scope
	changed func(strata.Scope)

	// of maps each watched directory to its roles for scopes.
	of map[string][]holder
	// dirty has the scopes to scan, with the number of writes to their files.
	dirty map[strata.Scope]int
	// rearm is set when directories were made or removed.
	rearm bool
}

// unsettled is a number of writes after which more are expected.
const unsettled = fewWrites + 1

// holder is the role of a directory for a scope: it holds the scope's documents or one of
// them. With neither, only what appears in it matters.
type holder struct {
	scope strata.Scope
	below string // the directory in document paths; empty if it holds none
	only  string // path of the only document in it; empty for all
}

// holds reports whether the file with this name in the directory is a document.
func (h holder) holds(name string) bool {
	doc := h.only
	if h.below != "" {
		doc = path.Join(h.below, name)
	}
	return doc != "" && path.Base(doc) == name && !strings.HasPrefix(name, ".") && files.CheckPath(h.scope, doc) == nil
}

func (w *watch) run(ctx context.Context) {
	defer w.notify.Close()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	var since time.Time // the first event not handled yet
	wait := func(d time.Duration) {
		if since.IsZero() {
			since = time.Now()
		}
		timer.Reset(max(0, min(d, time.Until(since.Add(longestWait)))))
	}
	if len(w.dirty) > 0 {
		wait(w.tree.quiet)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if w.note(e) {
				wait(w.pause())
			}
		case _, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			// Events may have been lost: anything may have changed.
			w.all()
			wait(w.tree.quiet)
		case <-timer.C:
			since = time.Time{}
			if !w.scan(ctx) {
				w.all()
				timer.Reset(retryTime)
			}
		}
	}
}

// all marks all scopes to be scanned.
func (w *watch) all() {
	w.rearm = true
	for _, s := range w.scopes {
		w.dirty[s] = unsettled
	}
}

// pause returns how long it must be quiet before the dirty scopes are scanned.
func (w *watch) pause() time.Duration {
	for _, writes := range w.dirty {
		if writes > fewWrites {
			return w.tree.quiet
		}
	}
	return w.tree.shortQuiet
}

// note records an event, and reports whether it matters.
func (w *watch) note(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	name := filepath.Base(e.Name)
	holders := w.of[filepath.Dir(e.Name)]
	if at, ok := w.of[e.Name]; ok && gone {
		return w.noteDirectory(append(slices.Clone(holders), at...)) // the directory is watched itself
	}
	markdown := strings.HasSuffix(name, ".md")
	if !markdown && isTransient(name) {
		return false
	}
	if e.Has(fsnotify.Create) { // may be a directory
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			return w.noteDirectory(holders)
		}
	}
	if !markdown {
		return false
	}
	matters := false
	for _, h := range holders {
		if h.holds(name) {
			matters = true
			if w.dirty[h.scope]++; gone {
				w.dirty[h.scope] = unsettled
			}
		}
	}
	return matters
}

// noteDirectory records that a directory was made or removed.
func (w *watch) noteDirectory(holders []holder) bool {
	w.rearm = true
	for _, h := range holders {
		w.dirty[h.scope] = unsettled
	}
	return len(holders) > 0
}

// isTransient reports whether programs use such a name for temporary files.
func isTransient(name string) bool {
	return strings.HasPrefix(name, ".") && name != markerDir || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".swp")
}

// scan scans the dirty scopes and reports changes. It returns false if some directory
// could not be watched.
func (w *watch) scan(ctx context.Context) (armed bool) {
	armed = true
	// Arm first: what happens in a new directory from now on is an event, and the scans
	// below find what happened before.
	if w.rearm {
		armed = w.arm(ctx) == nil
		w.rearm = false
	}
	for _, s := range w.scopes {
		if w.dirty[s] == 0 || ctx.Err() != nil {
			continue
		}
		delete(w.dirty, s)
		differs := w.tree.differs(ctx, s)
		if differs && ctx.Err() == nil {
			w.changed(s)
		}
		if w.tree.onScan != nil {
			w.tree.onScan(s, differs)
		}
	}
	return armed
}

// differs reports whether any file of a scope changed since the last scan,
// other than by this Tree.
func (t *Tree) differs(ctx context.Context, scope strata.Scope) bool {
	t.mu.Lock()
	seen := t.seen[scope]
	t.mu.Unlock()
	c, err := t.Scan(ctx, scope, seen)
	if err != nil {
		return true // the callback will see the error too
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	found := false
	for _, f := range c.Changed {
		found = t.foreign(scope, f.Path, f.Hash) || found
	}
	for _, doc := range c.Removed {
		found = t.foreign(scope, doc, strata.NoFile) || found
	}
	return found
}

// foreign reports whether somebody else made a change. It then forgets what this Tree
// wrote to the path before. The caller must hold t.mu.
func (t *Tree) foreign(scope strata.Scope, doc, hash string) bool {
	if t.written[scope][doc] == hash {
		return false
	}
	delete(t.written[scope], doc)
	return true
}

// arm watches the directories of the scopes as they are now.
func (w *watch) arm(ctx context.Context) error {
	w.of = make(map[string][]holder)
	for _, s := range w.scopes {
		for dir, h := range w.tree.directories(ctx, s) {
			w.of[dir] = append(w.of[dir], h...)
		}
	}
	watched := make(map[string]bool)
	for _, dir := range w.notify.WatchList() {
		watched[dir] = true
		if _, ok := w.of[dir]; !ok {
			if err := w.notify.Remove(dir); err != nil && !errors.Is(err, fsnotify.ErrNonExistentWatch) {
				return err
			}
		}
	}
	for dir := range w.of {
		if watched[dir] {
			continue
		}
		if err := w.notify.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// directories returns the directories whose events matter to a scope: its own and all
// below it, or the nearest existing parent; and the project directory, for the project's
// own file and for a new .strata.
func (t *Tree) directories(ctx context.Context, scope strata.Scope) map[string][]holder {
	dirs := make(map[string][]holder)
	add := func(dir string, h holder) {
		h.scope = scope
		dirs[dir] = append(dirs[dir], h)
	}
	if scope.Workspace != "" {
		if root := t.layout.project(scope.Workspace); root != "" {
			h := holder{}
			if scope.Kind == strata.ScopeWorkspace {
				h.only = files.ProjectFile
			}
			add(root, h)
		}
	}
	p, err := t.place(opWatch, scope)
	if err != nil {
		return dirs
	}
	o, err := t.open(opWatch, scope, false)
	if err == nil {
		defer o.Close()
		l := listing{left: make(map[string]string), follow: t.linked}
		defer l.close()
		if l.list(ctx, o) == nil && len(l.dirs) > 0 {
			for _, dir := range l.dirs {
				add(filepath.Join(p.full(), filepath.FromSlash(dir)), holder{below: dir})
			}
			return dirs
		}
	}
	for dir := path.Dir(p.dir); ; dir = path.Dir(dir) {
		full := filepath.Join(p.base, filepath.FromSlash(dir))
		if info, err := os.Lstat(full); err == nil && info.IsDir() {
			add(full, holder{})
			return dirs
		}
		if dir == "." {
			return dirs
		}
	}
}

// describeWatch explains why files cannot be watched.
func describeWatch(err error) error {
	e := &strata.Error{Code: strata.CodeUnavailable, Op: opWatch, Message: "the files cannot be watched", Err: cause(err),
		Hint: "memory takes in changes when it is opened, and by strata reindex"}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		e.Message, e.Hint = "the system's limit on watched directories is reached", "raise fs.inotify.max_user_watches with sysctl; until then "+e.Hint
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		e.Message, e.Hint = "the system's limit on watchers or open files is reached", "raise fs.inotify.max_user_instances with sysctl, or ulimit -n; until then "+e.Hint
	case errors.Is(err, errors.ErrUnsupported):
		e.Code = strata.CodeUnsupported
	}
	return e
}
