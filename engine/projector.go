package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// parts are generated parts of the files of a scope.
type parts uint8

const (
	// partIndex is MEMORY.md: the index of notes and the block of what was
	// extracted.
	partIndex parts = 1 << iota
	// partLessons are the files of lessons.
	partLessons
)

const allParts = partIndex | partLessons

// projector lets files follow what was decided. What it has to do stands in
// the store as decisions whose projections are outstanding; what it keeps
// itself only saves looking.
//
// One projector works on the files of a scope at a time, of all processes:
// it holds the lock of the scope while it reads what is outstanding, writes
// files and stamps. So a decision that is stamped is never rendered again over
// what came later.
type projector struct {
	tree files.Tree

	mu sync.Mutex // guards what follows
	// wanted are the parts of files that are to be rendered whatever was
	// decided.
	wanted map[strata.Scope]parts
	// changed are the scopes of which files changed since their last commit.
	changed map[strata.Scope]bool
	// found are the scopes whose directories are the ones they were.
	found map[strata.Scope]bool
	// logs is the daily log of each scope that was written last.
	logs map[strata.Scope]logPlace
}

func newProjector(tree files.Tree) *projector {
	return &projector{
		tree: tree, wanted: make(map[strata.Scope]parts), changed: make(map[strata.Scope]bool),
		found: make(map[strata.Scope]bool), logs: make(map[strata.Scope]logPlace),
	}
}

// want asks for parts of the files of a scope.
func (p *projector) want(scope strata.Scope, what parts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted[scope] |= what
}

// take returns what was asked for and forgets it.
func (p *projector) take() map[strata.Scope]parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted
	p.wanted = make(map[strata.Scope]parts)
	return out
}

// takeOne is take for one scope.
func (p *projector) takeOne(scope strata.Scope) parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted[scope]
	delete(p.wanted, scope)
	return out
}

// wrote notes that files of a scope changed.
func (p *projector) wrote(scope strata.Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed[scope] = true
}

// takeChanged returns the scopes whose files changed since it was called last,
// in the order of their keys.
func (p *projector) takeChanged() []strata.Scope {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := byKey(maps.Keys(p.changed))
	clear(p.changed)
	return out
}

func byKey(scopes func(yield func(strata.Scope) bool)) []strata.Scope {
	return slices.SortedFunc(scopes, func(a, b strata.Scope) int { return cmp.Compare(a.Key(), b.Key()) })
}

// follow has files follow decisions in the background. It never blocks.
func (e *Engine) follow(decisions ...strata.Decision) {
	if e.projector == nil {
		return
	}
	for _, d := range decisions {
		if what := handPart(d); what != 0 {
			e.projector.want(d.Scope, what)
		}
		if d.Origin == strata.OriginFile && d.Op.Changed() {
			e.projector.wrote(d.Scope)
		}
	}
	e.projections.wake()
}

// handPart is the generated part that an edit by hand leaves untrue: the
// decision about it is stamped already, for the file is as it says.
func handPart(d strata.Decision) parts {
	if d.Document == nil || d.Origin != strata.OriginFile || !d.Op.Changed() {
		return 0
	}
	return partOf(d.Document.Path)
}

// render has generated parts of the files of a scope rendered anew in the
// background.
func (e *Engine) render(scope strata.Scope, what parts) {
	if e.projector == nil {
		return
	}
	e.projector.want(scope, what)
	e.projections.wake()
}

// followed reports whether files follow decisions about facts.
func (e *Engine) followed() bool { return e.projector != nil }

// lockAtOpen is how long Open waits for other processes that render files. What
// is left then, the background does.
const lockAtOpen = 2 * time.Second

// replay lets files follow what an earlier process left. What cannot be written
// now waits for a later try.
func (e *Engine) replay(ctx context.Context) error {
	bounded, cancel := context.WithTimeout(ctx, lockAtOpen)
	defer cancel()
	if err := e.project(ctx, bounded, false); err != nil && ctx.Err() == nil {
		e.opts.Logger.Warn("files do not follow yet", "error", err)
	}
	return ctx.Err()
}

// projectAll lets files follow everything that is outstanding.
func (e *Engine) projectAll(ctx context.Context) error { return e.project(ctx, ctx, false) }

// projectSome is projectAll in the background: a batch of each scope, so that
// the worker can rest before the next.
func (e *Engine) projectSome(ctx context.Context) error { return e.project(ctx, ctx, true) }

// project lets the files of every scope follow that has something outstanding,
// or was asked for. A scope that fails keeps no other from it. Locks are waited
// for as long as the second context lasts.
func (e *Engine) project(ctx, locking context.Context, some bool) error {
	if e.projector == nil {
		return nil
	}
	wanted := e.projector.take()
	var scopes []strata.Scope
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		scopes, err = r.PendingScopes(ctx)
		return err
	})
	errs := []error{err}
	for _, s := range scopes {
		wanted[s] |= 0
	}
	for _, s := range byKey(maps.Keys(wanted)) {
		err := e.projectScope(ctx, locking, s, wanted[s], some)
		if err == nil {
			continue
		}
		if wanted[s] != 0 {
			e.projector.want(s, wanted[s])
		}
		if code := strata.CodeOf(err); code == strata.CodeUnavailable || code == strata.CodeReadOnly {
			e.opts.Logger.Debug("files are outstanding", "scope", s.Key(), "error", err)
			continue
		}
		errs = append(errs, fmt.Errorf("scope %s: %w", s, err))
	}
	return errors.Join(errs...)
}

