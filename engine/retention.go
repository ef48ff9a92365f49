package engine

import (
	"context"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/forget"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

// Retention says what is archived or deleted in the background, at the end of a session
// and periodically while memory is open. The zero value keeps everything. Facts are never
// removed.
type Retention struct {
	// ArchiveAfter is the age at which the turns of closed sessions are archived; 0:
	// never.
	ArchiveAfter time.Duration
	// DailyAfter is the age at which daily logs are archived; 0: never.
	DailyAfter time.Duration
	// DiskBudget is the maximum size of database and archives together, in bytes; 0: no
	// limit. To stay within it the oldest archives are deleted for good, and nothing
	// else.
	DiskBudget int64
}

// DiskUse says how much of its budget a home uses.
type DiskUse struct {
	Database int64 // bytes
	Archives int64 // bytes of the files of archived sessions
	Sessions int   // number of archived sessions
	Budget   int64 // bytes; 0: no limit
}

// Metered returns a model whose calls count against the daily limits and are refused
// beyond them. Nil stays nil.
func (e *Engine) Metered(c llm.Chat) llm.Chat { return e.meter.Chat(e.outages.Chat(c)) }

// ModelUse reports today's use of models for memory's own work.
func (e *Engine) ModelUse(ctx context.Context) (ModelUse, error) { return e.meter.Use(ctx) }

// ModelOutages lists the models that do not answer, by name.
func (e *Engine) ModelOutages(ctx context.Context) ([]store.ModelOutage, error) {
	return e.outages.ModelOutages(ctx)
}

// ArchiveSessions is [sessions.Archiver.Archive].
func (e *Engine) ArchiveSessions(ctx context.Context, view strata.View, o PruneOptions) (Pruned, error) {
	return e.archiver.Archive(ctx, view, e.opts.Now(), o)
}

// RestoreSession is [sessions.Archiver.Restore].
func (e *Engine) RestoreSession(ctx context.Context, view strata.View, session string) (RestoredSession, error) {
	return e.archiver.Restore(ctx, view, session)
}

// ExpireArchives is [sessions.Archiver.Expire].
func (e *Engine) ExpireArchives(ctx context.Context, view strata.View, most int64, dryRun bool) ([]PrunedSession, error) {
	return e.archiver.Expire(ctx, view, most, dryRun)
}

// DiskUse reports how much disk space the home uses.
func (e *Engine) DiskUse(ctx context.Context) (DiskUse, error) {
	out := DiskUse{Budget: e.opts.Retention.DiskBudget}
	kept, err := e.archiver.Use(ctx)
	if err != nil {
		return out, err
	}
	out.Archives, out.Sessions = kept.Bytes, kept.Sessions
	stats, err := e.Stats(ctx, strata.Global().View())
	if err == nil {
		out.Database = stats[0].Bytes
	}
	return out, err
}

// retain archives and deletes what is due by the policy.
func (e *Engine) retain(ctx context.Context) error {
	p := e.opts.Retention
	scopes, err := e.Scopes(ctx)
	if err != nil || len(scopes) == 0 {
		return err
	}
	view := strata.View{Scopes: scopes}
	if p.ArchiveAfter > 0 {
		_, more := e.ArchiveSessions(ctx, view, PruneOptions{OlderThan: p.ArchiveAfter})
		err = errors.Join(err, more)
	}
	if p.DailyAfter > 0 {
		_, more := e.ArchiveDaily(ctx, view, DailyOptions{OlderThan: p.DailyAfter, Origin: strata.OriginDream})
		err = errors.Join(err, more)
	}
	if p.DiskBudget > 0 {
		use, more := e.DiskUse(ctx)
		if over := use.Database + use.Archives - p.DiskBudget; more == nil && over > 0 {
			_, more = e.ExpireArchives(ctx, view, max(use.Archives-over, 0), false)
		}
		err = errors.Join(err, more)
	}
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil // another process does it
	}
	return err
}

// forgetArchived removes from the archives what the store is about to forget, or would in
// a dry run. It returns the turns, what could not be searched, and the archives of other
// scopes that hold the text. If the store will not forget it, nothing changes.
func (e *Engine) forgetArchived(ctx context.Context, view strata.View, name string, o ForgetOptions) (turns, remaining, elsewhere []string, failed error) {
	if use, err := e.archiver.Use(ctx); err != nil || use.Sessions == 0 {
		return nil, nil, nil, err
	}
	dryRun := o.DryRun
	o.DryRun = true
	trial, err := e.forgetStored(ctx, view, name, o)
	if !errors.Is(err, errDryRun) {
		return nil, nil, nil, nil // the store's own error says why
	}
	for _, res := range append([]ForgetResult{trial}, trial.Derived...) {
		subject := forget.Quoted(res.texts, res.told, trial.sources)
		gone, left, err := e.archiver.Forget(ctx, res.Decision.Scope, subject, dryRun)
		others, unseen := e.archiver.Elsewhere(ctx, res.Decision.Scope, subject, o.Within)
		turns, remaining, elsewhere = append(turns, gone...), append(remaining, left...), append(elsewhere, others...)
		failed = errors.Join(failed, err, unseen)
	}
	return turns, remaining, elsewhere, failed
}

// addArchived adds what was forgotten in archives.
func (r *ForgetResult) addArchived(turns, remaining []string, failed error) {
	r.Blanked(turns...)
	r.Remain(remaining...)
	r.Failed = errors.Join(r.Failed, failed)
}
