package handedit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// Report says what [Intake.Sync] found in the files of a view.
type Report struct {
	Scopes  int   `json:"scopes"` // that have a directory at hand
	Added   int64 `json:"added"`
	Updated int64 `json:"updated"`
	Deleted int64 `json:"deleted"`
	// Changes are what was done by hand since the last look.
	Changes []Change `json:"changes,omitempty"`
	// Skipped are files that are no documents as they are, with the reason.
	Skipped []documents.File `json:"skipped,omitempty"`
	// Away are directories that cannot be read, or of which every file is gone
	// at once, with the reason. Nothing is taken for deleted there.
	Away []documents.File `json:"away,omitempty"`
}

// Change is a hand edit that was taken in.
type Change struct {
	documents.File
	Op       strata.Op `json:"decision"`
	Decision string    `json:"decision_id"`
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
func (in *Intake) Sync(ctx context.Context, view strata.View) (Report, error) {
	return in.sync(ctx, view, in.followNow)
}

// SyncSettled is [Intake.Sync] for whoever cannot wait until files have
// followed, however much is outstanding: files that are still to follow a
// decision are passed over. What was done to those by hand is met when they
// follow, in the background.
func (in *Intake) SyncSettled(ctx context.Context, view strata.View) (Report, error) {
	return in.sync(ctx, view, func(context.Context, ...strata.Scope) error { return nil })
}

// sync takes in hand edits after files have followed as far as follow lets them.
func (in *Intake) sync(ctx context.Context, view strata.View, follow func(context.Context, ...strata.Scope) error) (Report, error) {
	if err := view.Validate(); err != nil || in.o.Tree == nil {
		return Report{}, err
	}
	if err := follow(ctx, view.Scopes...); err != nil {
		return Report{}, err
	}
	return in.lookThrough(ctx, view, func(ctx context.Context, scope strata.Scope, report *Report) error {
		return in.syncScope(ctx, scope, report, follow)
	})
}

// lookThrough looks at the files of each scope of a view that has a directory.
func (in *Intake) lookThrough(ctx context.Context, view strata.View, look func(context.Context, strata.Scope, *Report) error) (Report, error) {
	var report Report
	for _, s := range view.Scopes {
		if _, ok := in.o.Tree.Directory(s); !ok {
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
func (in *Intake) followNow(ctx context.Context, scopes ...strata.Scope) error {
	var waiting []strata.Scope
	err := in.o.Store.View(ctx, func(r store.Reader) error {
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
	if err := in.o.Project(ctx, waiting...); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		in.o.Logger.Warn("files do not follow yet; the others are looked through", "error", err)
	}
	return nil
}

// syncScope takes in the hand edits of one scope. Where it was overtaken, files
// follow before it looks again.
func (in *Intake) syncScope(ctx context.Context, scope strata.Scope, report *Report, follow func(context.Context, ...strata.Scope) error) error {
	for try := 1; ; try++ {
		known, pending, err := in.knownFiles(ctx, scope)
		if err != nil {
			return err
		}
		found, away, err := in.scan(ctx, scope, known)
		if err != nil {
			return err
		}
		if away != "" {
			report.Away = append(report.Away, documents.File{Scope: scope, Reason: away})
			return nil
		}
		in.renderDirty(scope, known, &found)
		overtaken, err := in.takeChanges(ctx, scope, known, pending, found, report)
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
func (in *Intake) scan(ctx context.Context, scope strata.Scope, known map[string]files.Stat) (found files.Changes, away string, err error) {
	found, err = in.o.Tree.Scan(ctx, scope, known)
	switch {
	case strata.CodeOf(err) == strata.CodeUnavailable:
		return found, strata.MessageOf(err), nil
	case err == nil && isEmptied(known, found):
		away = fmt.Sprintf("all %d files are gone at once: nothing is taken for deleted", len(known))
	}
	return found, away, err
}

// knownFiles returns how memory knows the files of a scope, and which of them
// are still to follow a decision.
func (in *Intake) knownFiles(ctx context.Context, scope strata.Scope) (known map[string]files.Stat, pending map[string]bool, err error) {
	var stats map[string]store.DocumentStat
	err = in.o.Store.View(ctx, func(r store.Reader) error {
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
func (in *Intake) takeChanges(ctx context.Context, scope strata.Scope, known map[string]files.Stat, pending map[string]bool, found files.Changes, report *Report) (overtaken bool, err error) {
	if err := in.touch(ctx, scope, found.Touched); err != nil {
		return false, err
	}
	edits := editsIn(scope, known, pending, found)
	for len(edits.candidates) > 0 {
		taken, again, err := in.take(ctx, edits.next())
		if err != nil {
			return false, err
		}
		report.count(taken)
		overtaken = overtaken || again
	}
	return overtaken, nil
}

// editsIn are the hand edits that a scan found.
func editsIn(scope strata.Scope, known map[string]files.Stat, pending map[string]bool, found files.Changes) handEdits {
	var out handEdits
	for _, f := range found.Changed {
		if !pending[f.Path] {
			out.changed(scope, f, baseOf(known, f.Path))
		}
	}
	for _, path := range found.Removed {
		if !pending[path] {
			out.removed(scope, path, baseOf(known, path))
		}
	}
	return out
}

// renderDirty has rendered what a process that ended early left dirty, and takes
// it out of what a scan found: it stays marked until it is rendered. Where there
// are notes and no index at all, that is to be rendered too.
func (in *Intake) renderDirty(scope strata.Scope, known map[string]files.Stat, found *files.Changes) {
	for path := range found.Touched {
		if known[path].ModifiedAt.Equal(time.UnixMicro(documents.DirtyTime)) && document.GeneratedFrom(path) == path {
			delete(found.Touched, path)
			in.o.Render(scope, document.PartOf(path))
		}
	}
	if _, ok := known[strata.IndexPath]; ok {
		return
	}
	for path := range known {
		if strata.KindOfPath(path) == strata.DocumentNote && document.PartOf(path) == document.PartIndex {
			in.o.Render(scope, document.PartIndex)
			return
		}
	}
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
func (in *Intake) touch(ctx context.Context, scope strata.Scope, touched map[string]files.Stat) error {
	if len(touched) == 0 {
		return nil
	}
	err := in.o.Store.Update(ctx, func(w store.Writer) error {
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
func (r *Report) skip(scope strata.Scope, list []files.Skipped) {
	for _, s := range list {
		r.Skipped = append(r.Skipped, documents.File{Scope: scope, Path: s.Path, Reason: s.Reason})
	}
}

// count adds decisions to the report.
func (r *Report) count(taken []strata.Decision) {
	for _, d := range taken {
		change := Change{File: documents.File{Scope: d.Scope, Path: d.Document.Path}, Op: d.Op, Decision: d.ID}
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
