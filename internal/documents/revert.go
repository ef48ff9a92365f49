package documents

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text/textdiff"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Revertible returns an error if a decision about a document can never be reverted.
func Revertible(d strata.Decision) error {
	const op = "revert"
	before, after := d.Document.Before, d.Document.After
	switch {
	case strings.HasPrefix(d.Document.Path, strata.ProjectPrefix):
		return strata.Invalid(op, "memory reads files of the project itself but never writes them", "undo the change in the project")
	case before == nil && after == nil, blanked(before), blanked(after):
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "the text of decision " + d.ID + " was forgotten",
			Hint: "write the file again if you want it back"}
	case before != nil && len(before.Redacted) > 0:
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: op,
			Message: "the previous version held a secret, which memory did not keep (" + strings.Join(before.Redacted, ", ") + ")",
			Hint:    "restore the file by hand, or from its git history"}
	case before != nil && !IsWhole(*before):
		return &strata.Error{Code: strata.CodeForgotten, Op: op, Message: "a part of the previous version was forgotten",
			Hint: "write the file again if you want it back"}
	}
	return nil
}

// Reverted returns the content of a file after a change to it is reverted, given the
// document that is there now. It is the version before the change, merged with what
// people and rendering have changed since. Reverted returns false if both changed the
// same lines, if the file was created or deleted since, or if there was no version
// before.
func Reverted(change strata.DocumentChange, there *strata.Document) (string, bool) {
	before, after := change.Before, change.After
	switch {
	case before == nil:
		return "", false
	case HashOf(there) == HashOf(after):
		return before.Content, true
	case there == nil, after == nil, !IsWhole(*there), !IsWhole(*after):
		return "", false
	}
	// Generated parts stay as they are now; only what people wrote is reverted.
	was := markdown.WithGenerated(change.Path, after.Content, there.Content)
	content, ok := textdiff.Merge(was, there.Content, markdown.WithGenerated(change.Path, before.Content, there.Content))
	return content, ok && content != there.Content
}

// Revert reverts the change that the decision target made; see [Reverted]. v holds the
// vectors of the version that comes back, as far as they are available. Revert completes
// the decision d to do so, which the caller records.
func (t *Tx) Revert(ctx context.Context, w store.Writer, target strata.Decision, d *strata.Decision, v Vectors) error {
	change := target.Document
	there, err := standing(ctx, w, target)
	if err != nil {
		return err
	}
	here := change.Path // where the file is now
	if there != nil {
		here = there.Path
	}
	if there != nil && len(there.Redacted) > 0 {
		return &strata.Error{Code: strata.CodeRejectedSecret, Op: "revert",
			Message: here + " holds a secret, which memory does not keep (" + strings.Join(there.Redacted, ", ") + "): the text there now could not be brought back",
			Hint:    "remove the secret from the file by hand first"}
	}
	content, merged := Reverted(*change, there)
	if !merged && (change.Before != nil || HashOf(there) != HashOf(change.After)) {
		return &strata.Error{Code: strata.CodeConflict, Op: "revert", Message: change.Path + " changed since",
			Hint: "look at its later decisions and revert those first"}
	}
	d.Document = &strata.DocumentChange{Path: here, Before: there}
	if change.Before == nil {
		d.Op = strata.OpDelete
		return t.remove(ctx, w, target.Scope, here)
	}
	after := comingBack(*change, there, here, content, d.DecidedAt)
	if there == nil || after.Path != here {
		if err := t.checkFree(ctx, w, target.Scope, after.Path); err != nil {
			return err
		}
	}
	d.Op = strata.OpUpdate
	if there == nil {
		d.Op = strata.OpAdd
	}
	d.Document.Path, d.Document.After = after.Path, &after
	if after.Path != here {
		if err := t.remove(ctx, w, target.Scope, here); err != nil {
			return err
		}
	}
	return t.Record(ctx, w, after, markdown.Sections(after.Path, content), v)
}

// comingBack returns the version of a document that results from reverting a change: the
// version before with the given content, as the next version of the document that is
// there now, if any. Its path is here, unless the change was a rename.
func comingBack(change strata.DocumentChange, there *strata.Document, here, content string, now time.Time) strata.Document {
	next := *change.Before
	next.Path = cmp.Or(change.RenamedFrom(), here)
	if content != next.Content { // the result of a merge, which contains nothing redacted
		next.Content, next.Hash, next.Size = content, files.Hash([]byte(content)), int64(len(content))
	}
	if there != nil {
		next.ID, next.Generation = there.ID, there.Generation
	}
	next.Generation++
	next.RecordedAt, next.ModifiedAt = now, now
	markdown.Describe(&next)
	return next
}

// standing returns the current state of the document that a decision resulted in, even if
// a person has renamed it since. It returns nil if there is none.
func standing(ctx context.Context, r store.Reader, target strata.Decision) (*strata.Document, error) {
	there, err := At(ctx, r, target.Scope, target.Document.Path)
	after := target.Document.After
	if err != nil || after == nil || there != nil && there.ID == after.ID {
		return there, err
	}
	d, err := r.DocumentByID(ctx, []strata.Scope{target.Scope}, after.ID)
	switch strata.CodeOf(err) {
	case "":
		return &d, nil
	case strata.CodeNotFound:
		return there, nil
	}
	return nil, err
}

