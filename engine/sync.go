package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// SyncReport says what [Engine.Sync] found in the files of a view.
type SyncReport struct {
	Scopes  int   `json:"scopes"` // that have a directory at hand
	Added   int64 `json:"added"`
	Updated int64 `json:"updated"`
	Deleted int64 `json:"deleted"`
	// Changes are what was done by hand since the last look.
	Changes []SyncChange `json:"changes,omitempty"`
	// Skipped are files that are no documents as they are, with the reason.
	Skipped []SyncFile `json:"skipped,omitempty"`
	// Away are directories that cannot be read, or of which every file is gone
	// at once, with the reason. Nothing is taken for deleted there.
	Away []SyncFile `json:"away,omitempty"`
}

// SyncChange is a hand edit that was taken in.
type SyncChange struct {
	SyncFile
	Op       strata.Op `json:"decision"`
	Decision string    `json:"decision_id"`
}

// SyncFile is a file of a scope. Reason says what is wrong with it; empty where
// nothing is. Path is empty where a whole directory is meant.
type SyncFile struct {
	Scope  strata.Scope `json:"scope"`
	Path   string       `json:"path,omitempty"`
	Reason string       `json:"reason,omitempty"`
}

// Bounds of what is taken in by one transaction, which keeps others from
// writing.
const (
	syncBatch = 500     // files
	syncBytes = 8 << 20 // of their contents
)

// syncTries is how often a scope is scanned again because something changed
// between the scan and the transaction.
const syncTries = 3

// Sync takes in what people did to the files of a view since the last look: new
// files, other bytes, files that are gone. Each becomes a decision that can be
// listed and reverted. Files that are still to follow a decision come first;
// what cannot follow yet is passed over. Without a tree there is nothing to do.
//
// Only files whose size or time of change differ are read.
func (e *Engine) Sync(ctx context.Context, view strata.View) (SyncReport, error) {
	return e.sync(ctx, view, e.followNow)
}

// SyncSettled is [Engine.Sync] for whoever cannot wait until files have
// followed, however much is outstanding: files that are still to follow a
// decision are passed over. What was done to those by hand is met when they
// follow, in the background.
func (e *Engine) SyncSettled(ctx context.Context, view strata.View) (SyncReport, error) {
	return e.sync(ctx, view, func(context.Context, ...strata.Scope) error { return nil })
}

// sync takes in hand edits after files have followed as far as follow lets them.
func (e *Engine) sync(ctx context.Context, view strata.View, follow func(context.Context, ...strata.Scope) error) (SyncReport, error) {
	if err := view.Validate(); err != nil || e.opts.Tree == nil {
		return SyncReport{}, err
	}
	if err := follow(ctx, view.Scopes...); err != nil {
		return SyncReport{}, err
	}
	return e.lookThrough(ctx, view, func(ctx context.Context, scope strata.Scope, report *SyncReport) error {
		return e.syncScope(ctx, scope, report, follow)
	})
}

// lookThrough looks at the files of each scope of a view that has a directory.
func (e *Engine) lookThrough(ctx context.Context, view strata.View, look func(context.Context, strata.Scope, *SyncReport) error) (SyncReport, error) {
	var report SyncReport
	for _, s := range view.Scopes {
		if _, ok := e.opts.Tree.Directory(s); !ok {
			continue
		}
		report.Scopes++
		if err := look(ctx, s, &report); err != nil {
			return report, fmt.Errorf("look through the files of %s: %w", s, err)
		}
	}
	return report, nil
}

// followNow has the files of scopes follow the decisions made so far, as far as
// they can. Parts of files that are only rendered anew are not waited for.
func (e *Engine) followNow(ctx context.Context, scopes ...strata.Scope) error {
	var waiting []strata.Scope
	err := e.store.View(ctx, func(r store.Reader) error {
		pending, err := r.PendingScopes(ctx)
		for _, s := range pending {
			if slices.Contains(scopes, s) {
				waiting = append(waiting, s)
			}
		}
		return err
	})
	if err != nil || len(waiting) == 0 {
		return err
	}
	if err := e.projectNow(ctx, waiting...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.opts.Logger.Warn("files do not follow yet; the others are looked through", "error", err)
	}
	return nil
}

// syncScope takes in the hand edits of one scope. Where it was overtaken, files
// follow before it looks again.
func (e *Engine) syncScope(ctx context.Context, scope strata.Scope, report *SyncReport, follow func(context.Context, ...strata.Scope) error) error {
	for try := 1; ; try++ {
		known, pending, err := e.knownFiles(ctx, scope)
		if err != nil {
			return err
		}
		found, away, err := e.scan(ctx, scope, known)
		if err != nil {
			return err
		}
		if away != "" {
			report.Away = append(report.Away, SyncFile{Scope: scope, Reason: away})
			return nil
		}
		e.renderUntrue(scope, known, &found)
		overtaken, err := e.takeChanges(ctx, scope, known, pending, found, report)
		if err != nil {
			return err
		}
		if overtaken && try < syncTries {
			if err := follow(ctx, scope); err != nil {
				return err
			}
			continue
		}
		report.skip(scope, found.Skipped)
		return nil
	}
}

