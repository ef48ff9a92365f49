package projection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// All updates the files after all outstanding decisions.
func (p *Projector) All(ctx context.Context) error {
	return p.alone(ctx, func(ctx context.Context) error { return p.run(ctx, ctx, unbounded()) })
}

// alone calls render while nothing else in this process renders.
func (p *Projector) alone(ctx context.Context, render func(context.Context) error) error {
	if p.o.Tree == nil {
		return nil
	}
	return p.o.Work.DrainWith(ctx, render)
}

// Scopes updates the files of scopes before it returns.
func (p *Projector) Scopes(ctx context.Context, scopes ...strata.Scope) error {
	return p.alone(ctx, func(ctx context.Context) error {
		var errs []error
		for _, s := range scopes {
			what := p.takeOne(s)
			if err := p.scope(ctx, ctx, s, what, unbounded()); err != nil {
				p.later(map[strata.Scope]markdown.Parts{s: what}, s)
				errs = append(errs, fmt.Errorf("scope %s: %w", s, err))
			}
		}
		return joinFew(errs)
	})
}

// run updates the files of the scopes that have outstanding decisions or were requested,
// as far as the turn allows. An error in one scope does not stop the others. run waits
// for locks until the context locking is done.
func (p *Projector) run(ctx, locking context.Context, t *turn) error {
	asked := p.take()
	pending, err := store.Read(ctx, p.o.Store, func(r store.Reader) ([]strata.Scope, error) { return r.PendingScopes(ctx) })
	if err != nil {
		p.later(asked, slices.Collect(maps.Keys(asked))...)
		return err
	}
	var errs []error
	order := p.order(asked, pending, t.own)
	for i, s := range order {
		if t.spent() || ctx.Err() != nil {
			p.later(asked, order[i:]...)
			t.more = true
			break
		}
		what, own := asked[s]
		if !own {
			p.mu.Lock()
			p.last = s.Key() // the next turn continues after it
			p.mu.Unlock()
		}
		err := p.scope(ctx, locking, s, what, t)
		if err == nil {
			if own && !t.all {
				p.Want(s, 0) // there may be more
			}
			continue
		}
		if what != 0 || own && ctx.Err() != nil {
			p.Want(s, what)
		}
		// Only those who decided something in a scope are told.
		if code := strata.CodeOf(err); !t.own && (code == strata.CodeUnavailable || code == strata.CodeReadOnly) {
			p.o.Logger.Debug("files are outstanding", "scope", s.Key(), "error", err)
			continue
		}
		errs = append(errs, fmt.Errorf("scope %s: %w", s, err))
	}
	return cmp.Or(ctx.Err(), joinFew(errs))
}

// joinFew joins the first few errors and the number of the others. A home may have ten
// thousand scopes on one full disk.
func joinFew(errs []error) error {
	const few = 8
	if more := len(errs) - few; more > 0 {
		errs = append(errs[:few:few], fmt.Errorf("and %d more scopes", more))
	}
	return errors.Join(errs...)
}

// scope renders the outstanding decisions of a scope in order, and the given parts. What
// cannot be written now stays outstanding, and scope returns the first reason. What can
// never be written is set aside. In a bounded turn, scope stops after a batch and leaves
// the rest to the next turn.
func (p *Projector) scope(ctx, locking context.Context, scope strata.Scope, what markdown.Parts, t *turn) error {
	if _, ok := p.o.Tree.Directory(scope); !ok {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "render files", Message: "the directory of " + scope.Key() + " is not available",
			Hint: "run it inside that workspace"}
	}
	if err := p.stillThere(ctx, scope); err != nil {
		return err
	}
	release, err := p.o.Tree.Lock(locking, scope)
	if err != nil {
		return err
	}
	defer release()
	t.scopes--
	dreams, err := store.Read(ctx, p.o.Store, func(r store.Reader) ([]strata.Dream, error) {
		return r.Dreams(ctx, scope, store.DreamFilter{Outstanding: true, Limit: 1})
	})
	if err != nil {
		return err
	}
	if len(dreams) > 0 {
		what |= markdown.PartIndex | markdown.PartDreams
	}
	var first error
	for after := ""; ; what = 0 {
		pending, err := p.pending(ctx, scope, after, max(1, min(renderDecisions, t.decisions)))
		if err != nil {
			return err
		}
		if len(pending) == 0 && what == 0 {
			return first
		}
		r := newRendering(p, scope, pending, what)
		if err := r.run(ctx); err != nil {
			return err
		}
		if first == nil {
			first = r.waits
		}
		if len(pending) == 0 {
			return first
		}
		t.decisions -= len(pending)
		if t.stops(first != nil) {
			return first
		}
		after = pending[len(pending)-1].ID
	}
}

// stillThere returns an error if a scope's files are missing. Its directory may have been
// moved, or be on a disk that is not mounted. Files written to a new directory would make
// the others look deleted.
func (p *Projector) stillThere(ctx context.Context, scope strata.Scope) error {
	p.mu.Lock()
	found := p.found[scope]
	p.mu.Unlock()
	if found {
		return nil
	}
	var known []strata.Document
	err := p.o.Store.View(ctx, func(r store.Reader) error {
		var err error
		known, err = r.Documents(ctx, scope, strata.DocumentFilter{System: true, Limit: fewDocuments})
		for i := 0; err == nil && i < len(known) && !found; i++ {
			found, err = documents.IsPending(ctx, r, scope, known[i].Path) // a pending file need not exist
		}
		return err
	})
	if err != nil {
		return err
	}
	for i := 0; i < len(known) && !found; i++ {
		_, err := p.o.Tree.Read(ctx, scope, known[i].Path)
		found = strata.CodeOf(err) != strata.CodeNotFound
	}
	if !found && len(known) > 1 {
		return &strata.Error{Code: strata.CodeUnavailable, Op: "render files", Message: "the files of " + scope.Key() + " are gone",
			Hint: "put the directory back, or run strata recover in the project to write them again, or strata reindex to see which are there"}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found[scope] = true
	return nil
}

// fewDocuments is the number of files checked to recognize a directory.
const fewDocuments = 4

// Limits of one batch: decisions, and bytes of the documents and facts in them. Facts
// saved in one batch are rendered together.
const (
	renderDecisions = 1024
	renderBytes     = 512 << 10
	renderPage      = 128
)

// pending reads the outstanding decisions of a scope that follow the decision after. It
// returns about count of them, at most a page more.
func (p *Projector) pending(ctx context.Context, scope strata.Scope, after string, count int) ([]strata.Decision, error) {
	return store.Read(ctx, p.o.Store, func(r store.Reader) (out []strata.Decision, err error) {
		for size := 0; len(out) < count && size < renderBytes; {
			page, err := r.Decisions(ctx, scope, strata.DecisionFilter{Pending: true, After: after, Limit: renderPage})
			if err != nil {
				return nil, err
			}
			for _, d := range page {
				size += weight(d)
			}
			out = append(out, page...)
			if len(page) < renderPage {
				break
			}
			after = page[len(page)-1].ID
		}
		return out, nil
	})
}

// weight returns the approximate number of bytes of text in a decision.
func weight(d strata.Decision) int {
	n := 0
	if d.After != nil {
		n += len(d.After.Text)
	}
	if d.Document == nil {
		return n
	}
	for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
		if v != nil {
			n += len(v.Content)
		}
	}
	return n
}
