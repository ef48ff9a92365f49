package documents

import (
	"context"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/store"
)

// forgottenFile is the problem recorded for a file that contains forgotten text.
const forgottenFile = "holds forgotten text, so it is not read"

// Complete adds the versions before and after to the decision about a draft. It leaves
// the decision outstanding if a file still has to follow it, which is not so for edits by
// hand.
func (t *Tx) Complete(ctx context.Context, p *Draft, d *strata.Decision) error {
	d.Document = &strata.DocumentChange{Path: p.Candidate.Path}
	if !d.Op.Changed() || d.Origin == strata.OriginFile {
		d.AppliedAt = &d.DecidedAt
	}
	if d.Op == strata.OpUpdate || d.Op == strata.OpDelete {
		d.Document.Before = p.before
	}
	if d.Op != strata.OpAdd && d.Op != strata.OpUpdate {
		return nil
	}
	after, err := t.next(ctx, p, d.DecidedAt)
	d.Document.After = &after
	return err
}

// next returns the version of a document that a draft results in.
func (t *Tx) next(ctx context.Context, p *Draft, now time.Time) (strata.Document, error) {
	c, d := p.Candidate, p.Document
	d.Scope, d.RecordedAt, d.ModifiedAt, d.Generation = c.Scope, now, now, 1
	var err error
	if d.Foreign, err = t.isForeign(ctx, p); err != nil {
		return d, err
	}
	if !p.Modified.IsZero() {
		d.ModifiedAt = p.Modified
	}
	if p.forgotten && !c.Origin.Explicit() {
		d.Content, d.Name, d.Description, d.Problem = "", "", "", forgottenFile
	}
	before := p.before
	if before == nil { // a deleted document's id is used again
		if before, err = deletedAt(ctx, t.reader, c.Scope, c.Path); err != nil {
			return d, err
		}
	}
	if before == nil {
		d.ID = t.ids.New(id.Document, now)
		return d, nil
	}
	d.ID, d.Generation = before.ID, before.Generation+1
	return d, nil
}

// Apply carries the decision about a draft out and records it.
func (t *Tx) Apply(ctx context.Context, w store.Writer, p *Draft, d *strata.Decision) error {
	if err := t.Complete(ctx, p, d); err != nil {
		return err
	}
	event := strata.Event{Kind: strata.EventWriteCommitted, Scope: d.Scope, Ref: d.ID, Detail: string(d.Op), At: d.DecidedAt}
	var err error
	switch d.Op {
	case strata.OpReject:
		event.Kind = strata.EventWriteRejected
	case strata.OpNoop:
		event.Kind = strata.EventWriteNoop
	case strata.OpDelete:
		err = t.remove(ctx, w, d.Scope, p.Candidate.Path)
		failpoint.Hit(failpoint.WriteRetired)
	default:
		if from := d.Document.RenamedFrom(); from != "" {
			if err := t.remove(ctx, w, d.Scope, from); err != nil {
				return err
			}
		}
		err = t.Record(ctx, w, *d.Document.After, p.Sections, p.Vectors)
	}
	if err != nil {
		return err
	}
	if DirtiedByHand(*d) != 0 {
		for _, path := range pathsOf(*d.Document) {
			if err := t.markDirty(ctx, w, d.Scope, path); err != nil {
				return err
			}
		}
	}
	if d.Op == strata.OpAdd {
		if err := t.noteShadowed(ctx, w, *d.Document.After); err != nil {
			return err
		}
	}
	p.Fresh = true
	if err := w.AppendDecision(ctx, *d); err != nil {
		return err
	}
	return w.AppendEvent(ctx, event)
}

// noteShadowed appends an event for each note in a shallower scope that a new note hides
// in views of both scopes.
func (t *Tx) noteShadowed(ctx context.Context, w store.Writer, d strata.Document) error {
	if d.Identity() == "" {
		return nil
	}
	scopes := strata.ViewOf(d.Scope.Workspace, d.Scope.Agent).Scopes
	for _, s := range scopes[slices.Index(scopes, d.Scope)+1:] {
		hidden, err := t.reader.Document(ctx, s, d.Path)
		if strata.CodeOf(err) == strata.CodeNotFound || err == nil && hidden.Identity() != d.Identity() {
			continue
		}
		if err != nil {
			return err
		}
		err = w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteShadowed, Scope: s, Ref: hidden.ID, Detail: "by " + d.Scope.Key(), At: w.Now()})
		if err != nil {
			return err
		}
	}
	return nil
}

// RecordQuietly records a change of a file that needs no decision, because only generated
// parts changed. The line numbers of its sections may have changed.
func (t *Tx) RecordQuietly(ctx context.Context, w store.Writer, p *Draft) error {
	if !p.Quiet {
		return nil
	}
	if p.Candidate.Action == strata.ActionDelete {
		return t.remove(ctx, w, p.Candidate.Scope, p.Candidate.Path)
	}
	d, err := t.next(ctx, p, w.Now())
	if err != nil {
		return err
	}
	if err := t.Record(ctx, w, d, p.Sections, p.Vectors); err != nil {
		return err
	}
	return t.markDirty(ctx, w, d.Scope, d.Path)
}
