package engine

import (
	"context"
	"errors"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/recall"
	"github.com/strata-memory/strata/store"
)

// revertibleDocument reports whether a decision about a document can be undone
// at all.
func revertibleDocument(d strata.Decision) error {
	const op = "revert"
	before, after := d.Document.Before, d.Document.After
	switch {
	case strings.HasPrefix(d.Document.Path, strata.ProjectPrefix):
		return strata.Invalid(op, "files of the project itself are read and never written", "undo the change in the project")
	case before == nil && after == nil, blanked(before), blanked(after):
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "the text of decision " + d.ID + " was forgotten",
			Hint: "write the file again if it is wanted"}
	case before != nil && len(before.Redacted) > 0:
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: op,
			Message: "the version before held a secret, which memory did not keep (" + strings.Join(before.Redacted, ", ") + ")",
			Hint:    "restore the file by hand, or from its git history"}
	case before != nil && !isWhole(*before):
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "a part of the version before was forgotten",
			Hint: "write the file again if it is wanted"}
	}
	return nil
}

// revertDocument undoes a decision about a document. What stands in the file by
// hand is taken in first.
func (e *Engine) revertDocument(ctx context.Context, view strata.View, target strata.Decision, o RevertOptions) (strata.Decision, error) {
	if err := e.noticeHandEdit(ctx, place{target.Scope, target.Document.Path}); err != nil {
		return strata.Decision{}, err
	}
	back, err := e.restored(ctx, target)
	if err != nil {
		return strata.Decision{}, err
	}
	d, err := e.undo(ctx, view, target.ID, o, func(w store.Writer, target strata.Decision) (strata.Decision, error) {
		return e.applyDocumentRevert(ctx, w, target, back, o)
	})
	if err != nil || o.DryRun {
		return d, err
	}
	if len(back.sections) > 0 {
		e.embeds.wake()
	}
	return d, nil
}

// restoredVersion is what a revert indexes of the version that comes back.
type restoredVersion struct {
	sections []strata.Section
	vectors  map[string]store.Vectors
}

// restored prepares the version that a revert brings back.
func (e *Engine) restored(ctx context.Context, target strata.Decision) (restoredVersion, error) {
	var back restoredVersion
	d := target.Document.Before
	if d == nil {
		return back, nil
	}
	back.sections = document.Sections(d.Path, d.Content)
	if len(back.sections) > embedAtOnce {
		return back, nil // they wait in the queue
	}
	texts := make([]string, len(back.sections))
	for i, s := range back.sections {
		texts[i] = recall.SectionText(*d, s)
	}
	sets, _ := e.models.ForWrite(ctx, texts)
	back.vectors = make(map[string]store.Vectors, len(texts))
	for i, text := range texts {
		back.vectors[text] = sets[i]
	}
	return back, ctx.Err()
}

// applyDocumentRevert brings back what a decision changed, if the file is still
// as the decision left it.
func (e *Engine) applyDocumentRevert(ctx context.Context, w store.Writer, target strata.Decision, back restoredVersion, o RevertOptions) (strata.Decision, error) {
	now := w.Now()
	d := e.revertDecision(target, o, now)
	change := target.Document
	there, err := documentAt(ctx, w, target.Scope, change.Path)
	if err != nil {
		return d, err
	}
	if hashOf(there) != hashOf(change.After) {
		return d, &strata.Error{Code: strata.CodeConflict, Op: "revert", Message: change.Path + " changed since",
			Hint: "look at its later decisions and revert those first"}
	}
	d.Document = &strata.DocumentChange{Path: change.Path, Before: there}
	shelf := newShelf(e, w)
	switch {
	case change.Before == nil:
		d.Op = strata.OpDelete
		err = w.RemoveDocument(ctx, target.Scope, change.Path)
	default:
		d.Op = strata.OpUpdate
		after := *change.Before
		if there == nil {
			d.Op = strata.OpAdd
			if other, err := shelf.alike(ctx, target.Scope, change.Path); err != nil || other != "" {
				return d, errors.Join(err, alikeError(change.Path, other))
			}
		} else {
			after.ID, after.Generation = there.ID, there.Generation
		}
		after.Generation++
		after.RecordedAt, after.ModifiedAt = now, now
		document.Describe(&after)
		d.Document.After = &after
		err = e.keepDocument(ctx, w, shelf, after, back.sections, back.vectors)
	}
	if err != nil {
		return d, err
	}
	if err := w.AppendDecision(ctx, d); err != nil {
		return d, err
	}
	if err := w.LinkRevert(ctx, target.Scope, target.ID, d.ID); err != nil {
		return d, err
	}
	return d, w.AppendEvent(ctx, strata.Event{Kind: strata.EventReverted, Scope: d.Scope, Ref: d.ID, Detail: target.ID, At: now})
}

// isWhole reports whether memory has a file to the byte: without a secret that
// was redacted and without a line that was forgotten.
func isWhole(d strata.Document) bool { return files.Hash([]byte(d.Content)) == d.Hash }

func alikeError(path, other string) error {
	if other == "" {
		return nil
	}
	return &strata.Error{Code: strata.CodeConflict, Op: "revert",
		Message: path + " differs from " + other + " in case or Unicode form alone", Hint: "rename the other one first"}
}
