// Package projection updates files after decisions. It renders facts into daily logs,
// documents into their files, notes into the index, and learnings into theirs, and stamps
// the decisions that it has rendered.
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

// Options are what a [Projector] needs. All but Tree, Work, Origins and Tell are
// required.
type Options struct {
	Store  store.Store
	Tree   files.Tree // nil if there are no files
	IDs    *id.Maker
	Models *embedding.Models
	// Work runs [Projector.Turn] in the background; nil if nothing does.
	Work   *worker.Worker
	Now    func() time.Time
	Logger *slog.Logger
	// Notice records hand edits of files that are about to be rendered.
	Notice func(context.Context, ...documents.Place) error
	// Origins tells which files may have come with a repository; nil means none.
	Origins files.Origins
	// Learn keeps a learning that a person wrote into a file.
	Learn func(context.Context, strata.Learning) error
	// Tell is called with a sentence that says files were not waited for; it may be nil.
	Tell func(string)
}

// Projector updates files after decisions. The store holds what it has to do, as
// decisions whose projection is outstanding; its own state only saves lookups.
//
// Across all processes, one Projector at a time works on the files of a scope: it holds
// the scope's lock while it reads what is outstanding, writes files and stamps decisions.
// Thus a stamped decision is never rendered again over something later. A Projector is
// safe for concurrent use.
type Projector struct {
	o Options

	mu sync.Mutex // guards the following fields
	// wanted has the scopes with decisions of this engine since their files were last
	// updated, and the parts of files to render in any case.
	wanted map[strata.Scope]markdown.Parts
	// busy means that there were decisions since the last call of Rest.
	busy bool
	// asked means that there were decisions of this engine other than about hand edits.
	// The caller then waits for files.
	asked bool
	// last is the key of the last scope reached in a turn, among those with decisions of
	// other engines.
	last string
	// changed has the scopes whose files have changed since their last commit.
	changed map[strata.Scope]bool
	// found has the scopes whose directories were found in place.
	found map[strata.Scope]bool
}

// New returns a projector.
func New(o Options) *Projector {
	return &Projector{
		o: o, wanted: make(map[strata.Scope]markdown.Parts),
		changed: make(map[strata.Scope]bool), found: make(map[strata.Scope]bool),
	}
}

// HasFiles reports whether there are files to update.
func (p *Projector) HasFiles() bool { return p.o.Tree != nil }

// Want requests that parts of the files of a scope are rendered.
func (p *Projector) Want(scope strata.Scope, what markdown.Parts) {
	if p.o.Tree == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wanted[scope] |= what
	p.o.Work.Wake()
}

// Decided requests that files are updated after decisions just made.
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

// take returns and clears the requests.
func (p *Projector) take() map[strata.Scope]markdown.Parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted
	p.wanted = make(map[strata.Scope]markdown.Parts)
	return out
}

// takeOne returns and clears the request for one scope.
func (p *Projector) takeOne(scope strata.Scope) markdown.Parts {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.wanted[scope]
	delete(p.wanted, scope)
	return out
}

// later restores the requests for scopes that were not reached in a turn.
func (p *Projector) later(asked map[strata.Scope]markdown.Parts, left ...strata.Scope) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range left {
		if what, ok := asked[s]; ok {
			p.wanted[s] |= what
		}
	}
}

// Wrote records that files of scopes changed, or may have been changed by another
// process. Scopes without a directory are ignored.
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

// TakeChanged returns the scopes whose files have changed since the last call, sorted by
// key.
func (p *Projector) TakeChanged() []strata.Scope {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := documents.ByKey(maps.Keys(p.changed))
	clear(p.changed)
	return out
}
