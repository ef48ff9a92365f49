package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/internal/sessions"
	"github.com/strata-memory/strata/store"
)

// ForgetOptions control Forget. The zero value forgets in all scopes and keeps the
// history of files.
type ForgetOptions struct {
	DryRun bool // return what would be forgotten, change nothing
	Origin strata.Origin
	// Reason is kept with the decision. It must not repeat the text.
	Reason string
	// PurgeHistory also rewrites the history of the files, so that no commit holds the
	// text. It works too for what was forgotten earlier without it: name that by its id,
	// or a document by the path or title it had.
	PurgeHistory bool
	// Within restricts changes and reports to these scopes; empty means all.
	Within []strata.Scope
}

// ForgetResult says what was forgotten and what remains.
type ForgetResult struct {
	Decision strata.Decision `json:"decision"`
	store.Forgotten
	// History says which commits hold the text and how many were rewritten.
	History ForgottenVersions `json:"history,omitzero"`
	// Derived are the results for the skills made from forgotten turns or holding the
	// text, and for the summaries that rested on it.
	Derived []ForgetResult `json:"derived,omitempty"`

	texts []string        // that must not remain anywhere
	told  *forget.Telling // how a fact was told; nil for anything else
	// sources are the ids of the turns a fact came from, or of the forgotten turns.
	sources []string

	// Failed is why files or their history could not be changed. Remaining names these,
	// and their text is not forgotten. Nil if all could be changed.
	Failed error `json:"-"`
	// Incomplete says why bytes of the text may still be in the database file; empty when
	// none are.
	Incomplete string `json:"incomplete,omitempty"`
}

// Forget deletes every trace of a fact for good: its versions, its text in decisions,
// traces, recall events, learnings, snapshots and saved session states, the turns it came
// from and those that repeat it (also in transcripts and archives), the skills made from
// these, its lines in rendered files, and the bytes in the database file. It cannot be
// undone. A keyed hash remains, so that automatic extraction does not bring the text
// back. What people wrote in files, including skills, stays: the result names those files
// and the commits in their history that hold the text.
//
// A document, named by its id or path, is forgotten with its file and with what quotes it
// elsewhere. A copy of the file that is put back is not read. A turn or session, named by
// its id, is forgotten with what quotes its turns. Facts that came from them stay and are
// named as remaining.
func (e *Engine) Forget(ctx context.Context, view strata.View, name string, o ForgetOptions) (ForgetResult, error) {
	var res ForgetResult
	if err := view.Validate(); err != nil {
		return res, err
	}
	// Recalls that are still to be recorded may repeat the text.
	if err := e.recorder.flush(ctx); err != nil {
		return res, err
	}
	archived, left, elsewhere, failed := e.forgetArchived(ctx, view, name, o)
	res, err := e.forgetStored(ctx, view, name, o)
	if errors.Is(err, errDryRun) {
		res.Decision.ID = ""
		res.addArchived(archived, append(left, elsewhere...), failed)
		return res, e.remains(ctx, &res, o)
	}
	if o.PurgeHistory && strata.CodeOf(err) == strata.CodeNotFound && e.checkpoints != nil {
		var wrong error // an earlier Forget does not know it either
		if res.Decision, res.History, res.Remaining, res.Failed, wrong = e.checkpoints.PurgeBefore(ctx, view, name, o.DryRun); wrong != nil || res.Decision.Op != "" {
			return res, wrong
		}
	}
	if err != nil {
		return ForgetResult{}, err
	}
	failpoint.Hit(failpoint.ForgetCommitted)
	e.embeds.Wake() // for turns of which a part is left
	// The session may have been archived meanwhile.
	since, left, failed := e.archiver.Forget(ctx, res.Decision.Scope, forget.Quoted(res.texts, res.told, res.Turns), false)
	res.addArchived(append(archived, since...), append(left, elsewhere...), failed)
	err = e.remains(ctx, &res, o)
	if err := e.store.Compact(ctx); err != nil {
		// The fact is gone; only freed bytes may still lie in the file.
		res.Incomplete = fmt.Sprintf("freed bytes are not overwritten yet (%s); run strata doctor when no other process reads", strata.CodeOf(err))
	}
	return res, err
}

// remains updates the data outside the database and notes what remains there; in a dry
// run, what would. Backups started meanwhile may hold older files.
func (e *Engine) remains(ctx context.Context, res *ForgetResult, o ForgetOptions) error {
	for i := range res.Derived {
		s := &res.Derived[i]
		e.forgetOutside(ctx, s, o)
		res.Remaining, res.Failed = append(res.Remaining, s.Remaining...), errors.Join(res.Failed, s.Failed)
	}
	e.forgetOutside(ctx, res, o)
	copies, err := store.Copies(e.store)
	res.Remaining = append(res.Remaining, copies...)
	return err
}

// forgetStored forgets a fact, a document, a turn or a session in the database.
func (e *Engine) forgetStored(ctx context.Context, view strata.View, name string, o ForgetOptions) (ForgetResult, error) {
	if documents.IsNamed(name) {
		return e.forgetDocument(ctx, view, name, o)
	}
	switch isSaid, err := e.IsSaid(ctx, view, name); {
	case err != nil:
		return ForgetResult{}, err
	case isSaid:
		return e.forgetSaid(ctx, view, name, o)
	}
	return e.forgetFact(ctx, view, name, o)
}

