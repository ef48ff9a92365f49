package edit

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
)

// Choices between a note and a proposal that cannot be merged with it.
const (
	TakeNote     = "note"     // the note stays as it is
	TakeProposal = "proposal" // replace the note with the proposal
)

// AcceptOptions say how a proposal is accepted. The zero value merges it.
type AcceptOptions struct {
	PromoteOptions
	Take string // [TakeNote] or [TakeProposal] if the two cannot be merged; empty means to fail
}

// Accepted is the result of accepting a proposal.
type Accepted struct {
	// Decisions holds the decision about the note, if it changed, and that about the
	// proposal.
	Decisions []strata.Decision
	// Before and After are the content of the note; Before is empty for a new note.
	Before, After string
}

// Accept turns a proposal into a note, in the same or another scope. If the proposal
// changes an existing note, its changes are merged with what has changed in the note
// since. If both changed the same part, Accept changes nothing and returns
// [strata.CodeConflict] with the differences, unless o.Take chooses one. Reverting an
// acceptance restores both.
func (e *Editor) Accept(ctx context.Context, from, to strata.Scope, name string, o AcceptOptions) (Accepted, error) {
	const op = "accept note"
	if o.Take != "" && o.Take != TakeNote && o.Take != TakeProposal {
		return Accepted{}, strata.Invalid(op, "there is no version "+text.Clip(o.Take, 40), "take the note or the proposal")
	}
	p, err := e.o.Library.Proposal(ctx, from.View(), name)
	if err == nil {
		err = e.o.Intake.NoticeEdits(ctx, documents.Place{Scope: from, Path: p.Path})
	}
	if err == nil {
		p, err = e.o.Library.Proposal(ctx, from.View(), p.ID)
	}
	if err != nil {
		return Accepted{}, err
	}
	proposed, _ := markdown.ParseNote(p.Content) // the write reports what is wrong with it
	note, err := e.changedBy(ctx, p, proposed, to)
	if err != nil {
		return Accepted{}, err
	}
	remove := strata.Candidate{Scope: from, Path: p.Path, Action: strata.ActionDelete, BaseHash: p.Hash, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason}
	if note == nil {
		return e.acceptNew(ctx, p, to, remove, proposed.Base.ID != "" && from == to, o)
	}
	if len(note.Redacted) > 0 {
		return Accepted{}, losesSecret(op, note.Path)
	}
	content, err := e.mergedWith(ctx, *note, p, proposed, o.Take)
	if err != nil {
		return Accepted{}, err
	}
	out := Accepted{Before: note.Content, After: content}
	if content == note.Content {
		out.Decisions, err = e.drop(ctx, remove, o.DryRun)
		return out, err
	}
	out.Decisions, err = e.replace(ctx, []strata.Candidate{
		{Scope: to, Path: note.Path, Content: content, BaseHash: note.Hash, Foreign: p.Foreign || note.Foreign, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason}, remove,
	}, o.DryRun)
	return out, err
}

// acceptNew turns a proposal into a new note. If gone is true, the proposal was to change
// a note that no longer exists, and o.Take must choose what to do.
func (e *Editor) acceptNew(ctx context.Context, p strata.Document, to strata.Scope, remove strata.Candidate, gone bool, o AcceptOptions) (Accepted, error) {
	switch {
	case gone && o.Take == TakeNote:
		decisions, err := e.drop(ctx, remove, o.DryRun)
		return Accepted{Decisions: decisions}, err
	case gone && o.Take == "":
		return Accepted{}, &strata.Error{Code: strata.CodeConflict, Op: "accept note", Message: "the note that " + p.Path + " changes no longer exists",
			Hint: "take the proposal to make it a new note (--take proposal), or the note to leave it gone (--take note)"}
	}
	decisions, err := e.Promote(ctx, p.Scope, to, p.ID, o.PromoteOptions)
	return Accepted{Decisions: decisions, After: p.Content}, err
}

// drop deletes a proposal.
func (e *Editor) drop(ctx context.Context, remove strata.Candidate, dryRun bool) ([]strata.Decision, error) {
	if !dryRun {
		return e.o.Memory.WriteBatch(ctx, []strata.Candidate{remove})
	}
	d, err := e.o.Memory.Preview(ctx, remove)
	return []strata.Decision{d}, err
}

// changedBy returns the note of a scope that a proposal changes, after recording edits
// made by hand to its file. It is the note on which the proposal is based or else the one
// with the proposal's path or title. changedBy returns nil if there is none.
func (e *Editor) changedBy(ctx context.Context, p strata.Document, proposed markdown.Note, to strata.Scope) (*strata.Document, error) {
	find := func() (*strata.Document, error) {
		if id := proposed.Base.ID; id != "" {
			d, err := e.o.Library.Document(ctx, to.View(), id)
			if err == nil || strata.CodeOf(err) != strata.CodeNotFound {
				return &d, err
			}
		}
		path := strata.NotesDir + strings.TrimPrefix(p.Path, strata.InboxDir)
		d, err := e.documentNow(ctx, to, path)
		kind, _, ok := markdown.ParseNotePath(path)
		if err != nil || d != nil || !ok || proposed.Base.ID != "" {
			return d, err
		}
		if path, err = e.o.Library.PathOfTitle(ctx, to, kind, proposed.Name); err != nil || path == "" {
			return nil, err
		}
		return e.documentNow(ctx, to, path)
	}
	d, err := find()
	if err != nil || d == nil {
		return nil, err
	}
	if err := e.o.Intake.NoticeEdits(ctx, documents.Place{Scope: to, Path: d.Path}); err != nil {
		return nil, err
	}
	return find()
}