// projectNow lets the files of scopes follow before it returns.
func (e *Engine) projectNow(ctx context.Context, scopes ...strata.Scope) error {
	if e.projector == nil {
		return nil
	}
	return e.projections.drainWith(ctx, func(ctx context.Context) error {
		var errs []error
		for _, s := range scopes {
			what := e.projector.takeOne(s)
			if err := e.projectScope(ctx, ctx, s, what, false); err != nil {
				e.projector.want(s, what)
				errs = append(errs, fmt.Errorf("scope %s: %w", s, err))
			}
		}
		return errors.Join(errs...)
	})
}

// projectScope renders what is outstanding in a scope, in order, and the given
// parts. What cannot be written now stays outstanding, and the first reason is
// returned; what can never be written is set aside. With some it stops after a
// batch and wakes the background for the rest.
func (e *Engine) projectScope(ctx, locking context.Context, scope strata.Scope, what parts, some bool) error {
	if _, ok := e.projector.tree.Directory(scope); !ok {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "render files", Message: "the directory of " + scope.Key() + " is not at hand",
			Hint: "run it inside that workspace"}
	}
	if err := e.stillThere(ctx, scope); err != nil {
		return err
	}
	release, err := e.projector.tree.Lock(locking, scope)
	if err != nil {
		return err
	}
	defer release()
	var first error
	for after := ""; ; what = 0 {
		pending, err := e.pending(ctx, scope, after)
		if err != nil {
			return err
		}
		if len(pending) == 0 && what == 0 {
			return first
		}
		r := newRendering(e, scope, pending, what)
		if err := r.run(ctx); err != nil {
			return err
		}
		if first == nil {
			first = r.waits
		}
		if len(pending) == 0 {
			return first
		}
		if some && first == nil && len(pending) >= renderPage {
			e.projections.wake()
			return nil
		}
		after = pending[len(pending)-1].ID
	}
}

// stillThere refuses to begin a directory anew whose files are gone: it may have
// been moved, or lie on a disk that is not mounted, and what is written into a
// new one would make the rest of it look deleted.
func (e *Engine) stillThere(ctx context.Context, scope strata.Scope) error {
	if e.projector.met(scope) {
		return nil
	}
	var known []strata.Document
	err := e.store.View(ctx, func(r store.Reader) error {
		var err error
		known, err = r.Documents(ctx, scope, strata.DocumentFilter{System: true, Limit: fewDocuments})
		return err
	})
	if err != nil {
		return err
	}
	gone := 0
	for _, d := range known {
		pending, err := e.isOutstanding(ctx, scope, d.Path)
		if err != nil {
			return err
		}
		_, err = e.projector.tree.Read(ctx, scope, d.Path)
		if strata.CodeOf(err) != strata.CodeNotFound || pending {
			e.projector.meet(scope)
			return nil
		}
		gone++
	}
	if gone > 1 {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "render files", Message: "the files of " + scope.Key() + " are gone",
			Hint: "put the directory back; or run strata reindex, to look which files are there"}
	}
	e.projector.meet(scope)
	return nil
}

// fewDocuments is how many files are looked for to tell that a directory is the
// one it was.
const fewDocuments = 4

func (e *Engine) isOutstanding(ctx context.Context, scope strata.Scope, path string) (pending bool, err error) {
	err = e.store.View(ctx, func(r store.Reader) error {
		pending, err = isPending(ctx, r, scope, path)
		return err
	})
	return pending, err
}

// met reports whether the directory of a scope was found as it was before, and
// meet notes that it was.
func (p *projector) met(scope strata.Scope) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.found[scope]
}

func (p *projector) meet(scope strata.Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found[scope] = true
}

// Bounds of what is rendered at once: decisions, and bytes of the documents and
// facts they hold. A batch of saved facts is rendered in one piece.
const (
	renderDecisions = 1024
	renderBytes     = 512 << 10
	renderPage      = 128
)

// pending reads the outstanding decisions of a scope that follow one.
func (e *Engine) pending(ctx context.Context, scope strata.Scope, after string) ([]strata.Decision, error) {
	var out []strata.Decision
	err := e.store.View(ctx, func(r store.Reader) error {
		size := 0
		for len(out) < renderDecisions && size < renderBytes {
			page, err := r.Decisions(ctx, scope, strata.DecisionFilter{Pending: true, After: after, Limit: renderPage})
			if err != nil {
				return err
			}
			for _, d := range page {
				size += weight(d)
			}
			out = append(out, page...)
			if len(page) < renderPage {
				return nil
			}
			after = page[len(page)-1].ID
		}
		return nil
	})
	return out, err
}

// weight is about how many bytes of text a decision holds.
func weight(d strata.Decision) int {
	n := 0
	if d.After != nil {
		n += len(d.After.Text)
	}
	if d.Document != nil && d.Document.After != nil {
		n += len(d.Document.After.Content)
	}
	if d.Document != nil && d.Document.Before != nil {
		n += len(d.Document.Before.Content)
	}
	return n
}
