package workspace

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
)

const (
	// quickTime is how long it must be quiet before a file that was written is
	// looked at: an editor writes in several steps, a few milliseconds apart.
	quickTime = 20 * time.Millisecond
	// quietTime is the same where files went, which may come back at once, where
	// directories changed, and where so many were written that more will follow,
	// as by a checkout.
	quietTime = 100 * time.Millisecond
	// fewFiles is how many files are looked at by name. For more, all are.
	fewFiles = 32
	// longestWait bounds that, for a directory that is never quiet.
	longestWait = 2 * time.Second
	// retryTime is how often a watch that could not be set up whole looks at
	// everything, and tries again.
	retryTime = 10 * time.Second
)

// Watch calls changed about 20 ms after a file of a scope was written, and 100 ms
// after one went or directories changed, until the context ends, from one
// goroutine. What this Tree wrote itself is not reported, nor what another
// process wrote that a scan has seen, nor a file written again with the same
// bytes. What changed since the last scan of a scope is reported at once.
func (t *Tree) Watch(ctx context.Context, scopes []strata.Scope, changed func(files.Changed)) error {
	w, err := t.watch(ctx, scopes, changed)
	if err == nil {
		go w.run(ctx)
	}
	return err
}

// watch sets a watch up.
func (t *Tree) watch(ctx context.Context, scopes []strata.Scope, changed func(files.Changed)) (*watch, error) {
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
	w := &watch{tree: t, notify: notify, scopes: slices.Clone(scopes), changed: changed, dirty: make(map[strata.Scope]*dirtySet)}
	if err := w.arm(ctx); err != nil {
		return nil, errors.Join(describeWatch(err), notify.Close())
	}
	for _, s := range scopes {
		t.mu.Lock()
		_, scanned := t.seen[s]
		t.mu.Unlock()
		if scanned {
			w.dirty[s] = &dirtySet{all: true}
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
	changed func(files.Changed)

	// of says what the watched directories are to scopes.
	of map[string][]holder
	// dirty are the scopes to look at.
	dirty map[strata.Scope]*dirtySet
	// rearm says that directories came or went.
	rearm bool
}

// holder is what a directory is to a scope: the place of the documents directly
// in it, or of one of them. With neither it matters for what comes below it.
type holder struct {
	scope strata.Scope
	below string // where its documents are, as in a document's path; empty for none
	only  string // the one document in it, by its path; empty for all
}

// document is the path of the document that a name in the directory has; empty
// for none.
func (h holder) document(name string) string {
	doc := h.only
	if h.below != "" {
		doc = path.Join(h.below, name)
	}
	if doc == "" || path.Base(doc) != name || strings.HasPrefix(name, ".") || files.CheckPath(h.scope, doc) != nil {
		return ""
	}
	return doc
}

// dirtySet is what may have changed in a scope.
type dirtySet struct {
	all bool // anything
	// paths are documents that were touched; true for one that was last seen
	// going.
	paths map[string]bool
}

// isSettled reports whether what happened is over soon: a few files were
// written, and none went.
func (d *dirtySet) isSettled() bool {
	if d.all || len(d.paths) > fewFiles {
		return false
	}
	for _, gone := range d.paths {
		if gone {
			return false
		}
	}
	return true
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
		w.dirty[s] = &dirtySet{all: true}
	}
}

// pause is how long it must be quiet before what is dirty is looked at.
func (w *watch) pause() time.Duration {
	for _, d := range w.dirty {
		if !d.isSettled() {
			return w.tree.quiet
		}
	}
	return w.tree.shortQuiet
}

// dirtySetOf is what may have changed in a scope, to add to.
func (w *watch) dirtySetOf(scope strata.Scope) *dirtySet {
	if w.dirty[scope] == nil {
		w.dirty[scope] = &dirtySet{paths: make(map[string]bool)}
	}
	return w.dirty[scope]
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
		if doc := h.document(name); doc != "" {
			matters = true
			if d := w.dirtySetOf(h.scope); !d.all {
				d.paths[doc] = gone
			}
		}
	}
	return matters
}

// noteDirectory records that a directory was made or removed.
func (w *watch) noteDirectory(holders []holder) bool {
	w.rearm = true
	for _, h := range holders {
		w.dirty[h.scope] = &dirtySet{all: true}
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
		d := w.dirty[s]
		if d == nil || ctx.Err() != nil {
			continue
		}
		delete(w.dirty, s)
		c, differs := w.tree.differs(ctx, s, d)
		if differs && ctx.Err() == nil {
			w.changed(c)
		}
		if w.tree.onScan != nil {
			w.tree.onScan(s, differs)
		}
	}
	return armed
}

// differs reports whether and where a scope's files changed since they were last
// looked at, other than by this Tree.
func (t *Tree) differs(ctx context.Context, scope strata.Scope, d *dirtySet) (c files.Changed, differs bool) {
	c.Scope = scope
	if !d.all && len(d.paths) <= fewFiles {
		var sure bool
		if c.Paths, sure = t.differing(ctx, scope, slices.Sorted(maps.Keys(d.paths))); sure {
			return c, len(c.Paths) > 0
		}
	}
	return c, t.anyDiffers(ctx, scope)
}

// differing returns those of some documents that differ from what was last seen
// of them. It is not sure if one of them is gone, or is no file: then more may
// have happened.
func (t *Tree) differing(ctx context.Context, scope strata.Scope, docs []string) (paths []string, sure bool) {
	var list []files.File
	for _, doc := range docs {
		f, err := t.Read(ctx, scope, doc)
		switch strata.CodeOf(err) {
		case "":
			list = append(list, f)
		case strata.CodeTooLarge, strata.CodeInvalid: // no document as it is
		default:
			return nil, false
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var seen map[string]files.Stat
	for _, f := range list {
		if t.seen[scope][f.Path].Hash == f.Hash {
			continue
		}
		if seen == nil { // a scan may be at the one before
			if seen = maps.Clone(t.seen[scope]); seen == nil {
				seen = make(map[string]files.Stat)
			}
		}
		seen[f.Path] = f.Stat
		if t.foreign(scope, f.Path, f.Hash) {
			paths = append(paths, f.Path)
		}
	}
	if seen != nil {
		t.seen[scope] = seen
	}
	return paths, true
}

// anyDiffers reports whether any file of a scope changed since the last scan,
// other than by this Tree.
func (t *Tree) anyDiffers(ctx context.Context, scope strata.Scope) bool {
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
		l := listing{left: make(map[string]string)}
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
