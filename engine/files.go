package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/checkpoint"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/handedit"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/store/files"
)

// closeWait bounds how long Close waits until files and their history are up to date. The
// next Open does the rest.
const closeWait = 10 * time.Second

// openDocuments opens the parts that keep documents and their files.
func (e *Engine) openDocuments() {
	e.Library = documents.NewLibrary(e.store)
	e.projector = projection.New(projection.Options{
		Store: e.store, Tree: e.opts.Tree, IDs: &e.ids, Models: e.models, Work: e.projections, Now: e.opts.Now, Logger: e.opts.Logger,
		Learn: func(ctx context.Context, l strata.Learning) error { return e.LearnByHand(ctx, l) }, Tell: e.opts.Notice, Origins: e.opts.Origins,
		Notice: func(ctx context.Context, places ...documents.Place) error { return e.NoticeEdits(ctx, places...) },
	})
	e.Intake = handedit.New(handedit.Options{
		Store: e.store, Tree: e.opts.Tree, IDs: &e.ids, Models: e.models, Now: e.opts.Now, Logger: e.opts.Logger, Open: e.open,
		Write: e.writeHandEdits, Origins: e.opts.Origins, Projector: e.projector, Work: e.scans,
	})
	if e.opts.History != nil {
		e.checkpoints = checkpoint.New(e.opts.History, e.store, e.opts.Now, e.opts.Logger)
	}
}

// openEditor opens the part that composes and moves documents.
func (e *Engine) openEditor() {
	e.Editor = edit.New(edit.Options{
		Memory: e, Store: e.store, Library: e.Library, Intake: e.Intake, Tree: e.opts.Tree, IDs: &e.ids, Now: e.opts.Now,
	})
}

// followed reports whether decisions are written to files.
func (e *Engine) followed() bool { return e.opts.Tree != nil }

// Settle updates files for past decisions, for as long as Close would wait for it.
func (e *Engine) Settle(ctx context.Context) error { return e.projector.Finish(ctx) }

// finishFiles updates files for the decisions of this engine and records them in their
// history, before the engine closes.
func (e *Engine) finishFiles() {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if err := e.projector.Finish(ctx); err != nil {
		e.opts.Logger.Warn("files do not follow yet", "error", err)
	}
	if !e.opts.LeaveUnrecorded {
		e.commitChanged(ctx, files.Message{Subject: checkpoint.SubjectClose})
	}
}

// Checkpoint updates the files of a scope and commits them to the history of its root,
// with the subject "checkpoint: " and the note (one line; empty means manual). If nothing
// changed, the result says so in Skipped. Files that hold a secret are left out and
// named. The agent is the author; empty means Strata.
func (e *Engine) Checkpoint(ctx context.Context, scope strata.Scope, note, agent string) (files.Commit, error) {
	if err := e.hasHistory(scope); err != nil {
		return files.Commit{}, err
	}
	if agent != "" {
		if err := strata.ValidateName("agent", agent); err != nil {
			return files.Commit{}, err
		}
	}
	if err := e.projector.Scopes(ctx, scope); err != nil {
		return files.Commit{}, fmt.Errorf("render files: %w", err)
	}
	return e.checkpoints.Commit(ctx, scope, note, agent)
}

// History lists the newest commits of the root of a scope; see [files.History].
func (e *Engine) History(ctx context.Context, scope strata.Scope, limit int, diff bool) (files.Log, error) {
	if err := e.hasHistory(scope); err != nil {
		return files.Log{}, err
	}
	return e.opts.History.Log(ctx, scope, limit, diff)
}

// hasHistory returns an error if scope has no history.
func (e *Engine) hasHistory(scope strata.Scope) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if e.checkpoints == nil {
		return &strata.Error{Code: strata.CodeUnsupported, Op: "read history", Message: "this memory keeps no history of files",
			Hint: "open it with files and a history, as package local does"}
	}
	return nil
}

// endSession completes a session that ended: it extracts facts from turns not yet read,
// looks for skills, and commits files, including those that another process wrote.
func (e *Engine) endSession(ctx context.Context, scope strata.Scope, session string) {
	if _, err := e.queue.ExtractNew(ctx, scope, session); err != nil {
		e.opts.Logger.Warn("facts are to be extracted later", "session", session, "error", err)
		e.extractions.Wake()
	}
	if err := e.LearnSkills(ctx, scope, session, 0, 0); err != nil {
		e.opts.Logger.Warn("no skills were looked for", "session", session, "error", err)
	}
	e.dreams.ended()
	e.retention.Wake()
	if e.checkpoints == nil {
		return
	}
	if err := e.projector.Scopes(ctx, scope); err != nil {
		e.opts.Logger.Warn("files do not follow yet", "scope", scope.Key(), "error", err)
	}
	e.projector.Wrote(strata.ViewOf(scope.Workspace, scope.Agent).Scopes...)
	e.commitChanged(ctx, files.Message{Subject: checkpoint.SubjectSession, Body: "session: " + session, Agent: scope.Agent})
}

// commitChanged commits the files of every scope that changed since the last commit. What
// fails is tried again with the next.
func (e *Engine) commitChanged(ctx context.Context, m files.Message) {
	if e.checkpoints == nil {
		return
	}
	e.projector.Wrote(e.checkpoints.CommitAll(ctx, e.projector.TakeChanged(), m)...)
}

// forgetInFiles updates the files of the scope at once and notes in res which of them
// still hold the text because people wrote it there. Then it commits the files and notes
// which commits hold the text, also of other scopes. In a dry run it only notes what
// would remain.
func (e *Engine) forgetInFiles(ctx context.Context, res *ForgetResult, o ForgetOptions) {
	if !e.followed() {
		return
	}
	scope := res.Decision.Scope
	var err error
	if !o.DryRun {
		if err = e.projector.Scopes(ctx, scope); err == nil {
			err = documents.Followed(ctx, e.store, res.Decision)
		}
	}
	if err != nil {
		e.opts.Logger.Warn("files still hold forgotten text", "scope", scope.Key(), "error", err)
		res.Remaining = append(res.Remaining, "files of "+scope.Key()+", until they can be written: "+strata.MessageOf(err))
		res.Failed = errors.Join(res.Failed, err)
	} else {
		res.Remaining = documents.Standing(ctx, e.opts.Tree, scope, res.Remaining, res.Documents, documents.HeldBy(res.texts, res.told, o.DryRun))
	}
	if e.checkpoints != nil {
		history, remaining, failed := e.checkpoints.Forget(ctx, scope, res.texts, o.PurgeHistory, o.DryRun)
		elsewhere, unseen := e.checkpoints.Elsewhere(ctx, e.opts.Tree, scope, res.texts, o.Within)
		res.History, res.Remaining = history, slices.Concat(res.Remaining, remaining, elsewhere)
		res.Failed = errors.Join(res.Failed, failed, unseen)
	}
}
