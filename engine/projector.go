package engine

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
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
	// wanted are the scopes in which this engine decided something since their
	// files followed, with the parts of files that are to be rendered whatever
	// it was.
	wanted map[strata.Scope]parts
	// busy says that something was decided since the background last asked.
	busy bool
	// last is the key of the scope that a turn reached last, of those that other
	// engines left.
	last string
	// changed are the scopes of which files changed since their last commit.
	changed map[strata.Scope]bool
	// found are the scopes whose directories are the ones they were.
	found map[strata.Scope]bool
	// logs is the daily log of each scope that was written and stamped last.
	logs map[strata.Scope]leftLog
}

func newProjector(tree files.Tree) *projector {
	return &projector{
		tree: tree, wanted: make(map[strata.Scope]parts), changed: make(map[strata.Scope]bool),
		found: make(map[strata.Scope]bool), logs: make(map[strata.Scope]leftLog),
	}
}

// want asks for parts of the files of a scope.
func (p *projector) want(scope strata.Scope, what parts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted[scope] |= what
}

// decided is want for a scope in which something was decided just now.
func (p *projector) decided(scope strata.Scope, what parts) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted[scope] |= what
	p.busy = true
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
		e.projector.decided(d.Scope, handPart(d))
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
	before, after := d.Document.Before, d.Document.After
	if before != nil && after != nil && after.Kind == strata.DocumentNote &&
		before.Slug == after.Slug && entryOf(*before) == entryOf(*after) {
		return 0 // its line in the index is as it was
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