// checkFree returns an error if another document is at a path, or at one that a file
// system may treat as the same.
func (t *Tx) checkFree(ctx context.Context, r store.Reader, scope strata.Scope, path string) error {
	there, err := At(ctx, r, scope, path)
	other := path
	if err == nil && there == nil {
		other, err = t.alike(ctx, scope, path)
	}
	if err != nil || other == "" {
		return err
	}
	return &strata.Error{Code: strata.CodeConflict, Op: "revert",
		Message: path + " cannot come back: there is " + other, Hint: "rename the other one first"}
}

// Move returns the other half of a move, if a decision is half of one that was not
// reverted. In a move, a note is deleted in one place and written in another in the same
// transaction: with the same text, or from a proposal into the note that it changes, or
// from a note into the skill made of it.
func Move(ctx context.Context, r store.Reader, view strata.View, d strata.Decision) ([]strata.Decision, error) {
	if d.Document == nil || d.Document.Before == nil && d.Document.After == nil {
		return nil, nil
	}
	skill, err := skillOrNote(ctx, r, d)
	if err != nil {
		return nil, err
	}
	note, err := noteOrProposal(ctx, r, view, d)
	if err != nil {
		return nil, err
	}
	paths := append(note, skill...)
	for _, scope := range view.Scopes {
		for _, path := range paths {
			list, err := r.Decisions(ctx, scope, strata.DecisionFilter{Path: path, Since: d.DecidedAt})
			if err != nil {
				return nil, err
			}
			for _, other := range list {
				if other.ID != d.ID && other.RevertedBy == "" && other.DecidedAt.Equal(d.DecidedAt) && (moved(d, other) || moved(other, d)) {
					return []strata.Decision{other}, nil
				}
			}
		}
	}
	return nil, nil
}

// noteOrProposal returns the path that a decision is about and those of its counterparts:
// of the proposals to change a note, or of the notes that a proposal may be for.
func noteOrProposal(ctx context.Context, r store.Reader, view strata.View, d strata.Decision) ([]string, error) {
	paths := []string{d.Document.Path}
	if name, ok := strings.CutPrefix(d.Document.Path, strata.NotesDir); ok {
		paths = append(paths, strata.InboxDir+name)
		for _, v := range []*strata.Document{d.Document.Before, d.Document.After} {
			if v != nil { // a proposal is named after the title that the note had
				paths = append(paths, strata.InboxDir+strings.TrimPrefix(markdown.NotePath(v.Type, markdown.Slug(v.Name)), strata.NotesDir))
			}
		}
	} else if name, ok := strings.CutPrefix(d.Document.Path, strata.InboxDir); ok {
		paths = append(paths, strata.NotesDir+name)
		there, err := r.DocumentByID(ctx, view.Scopes, baseOf(d.Document.Before).ID)
		if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
			return nil, err
		}
		if err == nil {
			paths = append(paths, there.Path)
		}
	}
	return paths, nil
}

// skillOrNote returns the paths of the deleted notes of which a new skill was made, or
// those of the skills made of a deleted note.
func skillOrNote(ctx context.Context, r store.Reader, d strata.Decision) (paths []string, err error) {
	const most = 10_000
	before, after := d.Document.Before, d.Document.After
	switch {
	case after != nil && after.Kind == strata.DocumentSkill && d.Op == strata.OpAdd && baseOf(after).ID != "":
		deleted, err := r.Decisions(ctx, d.Scope, strata.DecisionFilter{Op: strata.OpDelete, Since: d.DecidedAt, Limit: most})
		if err != nil {
			return nil, err
		}
		for _, other := range deleted {
			if other.Document != nil && other.Document.Before != nil && other.Document.Before.ID == baseOf(after).ID {
				paths = append(paths, other.Document.Path)
			}
		}
	case before != nil && before.Kind == strata.DocumentNote && d.Op == strata.OpDelete:
		skills, err := r.Documents(ctx, d.Scope, strata.DocumentFilter{Kind: strata.DocumentSkill, Content: true, Limit: most})
		if err != nil {
			return nil, err
		}
		for _, s := range skills {
			if baseOf(&s).ID == before.ID {
				paths = append(paths, s.Path)
			}
		}
	}
	return paths, nil
}

// moved reports whether one decision deleted what the other wrote. The front matter may
// differ.
func moved(from, to strata.Decision) bool {
	gone, there := from.Document.Before, to.Document.After
	if from.Op != strata.OpDelete || to.Op == strata.OpDelete || gone == nil || there == nil || from.Reverts != "" || to.Reverts != "" {
		return false
	}
	if base := baseOf(gone); base.ID != "" && base.ID == there.ID {
		return true
	}
	if base := baseOf(there); there.Kind == strata.DocumentSkill && base == (markdown.Base{ID: gone.ID, Hash: gone.Hash}) {
		return true
	}
	a, errA := markdown.ParseNote(gone.Content)
	b, errB := markdown.ParseNote(there.Content)
	return gone.Hash == there.Hash || errA == nil && errB == nil && a.Body == b.Body && a.Name == b.Name
}

// baseOf returns what a proposal is for, or the note of which a skill was made. It
// returns the zero Base for other documents.
func baseOf(d *strata.Document) markdown.Base {
	if d == nil {
		return markdown.Base{}
	}
	n, _ := markdown.ParseNote(d.Content)
	return n.Base
}
