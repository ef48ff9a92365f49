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
)

const (
	// quietTime is how long a directory must be quiet before it is looked at, so
	// that an editor's several steps, or a checkout of many files, count as one.
	quietTime = 100 * time.Millisecond
	// longestWait bounds that, for a directory that is never quiet.
	longestWait = 2 * time.Second
	// retryTime is how often a watch that could not be set up whole looks at
	// everything, and tries again.
	retryTime = 10 * time.Second
)

// Watch calls changed for a scope about 100 ms after its files changed, until
// the context ends, from one goroutine. What this Tree wrote itself is not
// reported, nor what another process wrote that a scan has seen, nor a file
// written again with the same bytes. What changed since the last scan of a
// scope is reported at once.
func (t *Tree) Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error {
	for _, s := range scopes {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return describeWatch(err)
	}
	w := &watch{tree: t, notify: notify, scopes: slices.Clone(scopes), changed: changed, dirty: make(map[strata.Scope]bool)}
	if err := w.arm(ctx); err != nil {
		return errors.Join(describeWatch(err), notify.Close())
	}
	for _, s := range scopes {
		t.mu.Lock()
		_, scanned := t.seen[s]
		t.mu.Unlock()
		if scanned {
			w.dirty[s] = true
			continue
		}
		// What is there now is no change. A scope that cannot be read yet will
		// be looked at when something happens.
		_, _ = t.Scan(ctx, s, nil)
	}
	go w.run(ctx)
	return nil
}

// watch is one call of Watch.
type watch struct {
	tree    *Tree
	notify  *fsnotify.Watcher
	scopes  []strata.Scope
	changed func(strata.Scope)

	// of are the scopes that a watched directory matters to.
	of map[string][]strata.Scope
	// dirty are the scopes to look at.
	dirty map[strata.Scope]bool
	// rearm says that directories came or went.
	rearm bool
}

func (w *watch) run(ctx context.Context) {
	defer w.notify.Close()
	timer := time.NewTimer(time.Hour)
	timer.Stop()
	var since time.Time // of the first event not looked at yet
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
				wait(w.tree.quiet)
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
			if !w.look(ctx) {
				w.all()
				timer.Reset(retryTime)
			}
		}
	}
}

// all marks everything to be looked at.
func (w *watch) all() {
	w.rearm = true
	for _, s := range w.scopes {
		w.dirty[s] = true
	}
}

// note takes an event in, and reports whether it matters.
func (w *watch) note(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	gone := e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename)
	dir, name := filepath.Dir(e.Name), filepath.Base(e.Name)
	scopes := w.of[dir]
	if at, ok := w.of[e.Name]; ok && gone { // a watched directory
		scopes = append(slices.Clone(scopes), at...)
		w.rearm = true
	} else if !strings.HasSuffix(name, ".md") {
		if strings.HasPrefix(name, ".") && name != markerDir || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".swp") {
			return false
		}
		// It may be a directory that came.
		if !e.Has(fsnotify.Create) {
			return false
		}
		info, err := os.Lstat(e.Name)
		if err != nil || !info.IsDir() {
			return false
		}
		w.rearm = true
	}
	for _, s := range scopes {
		w.dirty[s] = true
	}
	return len(scopes) > 0
}

// look compares what may have changed, and reports it. It returns false if
// something could not be watched.
func (w *watch) look(ctx context.Context) (armed bool) {
	armed = true
	// First the directories: what happens in a new one from now on is an event,
	// and what happened before is found below.
	if w.rearm {
		armed = w.arm(ctx) == nil
		w.rearm = false
	}
	for _, s := range w.scopes {
		if !w.dirty[s] || ctx.Err() != nil {
			continue
		}
		delete(w.dirty, s)
		differs := w.tree.differs(ctx, s)
		if differs && ctx.Err() == nil {
			w.changed(s)
		}
		if w.tree.looked != nil {
			w.tree.looked(s, differs)
		}
	}
	return armed
}

// differs reports whether a scope's files changed since they were last looked
// at, other than by this Tree.
func (t *Tree) differs(ctx context.Context, scope strata.Scope) bool {
	t.mu.Lock()
	seen := t.seen[scope]
	t.mu.Unlock()
	c, err := t.Scan(ctx, scope, seen)
	if err != nil {
		return true // whoever is called sees the error too
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

// foreign reports whether a change was made by somebody else. After that, what
// we wrote ourselves before is a change like any other. It needs t.mu.
func (t *Tree) foreign(scope strata.Scope, doc, hash string) bool {
	if t.written[scope][doc] == hash {
		return false
	}
	delete(t.written[scope], doc)
	return true
}

// arm watches the directories of the scopes as they are now.
func (w *watch) arm(ctx context.Context) error {
	w.of = make(map[string][]strata.Scope)
	for _, s := range w.scopes {
		for _, dir := range w.tree.directories(ctx, s) {
			w.of[dir] = append(w.of[dir], s)
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

// directories returns those whose events matter to a scope: its own with all
// below; where it does not exist yet, the nearest above it; and the project's,
// for the project's own file and for a .strata that comes.
func (t *Tree) directories(ctx context.Context, scope strata.Scope) []string {
	var dirs []string
	if scope.Workspace != "" {
		if root := t.layout.project(scope.Workspace); root != "" {
			dirs = append(dirs, root)
		}
	}
	p, err := t.place(opWatch, scope)
	if err != nil {
		return dirs
	}
	o, err := t.open(opWatch, scope, false)
	if err == nil {
		defer o.Close()
		l := listing{left: make(map[string]string)}
		if l.list(ctx, o) == nil && len(l.dirs) > 0 {
			for _, dir := range l.dirs {
				dirs = append(dirs, filepath.Join(p.full(), filepath.FromSlash(dir)))
			}
			return dirs
		}
	}
	for dir := path.Dir(p.dir); ; dir = path.Dir(dir) {
		full := filepath.Join(p.base, filepath.FromSlash(dir))
		if info, err := os.Lstat(full); err == nil && info.IsDir() {
			return append(dirs, full)
		}
		if dir == "." {
			return dirs
		}
	}
}

// describeWatch says why files cannot be watched.
func describeWatch(err error) error {
	e := &strata.Error{Code: strata.CodeUnavailable, Op: opWatch, Message: "the files cannot be watched", Err: cause(err),
		Hint: "changes are taken in when memory is opened, and by strata reindex"}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		e.Message, e.Hint = "the system's limit of watched directories is reached", "raise fs.inotify.max_user_watches with sysctl; until then "+e.Hint
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		e.Message, e.Hint = "the system's limit of watchers or of open files is reached", "raise fs.inotify.max_user_instances with sysctl, or ulimit -n; until then "+e.Hint
	case errors.Is(err, errors.ErrUnsupported):
		e.Code = strata.CodeUnsupported
	}
	return e
}
