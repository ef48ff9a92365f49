// Package handedit records in memory what people do to files. A scan or a watch finds the
// files that differ from what memory knows of them, and each difference becomes a
// decision that can be listed and reverted.
//
// It skips files that have yet to follow a decision, since they may still have their
// previous content.
package handedit

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/documents/projection"
	"github.com/strata-memory/strata/internal/models/embedding"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// Options are what an [Intake] needs. All but Tree, Origins and Work are required.
type Options struct {
	Store  store.Store
	Tree   files.Tree // nil if there are no files
	IDs    *id.Maker
	Models *embedding.Models
	Now    func() time.Time
	Logger *slog.Logger
	Open   context.Context // done when the engine is closed, which ends every watch
	// Write makes decisions about hand edits. found has the state of each file. The
	// drafts tell the outcome of each.
	Write func(ctx context.Context, cs []strata.Candidate, found []documents.Found) ([]strata.Decision, []*documents.Draft, error)
	// Origins tells where files came from, which shows whether they are foreign. If it is
	// nil, none are.
	Origins files.Origins
	// Projector updates files after decisions.
	Projector *projection.Projector
	// Work calls [Intake.SyncChanged] in the background; nil if nothing does.
	Work *worker.Worker
}

// Intake records what people do to the files of a home. It is safe for concurrent use.
type Intake struct {
	o       Options
	changed changedScopes
	watches atomic.Int32 // number of active watches
}

// New returns an intake.
func New(o Options) *Intake { return &Intake{o: o} }

// NoticeEdits records hand edits of files that are about to be written. Thus the edited
// text is in the history before it is replaced, and a writer who has not seen it gets a
// conflict. NoticeEdits returns [strata.CodeConflict] if there can be no file at a place,
// for example because its directory is a link or a file.
func (in *Intake) NoticeEdits(ctx context.Context, places ...documents.Place) error {
	if in.o.Tree == nil {
		return nil
	}
	var found handEdits
	seen := make(map[documents.Place]bool)
	for _, at := range places {
		if seen[at] {
			continue
		}
		seen[at] = true
		if err := in.lookAt(ctx, at, &found); err != nil {
			return err
		}
	}
	for _, c := range found.candidates {
		if c.Action != strata.ActionDelete || !isNamed(c.Path) {
			continue
		}
		// It may have been renamed, which only a scan of the directory can tell.
		if err := in.syncScope(ctx, c.Scope, &Report{}, func(context.Context, ...strata.Scope) error { return nil }); err != nil {
			return err
		}
	}
	_, _, err := in.take(ctx, found)
	return err
}

// handEdits are candidates for hand edits, with the state of each file.
type handEdits struct {
	candidates []strata.Candidate
	stats      []files.Stat
}

// changed adds a file whose content differs from that with the hash base.
func (h *handEdits) changed(scope strata.Scope, f files.File, base string) {
	h.candidates = append(h.candidates, strata.Candidate{
		Scope: scope, Path: f.Path, Content: string(f.Content), BaseHash: base, Origin: strata.OriginFile,
	})
	h.stats = append(h.stats, f.Stat)
}

// removed adds a file that no longer exists.
func (h *handEdits) removed(scope strata.Scope, path, base string) {
	h.candidates = append(h.candidates, strata.Candidate{
		Scope: scope, Path: path, Action: strata.ActionDelete, BaseHash: base, Origin: strata.OriginFile,
	})
	h.stats = append(h.stats, files.Stat{})
}

// renamed adds a file that was renamed and whose content may differ from that with the
// hash base.
func (h *handEdits) renamed(scope strata.Scope, f files.File, from, base string) {
	h.changed(scope, f, base)
	h.candidates[len(h.candidates)-1].RenamedFrom = from
}

// next removes and returns the edits for one transaction, at least one.
func (h *handEdits) next() handEdits {
	n, size := 0, 0
	for n < len(h.candidates) && n < syncBatch && (n == 0 || size+len(h.candidates[n].Content) <= syncBytes) {
		size += len(h.candidates[n].Content)
		n++
	}
	out := handEdits{h.candidates[:n], h.stats[:n]}
	h.candidates, h.stats = h.candidates[n:], h.stats[n:]
	return out
}

// lookAt compares a file with what memory has of it. It skips files that cannot be read,
// which are written once they can be, and files that have yet to follow a decision, which
// may still have their previous content.
func (in *Intake) lookAt(ctx context.Context, at documents.Place, found *handEdits) error {
	var before *strata.Document
	waits := false
	err := in.o.Store.View(ctx, func(r store.Reader) error {
		var err error
		if before, err = documents.At(ctx, r, at.Scope, at.Path); err != nil {
			return err
		}
		waits, err = documents.IsPending(ctx, r, at.Scope, at.Path)
		return err
	})
	if err != nil {
		return err
	}
	base := documents.HashOf(before)
	f, err := in.o.Tree.Read(ctx, at.Scope, at.Path)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeCanceled, code == strata.CodeConflict:
		return err
	case waits:
	case code == strata.CodeNotFound && before != nil:
		found.removed(at.Scope, at.Path, base)
	case code == "" && f.Hash != base:
		found.changed(at.Scope, f, base)
	}
	return nil
}

// take makes decisions about hand edits and returns the new ones. Edits already recorded
// are skipped. overtaken means that another change was made or is pending, so that some
// files must be checked again.
func (in *Intake) take(ctx context.Context, found handEdits) (taken []strata.Decision, overtaken bool, err error) {
	if len(found.candidates) == 0 {
		return nil, false, nil
	}
	origins, err := in.origins(ctx, found)
	if err != nil {
		return nil, false, err
	}
	decisions, drafts, err := in.o.Write(ctx, found.candidates, origins)
	if err != nil {
		return nil, false, err
	}
	for i, d := range drafts {
		if d.Fresh {
			taken = append(taken, decisions[i])
		}
		overtaken = overtaken || d.Overtaken
		if d.Quiet {
			in.o.Projector.Want(d.Candidate.Scope, markdown.PartOf(d.Candidate.Path))
		}
	}
	return taken, overtaken, nil
}
