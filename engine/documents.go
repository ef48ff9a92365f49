package engine

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/recall"
	"github.com/strata-memory/strata/store"
)

// proposeDocument parses and scans a valid candidate about a document.
func proposeDocument(c strata.Candidate) (proposal, error) {
	d, err := documents.NewDraft(c)
	if err != nil {
		return proposal{}, err
	}
	return proposal{candidate: d.Candidate, owners: d.Owners, secrets: d.Secrets, notes: d.Notes, draft: d}, nil
}

// locateDocument finds the scope of a document to delete.
func (p *proposal) locateDocument(ctx context.Context, r store.Reader) error {
	err := p.draft.Locate(ctx, r)
	p.candidate.Scope = p.draft.Candidate.Scope
	return err
}

// noticeHandEdits records hand edits of the files that are about to be written.
func (e *Engine) noticeHandEdits(ctx context.Context, proposals []proposal) error {
	var places []DocumentPlace
	for _, p := range proposals {
		if p.draft == nil || p.candidate.Origin == strata.OriginFile {
			continue
		}
		for _, s := range p.owners {
			places = append(places, DocumentPlace{Scope: s, Path: p.candidate.Path})
			if from := p.candidate.RenamedFrom; from != "" {
				places = append(places, DocumentPlace{Scope: s, Path: from})
			}
		}
	}
	return e.NoticeEdits(ctx, places...)
}

// writeHandEdits turns hand edits into decisions. found has the state of each file.
func (e *Engine) writeHandEdits(ctx context.Context, cs []strata.Candidate, found []documents.Found) ([]strata.Decision, []*documents.Draft, error) {
	proposals, err := e.prepare(ctx, cs, found)
	if err != nil {
		return nil, nil, err
	}
	decisions, err := e.settle(ctx, proposals)
	drafts := make([]*documents.Draft, len(proposals))
	for i, p := range proposals {
		drafts[i] = p.draft
	}
	return decisions, drafts, err
}

// applyDocument carries out an outcome about a document and records the decision, within
// the transaction.
func (e *Engine) applyDocument(ctx context.Context, w store.Writer, seen *lookups, p *proposal, o decide.Outcome) (strata.Decision, error) {
	d := e.blankDecision(p, o, w.Now())
	err := seen.docs.Apply(ctx, w, p.draft, &d)
	return d, err
}

// revertDocument undoes a decision about a document, after recording hand edits of the
// file.
func (e *Engine) revertDocument(ctx context.Context, view strata.View, target strata.Decision, o RevertOptions) (strata.Decision, error) {
	if err := e.NoticeEdits(ctx, DocumentPlace{Scope: target.Scope, Path: target.Document.Path}); err != nil {
		return strata.Decision{}, err
	}
	var vectors documents.Vectors // of the version that is restored
	if d := target.Document.Before; d != nil {
		vectors = e.embedSections(ctx, *d, markdown.Sections(d.Path, d.Content))
		if ctx.Err() != nil {
			return strata.Decision{}, ctx.Err()
		}
	}
	d, err := e.undo(ctx, view, target.ID, o, func(w store.Writer, target strata.Decision, d *strata.Decision) error {
		return newLookups(e, w).docs.Revert(ctx, w, target, d, vectors)
	})
	if err == nil && !o.DryRun {
		e.embeds.Wake()
	}
	return d, err
}

// embedSections returns the vectors of a few sections. If there are many, they wait in
// the queue.
func (e *Engine) embedSections(ctx context.Context, d strata.Document, sections []strata.Section) documents.Vectors {
	if len(sections) > embedAtOnce {
		return nil
	}
	texts := make([]string, len(sections))
	for i, s := range sections {
		texts[i] = recall.SectionText(d, s)
	}
	sets, _ := e.models.ForWrite(ctx, texts)
	vectors := make(documents.Vectors, len(texts))
	for i, text := range texts {
		vectors[text] = sets[i]
	}
	return vectors
}

// forgetDocument forgets a document or a learning in the database, and appends a decision
// by which its file is updated.
func (e *Engine) forgetDocument(ctx context.Context, view strata.View, name string, o ForgetOptions) (res ForgetResult, err error) {
	found, err := store.Read(ctx, e.store, func(r store.Reader) (strata.Document, error) {
		return documents.ToForget(ctx, r, view, name)
	})
	if err != nil {
		return res, err
	}
	if !o.DryRun && found.Path != "" {
		// Hand edits are forgotten with the document. If they conflict, forget what
		// memory has of it.
		if err := e.NoticeEdits(ctx, DocumentPlace{Scope: found.Scope, Path: found.Path}); err != nil && strata.CodeOf(err) != strata.CodeConflict {
			return res, err
		}
	}
	err = e.store.Update(ctx, func(w store.Writer) (err error) {
		res, err = e.forgetFound(ctx, w, found, o)
		return err
	})
	return res, err
}

// forgetFound forgets a document that was found, within the transaction.
func (e *Engine) forgetFound(ctx context.Context, w store.Writer, d strata.Document, o ForgetOptions) (res ForgetResult, err error) {
	gone, err := documents.Forget(ctx, w, d, o.Within...)
	if err != nil {
		return res, err
	}
	res.texts, res.Forgotten = gone.Texts, gone.Forgotten
	if err := e.indexShortened(ctx, w, res.Shortened); err != nil {
		return res, err
	}
	res.Decision = forget.Decision(e.ids.New(id.Decision, w.Now()), d.Scope, o.Origin, said(o.Reason), w.Now())
	if res.Decision.Document = gone.Change; gone.Change == nil {
		res.Decision.FactID = d.ID // of a learning
	}
	if gone.Settled || !e.followed() {
		res.Decision.AppliedAt = &res.Decision.DecidedAt
	}
	return res, recordForget(ctx, w, res.Decision, d.ID, o)
}
