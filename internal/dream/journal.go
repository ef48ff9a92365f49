package dream

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// Journal reports what dreams did and which gates are closed. It is safe for concurrent
// use.
type Journal struct{ d *Dreamer }

// NewJournal returns the journal of a dreamer.
func NewJournal(d *Dreamer) *Journal { return &Journal{d} }

// State is the state of a scope between dreams.
type State struct {
	Scope      strata.Scope
	Last       *strata.Dream // nil if there was none
	Closed     *Gate         // gate that prevents a scheduled dream now; nil if none does
	Dreaming   bool          // whether a dream is running
	Promotions int           // number in MEMORY.md
}

// DreamStates returns the state of each scope of a view.
func (j *Journal) DreamStates(ctx context.Context, view strata.View) ([]State, error) {
	return store.ReadEach(ctx, j.d.o.Store, view, func(r store.Reader, s strata.Scope) ([]State, error) {
		out := State{Scope: s}
		var err error
		if out.Last, out.Closed, err = j.d.gates(ctx, r, s, strata.DreamScheduled, j.d.o.Now()); err != nil {
			return nil, err
		}
		if out.Dreaming, err = j.d.underWay(ctx, r, s); err != nil {
			return nil, err
		}
		list, err := r.Promotions(ctx, s, false)
		out.Promotions = len(list)
		return []State{out}, err
	})
}

// Dreams lists the newest dreams of each scope of a view, the newest first.
func (j *Journal) Dreams(ctx context.Context, view strata.View, limit int) ([]strata.Dream, error) {
	return store.ReadEach(ctx, j.d.o.Store, view, func(r store.Reader, s strata.Scope) ([]strata.Dream, error) {
		return r.Dreams(ctx, s, store.DreamFilter{Limit: limit})
	})
}

// DreamOf returns a dream of a view by its id.
func (j *Journal) DreamOf(ctx context.Context, view strata.View, dream string) (strata.Dream, error) {
	if err := view.Validate(); err != nil {
		return strata.Dream{}, err
	}
	return store.Read(ctx, j.d.o.Store, func(r store.Reader) (strata.Dream, error) { return r.Dream(ctx, view.Scopes, dream) })
}

// Questions lists the open questions of each scope of a view, the newest first.
func (j *Journal) Questions(ctx context.Context, view strata.View, limit int) ([]strata.Question, error) {
	return store.ReadEach(ctx, j.d.o.Store, view, func(r store.Reader, s strata.Scope) ([]strata.Question, error) {
		return r.Questions(ctx, s, false, limit)
	})
}

// Use describes how a scope is used.
type Use struct {
	Scope     strata.Scope
	Recalls   int              // hits shown to somebody who asked
	Tags      []store.TagCount // of current facts, the most frequent first
	LastDream *time.Time       // nil if there was none
}

// Use returns how each scope of a view was used in the window until now. tags is the
// maximum number of concept tags.
func (j *Journal) Use(ctx context.Context, view strata.View, window time.Duration, tags int) ([]Use, error) {
	since := j.d.o.Now().Add(-window)
	return store.ReadEach(ctx, j.d.o.Store, view, func(r store.Reader, s strata.Scope) ([]Use, error) {
		out := Use{Scope: s}
		asked, err := r.Recalls(ctx, s, since)
		if err != nil {
			return nil, err
		}
		out.Recalls = len(asked)
		if out.Tags, err = r.TagCounts(ctx, s, tags); err != nil {
			return nil, err
		}
		last, err := r.Dreams(ctx, s, store.DreamFilter{Limit: 1})
		if len(last) > 0 {
			out.LastDream = &last[0].StartedAt
		}
		return []Use{out}, err
	})
}
