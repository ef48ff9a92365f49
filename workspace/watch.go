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
	// quickTime is how long it must be quiet before a file that was written is
	// looked at: an editor writes in several steps, a few milliseconds apart.
	quickTime = 20 * time.Millisecond
	// quietTime is the same where files went, which may come back at once, where
	// directories changed, and where so many were written that more will follow,
	// as by a checkout.
	quietTime = 100 * time.Millisecond
	// fewWrites is after how many more will follow.
	fewWrites = 32
	// longestWait bounds that, for a directory that is never quiet.
	longestWait = 2 * time.Second
	// retryTime is how often a watch that could not be set up whole looks at
	// everything, and tries again.
	retryTime = 10 * time.Second
)

// Watch calls changed with a scope about 20 ms after a file of it was written, and
// 100 ms after one went or directories changed, until the context ends, from one
// goroutine. What this Tree wrote itself is not reported, nor what another
// process wrote that a scan has seen, nor a file written again with the same
// bytes. What changed since the last scan of a scope is reported at once.
func (t *Tree) Watch(ctx context.Context, scopes []strata.Scope, changed func(strata.Scope)) error {
	w, err := t.watch(ctx, scopes, changed)
	if err == nil {
		go w.run(ctx)
	}
	return err
}

// watch sets a watch up.
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
		// What is there now is no change. A scope that cannot be read yet will
		// be looked at when something happens.
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

	// of says what the watched directories are to scopes.
	of map[string][]holder
	// dirty are the scopes to look at, each with how often its files were written.
	dirty map[strata.Scope]int
	// rearm says that directories came or went.
	rearm bool
}

// unsettled stands for more writes than a few: more is likely to follow.
const unsettled = fewWrites + 1

// holder is what a directory is to a scope: the place of its documents, or of one
// of them. With neither it matters for what comes below it.
type holder struct {
	scope strata.Scope
	below string // where its documents are, as in a document's path; empty for none
	only  string // the one document in it, by its path; empty for all
}

// holds reports whether the file of a name in the directory is a document.
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

// all marks everything to be looked at.
func (w *watch) all() {
	w.rearm = true
	for _, s := range w.scopes {
		w.dirty[s] = unsettled
	}
}

// pause is how long it must be quiet before what is dirty is looked at.
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
		return w.noteDirectory(append(slices.Clone(holders), at...)) // a watched one
	}
	markdown := strings.HasSuffix(name, ".md")
	if !markdown && isTransient(name) {
		return false
	}
	if e.Has(fsnotify.Create) { // maybe of a directory
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

// isTransient reports whether a name is that of a file which programs make while
// they work.
func isTransient(name string) bool {
	return strings.HasPrefix(name, ".") && name != markerDir || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".swp")
}

// scan compares what may have changed, and reports it. It returns false if
// something could not be watched.
func (w *watch) scan(ctx context.Context) (armed bool) {
	armed = true
	// First the directories: what happens in a new one from now on is an event,
	// and what happened before is found below.
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
		return true // the callback sees the error too
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

// directories returns those whose events matter to a scope: its own with all
// below; where it does not exist yet, the nearest above it; and the project's,
// for the project's own file and for a .strata that comes.
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
