// Package projection lets files follow what was decided: it renders facts into
// daily logs, documents into their files, notes into the index, and learnings into
// theirs, and stamps the decisions that were rendered.
package projection

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Options are what a projector works with. All but Tree are needed.
type Options struct {
	Store  store.Store
	Tree   files.Tree // nil: there are no files, and nothing has to follow
	IDs    *id.Maker
	Models *embedding.Models
	// Work takes turns ([Projector.Turn]) in the background; nil: nothing does.
	Work   *worker.Worker
	Now    func() time.Time
	Logger *slog.Logger
	// Notice takes in what a person did to files that are about to be rendered.
	Notice func(context.Context, ...documents.Place) error
	// Origins tells which files may have come with a repository; nil: none.
	Origins files.Origins
	// Learn keeps a learning that a person wrote into a file.
	Learn func(context.Context, strata.Learning) error
	// Tell is called with a sentence that says files were not waited for; it may be nil.
	Tell func(string)
}

// Projector lets files follow what was decided. What it has to do stands in
// the store as decisions whose projections are outstanding; what it keeps
// itself only saves looking.
//
// One projector works on the files of a scope at a time, of all processes:
// it holds the lock of the scope while it reads what is outstanding, writes
// files and stamps. So a decision that is stamped is never rendered again over
// what came later. It is safe for concurrent use.
type Projector struct {
	o Options

	mu sync.Mutex // guards what follows
	// wanted are the scopes in which this engine decided something since their
	// files followed, with the parts of files that are to be rendered whatever
	// it was.
	wanted map[strata.Scope]markdown.Parts
	// busy says that something was decided since the background last asked.
	busy bool
	// asked says that something was decided here because somebody asked for it, and
	// not because a file was changed by hand: then the caller waits for files.
	asked bool
	// last is the key of the scope that a turn reached last, of those that other
	// engines left.
	last string
	// changed are the scopes of which files changed since their last commit.
	changed map[strata.Scope]bool
	// found are the scopes whose directories are the ones they were.
	found map[strata.Scope]bool
}

// New returns a projector.
func New(o Options) *Projector {
	return &Projector{
		o: o, wanted: make(map[strata.Scope]markdown.Parts),
		changed: make(map[strata.Scope]bool), found: make(map[strata.Scope]bool),
	}
}

// HasFiles reports whether there are files that follow.
func (p *Projector) HasFiles() bool { return p.o.Tree != nil }

// Want asks for parts of the files of a scope to be rendered.
func (p *Projector) Want(scope strata.Scope, what markdown.Parts) {
	if p.o.Tree == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted[scope] |= what
	p.o.Work.Wake()
}

// Decided asks for the files of what was decided just now.
func (p *Projector) Decided(decisions ...strata.Decision) {
	if p.o.Tree == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.o.Work.Wake()
	for _, d := range decisions {
		p.wanted[d.Scope] |= documents.DirtiedByHand(d)
		p.asked = p.asked || d.Origin != strata.OriginFile
		if d.Origin == strata.OriginFile && d.Op.Changed() {
			p.changed[d.Scope] = true
		}
		p.busy = true
	}
}

// take returns what was asked for and forgets it.
func (p *Projector) take() map[strata.Scope]markdown.Parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted
	p.wanted = make(map[strata.Scope]markdown.Parts)
	return out
}

// takeOne is take for one scope.
func (p *Projector) takeOne(scope strata.Scope) markdown.Parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted[scope]
	delete(p.wanted, scope)
	return out
}

// later keeps for another turn what was asked for and not reached in this one.
func (p *Projector) later(asked map[strata.Scope]markdown.Parts, left ...strata.Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range left {
		if what, ok := asked[s]; ok {
			p.wanted[s] |= what
		}
	}
}

// Wrote notes that files of scopes changed, or may have been changed by another
// process. Those that are not at hand are passed over.
func (p *Projector) Wrote(scopes ...strata.Scope) {
	for _, s := range scopes {
		if p.o.Tree == nil {
			return
		}
		if _, ok := p.o.Tree.Directory(s); !ok {
			continue
		}
		p.mu.Lock()
		p.changed[s] = true
		p.mu.Unlock()
	}
}

// TakeChanged returns the scopes whose files changed since it was called last,
// in the order of their keys.
func (p *Projector) TakeChanged() []strata.Scope {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := documents.ByKey(maps.Keys(p.changed))
	clear(p.changed)
	return out
}
