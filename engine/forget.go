package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/store"
)

// ForgetOptions say how a fact is forgotten. The zero value forgets it.
type ForgetOptions struct {
	DryRun bool // return what would go, change nothing
	Origin strata.Origin
	// Reason is kept with the decision. It must not repeat the text.
	Reason string
	// PurgeHistory also rewrites the history of the files, so that no commit
	// holds the text.
	PurgeHistory bool
}

// ForgetResult says what went and what still stands.
type ForgetResult struct {
	Decision strata.Decision `json:"decision"`
	store.Forgotten
	// History says which commits hold the text, and how many were rewritten.
	History HistoryForgotten `json:"history,omitzero"`
	// Incomplete says why bytes of the text may still lie in the database
	// file; empty when none do.
	Incomplete string `json:"incomplete,omitempty"`
}

// Forget removes every trace of a fact: its versions, its text in decisions,
// traces and recall events, in learnings and in what sessions were given and
// saved, the turns it came from and those that repeat it, their transcripts,
// the lines of files that tell it, and the bytes in the database file. The
// history of the files gets a new commit; those that still hold the text are
// named, or rewritten on request. It cannot be undone. A keyed hash stays
// behind, so that no automatic extraction brings the text back.
func (e *Engine) Forget(ctx context.Context, view strata.View, fact string, o ForgetOptions) (ForgetResult, error) {
	var res ForgetResult
	if err := view.Validate(); err != nil {
		return res, err
	}
	// Recalls that wait to be recorded may repeat the text.
	if err := e.recorder.flush(ctx); err != nil {
		return res, err
	}
	var texts []string
	err := e.store.Update(ctx, func(w store.Writer) error {
		f, err := w.Fact(ctx, view.Scopes, fact)
		if err != nil {
			return err
		}
		if texts, err = textsOf(ctx, w, f.Scope, f.ID); err != nil {
			return err
		}
		if res.Forgotten, err = w.Forget(ctx, f.Scope, f.ID); err != nil {
			return err
		}
		now := w.Now()
		res.Decision = strata.Decision{
			ID: e.ids.New(id.Decision, now), Scope: f.Scope, Op: strata.OpForget, FactID: f.ID,
			Reason: "forgotten on request", Rules: []string{"forget"}, Confidence: 1,
			Origin: o.Origin, DecidedAt: now,
		}
		if res.Decision.Origin == "" {
			res.Decision.Origin = strata.OriginAPI
		}
		if !e.followed() {
			res.Decision.AppliedAt = &now
		}
		if o.Reason != "" {
			res.Decision.Notes = []string{"asked for because: " + said(o.Reason)}
		}
		if o.DryRun {
			return errDryRun
		}
		if err := w.AppendDecision(ctx, res.Decision); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventForgotten, Scope: f.Scope, Ref: f.ID, At: now})
	})
	if errors.Is(err, errDryRun) {
		res.Decision.ID = ""
		return res, nil
	}
	if err != nil {
		return ForgetResult{}, err
	}
	failpoint.Hit(failpoint.ForgetCommitted)
	e.follow(res.Decision)
	var held []string
	res.History, held = e.forgetFiles(ctx, res.Decision.Scope, texts, o.PurgeHistory)
	res.Remaining = append(res.Remaining, held...)
	res.Remaining = append(res.Remaining, e.rewriteTranscripts(ctx, res.Decision.Scope, res.Transcripts)...)
	if err := e.store.Compact(ctx); err != nil {
		// The fact is gone; only freed bytes may still lie in the file.
		res.Incomplete = fmt.Sprintf("freed bytes are not overwritten yet (%s); run strata doctor when no other process reads", strata.CodeOf(err))
	}
	return res, nil
}
