package documents

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/store"
)

// Revertible reports whether a decision about a document can be undone at all.
func Revertible(d strata.Decision) error {
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
	case before != nil && !IsWhole(*before):
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "a part of the version before was forgotten",
			Hint: "write the file again if it is wanted"}
	}
	return nil
}

// Revert brings back what a decision changed, if the file is still as the
// decision left it. sections and v are those of the version that comes back. It
// completes the decision d to do so, which the caller records.
func (t *Tx) Revert(ctx context.Context, w store.Writer, target strata.Decision, d *strata.Decision, sections []strata.Section, v Vectors) error {
	change := target.Document
	there, err := At(ctx, w, target.Scope, change.Path)
	if err != nil {
		return err
	}
	if HashOf(there) != HashOf(change.After) {
		return &strata.Error{Code: strata.CodeConflict, Op: "revert", Message: change.Path + " changed since",
			Hint: "look at its later decisions and revert those first"}
	}
	d.Document = &strata.DocumentChange{Path: change.Path, Before: there}
	if change.Before == nil {
		d.Op = strata.OpDelete
		return t.remove(ctx, w, target.Scope, change.Path)
	}
	d.Op = strata.OpUpdate
	after := *change.Before
	if there == nil {
		d.Op = strata.OpAdd
		other, err := t.alike(ctx, target.Scope, change.Path)
		if err != nil {
			return err
		}
		if other != "" {
			return &strata.Error{Code: strata.CodeConflict, Op: "revert",
				Message: change.Path + " differs from " + other + " in case or Unicode form alone", Hint: "rename the other one first"}
		}
	} else {
		after.ID, after.Generation = there.ID, there.Generation
	}
	after.Generation++
	after.RecordedAt, after.ModifiedAt = d.DecidedAt, d.DecidedAt
	document.Describe(&after)
	d.Document.After = &after
	return t.Record(ctx, w, after, sections, v)
}