// forgetOutside removes what was forgotten in the database from files, their history and
// transcripts.
func (e *Engine) forgetOutside(ctx context.Context, res *ForgetResult, o ForgetOptions) {
	if !o.DryRun {
		e.projector.Decided(res.Decision)
	}
	e.forgetInFiles(ctx, res, o)
	if o.DryRun {
		return
	}
	transcripts, failed := e.transcripts.Rewrite(ctx, res.Decision.Scope, res.Forgotten)
	res.Remaining, res.Failed = append(res.Remaining, transcripts...), errors.Join(res.Failed, failed)
}

// forgetFact forgets a fact in the database.
func (e *Engine) forgetFact(ctx context.Context, view strata.View, fact string, o ForgetOptions) (res ForgetResult, err error) {
	learnt, err := e.LearntSkills(ctx, view.Scopes)
	if err != nil {
		return res, err
	}
	err = e.store.Update(ctx, func(w store.Writer) error {
		f, err := w.Fact(ctx, view.Scopes, fact)
		if err != nil {
			return err
		}
		if res.texts, err = documents.TextsOf(ctx, w, f.Scope, f.ID); err != nil {
			return err
		}
		summaries, err := e.summaries.RestingOn(ctx, w, view.Scopes, f.ID)
		if err != nil {
			return err
		}
		told, err := sessions.Telling(ctx, w, view, f)
		if err != nil {
			return err
		}
		res.texts, res.told, res.sources = append(res.texts, told.Sayings...), told, told.Sources
		if res.Forgotten, err = sessions.ForgetFact(ctx, w, view, f, told, o.Within...); err != nil {
			return err
		}
		if err := e.indexShortened(ctx, w, res.Shortened); err != nil {
			return err
		}
		res.Decision = forget.Decision(e.ids.New(id.Decision, w.Now()), f.Scope, o.Origin, said(o.Reason), w.Now())
		res.Decision.FactID = f.ID
		if !e.followed() {
			res.Decision.AppliedAt = &res.Decision.DecidedAt
		}
		if err := e.forgetSkills(ctx, w, &res, learnt, o); err != nil {
			return err
		}
		for _, d := range summaries {
			if err := e.forgetDerived(ctx, w, &res, d, o); err != nil {
				return err
			}
		}
		return recordForget(ctx, w, res.Decision, f.ID, o)
	})
	return res, err
}

// forgetSaid forgets a turn, or all turns of a session, in the database.
func (e *Engine) forgetSaid(ctx context.Context, view strata.View, name string, o ForgetOptions) (res ForgetResult, err error) {
	learnt, err := e.LearntSkills(ctx, view.Scopes)
	if err != nil {
		return res, err
	}
	err = e.store.Update(ctx, func(w store.Writer) error {
		gone, err := sessions.ForgetSaid(ctx, w, view, name, o.Within...)
		if err != nil {
			return err
		}
		res = ForgetResult{Forgotten: gone.Forgotten, texts: gone.Texts, sources: gone.Sources}
		res.Decision = forget.Decision(e.ids.New(id.Decision, w.Now()), gone.Scope, o.Origin, said(o.Reason), w.Now())
		res.Decision.FactID, res.Decision.AppliedAt = name, &res.Decision.DecidedAt
		if err := e.indexShortened(ctx, w, res.Shortened); err != nil {
			return err
		}
		if err := e.forgetSkills(ctx, w, &res, learnt, o); err != nil {
			return err
		}
		return recordForget(ctx, w, res.Decision, name, o)
	})
	return res, err
}

// indexShortened indexes what is left of turns. Their vectors are made later.
func (e *Engine) indexShortened(ctx context.Context, w store.Writer, turns []store.Source) error {
	for _, s := range turns {
		if err := e.divideTurn(ctx, w, s, true); err != nil {
			return fmt.Errorf("index turn %s: %w", s.Turn.ID, err)
		}
	}
	return nil
}

// forgetSkills forgets the skills that were made from forgotten turns or held the text.
// Skills that a person changed are named as remaining.
func (e *Engine) forgetSkills(ctx context.Context, w store.Writer, res *ForgetResult, learnt []LearntSkill, o ForgetOptions) error {
	gone, stay, err := edit.RestingOn(ctx, w, learnt, res.Decision.Scope, res.Documents, append(res.Turns, res.Decision.FactID))
	for i := 0; err == nil && i < len(gone); i++ {
		err = e.forgetDerived(ctx, w, res, gone[i], o)
	}
	res.Remain(stay...)
	return err
}

// forgetDerived forgets a skill or summary that rests on what was forgotten, if it still
// exists. Its wording does not matter. The next dream writes a new summary.
func (e *Engine) forgetDerived(ctx context.Context, w store.Writer, res *ForgetResult, d strata.Document, o ForgetOptions) error {
	now, err := documents.At(ctx, w, d.Scope, d.Path)
	if err != nil || now == nil {
		return err
	}
	gone, err := e.forgetFound(ctx, w, *now, ForgetOptions{Origin: o.Origin, Reason: "it rests on what was forgotten", Within: o.Within})
	if err != nil {
		return err
	}
	gone.texts = append(gone.texts, documents.Texts(d.Content)...) // from before a part of it was blanked
	if res.Derived = append(res.Derived, gone); !slices.Contains(res.Documents, d.Path) {
		res.Documents = append(res.Documents, d.Path)
	}
	return nil
}

// recordForget appends the decision and its event, or fails with errDryRun in a dry run.
func recordForget(ctx context.Context, w store.Writer, d strata.Decision, ref string, o ForgetOptions) error {
	if o.DryRun {
		return errDryRun
	}
	if err := w.AppendDecision(ctx, d); err != nil {
		return err
	}
	return w.AppendEvent(ctx, strata.Event{Kind: strata.EventForgotten, Scope: d.Scope, Ref: ref, At: w.Now()})
}
