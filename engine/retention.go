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

// Retention says what is put away in the background, at the end of a session and where
// memory stays open. The zero value puts nothing away. Facts never go.
type Retention struct {
	// ArchiveAfter is the age at which what was said in closed sessions goes into
	// archives; 0: never.
	ArchiveAfter time.Duration
	// DailyAfter is how long ago a day ended whose log goes into the archive of logs; 0:
	// never.
	DailyAfter time.Duration
	// DiskBudget is what the database and the archives may take together, in bytes; 0: any
	// amount. The oldest archives go first, for good, and nothing else does.
	DiskBudget int64
}

// DiskUse says what a home takes up of its budget.
type DiskUse struct {
	Database int64 // bytes
	Archives int64 // bytes of the files of archived sessions
	Sessions int   // that are archived
	Budget   int64 // bytes; 0: none
}

// Metered returns a model whose calls are counted among those of the day, and refused
// beyond its limits. Nil stays nil.
func (e *Engine) Metered(c llm.Chat) llm.Chat { return e.meter.Chat(e.outages.Chat(c)) }

// ModelUse says what models were asked of today for memory's own work.
func (e *Engine) ModelUse(ctx context.Context) (ModelUse, error) { return e.meter.Use(ctx) }

// ModelOutages lists the models that do not answer, by name.
func (e *Engine) ModelOutages(ctx context.Context) ([]store.ModelOutage, error) {
	return e.outages.ModelOutages(ctx)
}

// ArchiveSessions is [conversation.Archiver.Archive].
func (e *Engine) ArchiveSessions(ctx context.Context, view strata.View, o PruneOptions) (Pruned, error) {
	return e.archiver.Archive(ctx, view, e.opts.Now(), o)
}

// RestoreSession is [conversation.Archiver.Restore].
func (e *Engine) RestoreSession(ctx context.Context, view strata.View, session string) (RestoredSession, error) {
	return e.archiver.Restore(ctx, view, session)
}

// ExpireArchives is [conversation.Archiver.Expire].
func (e *Engine) ExpireArchives(ctx context.Context, view strata.View, most int64, dryRun bool) ([]PrunedSession, error) {
	return e.archiver.Expire(ctx, view, most, dryRun)
}

// DiskUse says what the home takes up.
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

// retain puts away what is due by the policy.
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
		return nil // others do it
	}
	return err
}

// forgetArchived takes out of the archives what is about to be forgotten in the store, or
// would be. It returns the turns, what could not be looked through, and the archives of
// other scopes that hold it. Where the store will not forget it, nothing changes.
func (e *Engine) forgetArchived(ctx context.Context, view strata.View, name string, o ForgetOptions) (turns, remaining, elsewhere []string, failed error) {
	if use, err := e.archiver.Use(ctx); err != nil || use.Sessions == 0 {
		return nil, nil, nil, err
	}
	dryRun := o.DryRun
	o.DryRun = true
	trial, err := e.forgetStored(ctx, view, name, o)
	if !errors.Is(err, errDryRun) {
		return nil, nil, nil, nil // the store says why
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