// scan compares the files of a scope with how memory knows them. away says why
// nothing there is taken for deleted or edited; else it is empty.
func (e *Engine) scan(ctx context.Context, scope strata.Scope, known map[string]files.Stat) (found files.Changes, away string, err error) {
	found, err = e.opts.Tree.Scan(ctx, scope, known)
	switch {
	case strata.CodeOf(err) == strata.CodeUnavailable:
		return found, reasonOf(err), nil
	case err == nil && isEmptied(known, found):
		away = fmt.Sprintf("all %d files are gone at once: nothing is taken for deleted", len(known))
	}
	return found, away, err
}

// knownFiles returns how memory knows the files of a scope, and which of them
// are still to follow a decision.
func (e *Engine) knownFiles(ctx context.Context, scope strata.Scope) (known map[string]files.Stat, pending map[string]bool, err error) {
	var stats map[string]store.DocumentStat
	err = e.store.View(ctx, func(r store.Reader) error {
		stats, err = r.DocumentStats(ctx, scope)
		return err
	})
	known, pending = make(map[string]files.Stat, len(stats)), make(map[string]bool)
	for path, s := range stats {
		if s.Pending {
			pending[path] = true
		}
		if s.Hash != "" {
			known[path] = files.Stat{Hash: s.Hash, Size: s.Size, ModifiedAt: time.UnixMicro(s.ModifiedAt).UTC()}
		}
	}
	return known, pending, err
}

// isEmptied reports whether every file of several is gone at once: a directory
// that was moved away or is not mounted, not notes that were deleted one by one.
func isEmptied(known map[string]files.Stat, found files.Changes) bool {
	return len(known) > 1 && len(found.Removed) == len(known) && len(found.Changed) == 0
}

// takeChanges takes in what a scan found, in batches. overtaken says that a
// part of it was no longer true in the transaction.
func (e *Engine) takeChanges(ctx context.Context, scope strata.Scope, known map[string]files.Stat, pending map[string]bool, found files.Changes, report *SyncReport) (overtaken bool, err error) {
	if err := e.touch(ctx, scope, found.Touched); err != nil {
		return false, err
	}
	var batch handEdits
	bytes := 0
	flush := func() error {
		taken, again, err := e.takeIn(ctx, batch)
		report.count(taken)
		overtaken = overtaken || again
		batch, bytes = handEdits{}, 0
		return err
	}
	for _, f := range found.Changed {
		if pending[f.Path] {
			continue
		}
		if len(batch.candidates) == syncBatch || bytes > 0 && bytes+len(f.Content) > syncBytes {
			if err := flush(); err != nil {
				return false, err
			}
		}
		batch.changed(scope, f, baseOf(known, f.Path))
		bytes += len(f.Content)
	}
	for _, path := range found.Removed {
		if pending[path] {
			continue
		}
		if len(batch.candidates) == syncBatch {
			if err := flush(); err != nil {
				return false, err
			}
		}
		batch.removed(scope, path, baseOf(known, path))
	}
	err = flush()
	return overtaken, err
}

// baseOf is the hash of a file as memory knows it.
func baseOf(known map[string]files.Stat, path string) string {
	if s, ok := known[path]; ok {
		return s.Hash
	}
	return strata.NoFile
}

// touch records that files were written again with the same bytes, so that they
// need not be read the next time.
func (e *Engine) touch(ctx context.Context, scope strata.Scope, touched map[string]files.Stat) error {
	if len(touched) == 0 {
		return nil
	}
	err := e.store.Update(ctx, func(w store.Writer) error {
		for path, s := range touched {
			st := store.DocumentStat{Hash: s.Hash, Size: s.Size, ModifiedAt: s.ModifiedAt.UnixMicro()}
			if err := w.TouchDocument(ctx, scope, path, st); err != nil {
				return err
			}
		}
		return nil
	})
	if strata.CodeOf(err) == strata.CodeReadOnly {
		return nil // others do the work
	}
	return err
}

// skip adds files that are no documents to the report.
func (r *SyncReport) skip(scope strata.Scope, list []files.Skipped) {
	for _, s := range list {
		r.Skipped = append(r.Skipped, SyncFile{Scope: scope, Path: s.Path, Reason: s.Reason})
	}
}

// count adds decisions to the report.
func (r *SyncReport) count(taken []strata.Decision) {
	for _, d := range taken {
		change := SyncChange{SyncFile: SyncFile{Scope: d.Scope, Path: d.Document.Path}, Op: d.Op, Decision: d.ID}
		switch d.Op {
		case strata.OpAdd:
			r.Added++
		case strata.OpUpdate:
			r.Updated++
		case strata.OpDelete:
			r.Deleted++
		}
		if d.Document.After != nil {
			change.Reason = d.Document.After.Problem
		}
		r.Changes = append(r.Changes, change)
	}
}

// reasonOf is what an error tells a person.
func reasonOf(err error) string {
	var known *strata.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return err.Error()
}
