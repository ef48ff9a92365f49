// Package handedit takes what people did to files into memory. A scan or a watch
// finds what differs from what memory knows of the files, and each difference
// becomes a decision that can be listed and reverted.
//
// Files that are still to follow a decision are passed over: what is read there
// may be what was there before.
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

// Options are what an intake works with. All but Tree are needed.
type Options struct {
	Store  store.Store
	Tree   files.Tree // nil: there is nothing to take in
	IDs    *id.Maker
	Models *embedding.Models
	Now    func() time.Time
	Logger *slog.Logger
	Open   context.Context // ends when the engine is closed, and with it every watch
	// Write makes decisions of hand edits, of which found has how each file
	// stands. The drafts say what became of each.
	Write func(ctx context.Context, cs []strata.Candidate, found []documents.Found) ([]strata.Decision, []*documents.Draft, error)
	// Origins tells how files came to where they lie, by which a foreign one is known;
	// nil: none is foreign.
	Origins files.Origins
	// Projector lets files follow what is decided.
	Projector *projection.Projector
	// Work calls [Intake.SyncChanged] in the background; nil: nothing does.
	Work *worker.Worker
}

// Intake takes in what people do to the files of a home. It is safe for
// concurrent use.
type Intake struct {
	o       Options
	changed changedScopes
	watches atomic.Int32 // how many are in place
}

// New returns an intake.
func New(o Options) *Intake { return &Intake{o: o} }

// NoticeEdits takes in what a person did to files that are about to be written, so
// that their text is in the history before another takes its place, and a writer
// who did not see it is told. It is a conflict where no file can be at one of the
// places: a link or a file stands for its directory, say.
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
		// It may have been renamed, which only a look at the whole directory tells.
		if err := in.syncScope(ctx, c.Scope, &Report{}, func(context.Context, ...strata.Scope) error { return nil }); err != nil {
			return err
		}
	}
	_, _, err := in.take(ctx, found)
	return err
}

// handEdits are candidates for what people did to files, with how these stand.
type handEdits struct {
	candidates []strata.Candidate
	stats      []files.Stat
}

// changed adds a file with other bytes than those of the hash base.
func (h *handEdits) changed(scope strata.Scope, f files.File, base string) {
	h.candidates = append(h.candidates, strata.Candidate{
		Scope: scope, Path: f.Path, Content: string(f.Content), BaseHash: base, Origin: strata.OriginFile,
	})
	h.stats = append(h.stats, f.Stat)
}

// removed adds a file that is no longer there.
func (h *handEdits) removed(scope strata.Scope, path, base string) {
	h.candidates = append(h.candidates, strata.Candidate{
		Scope: scope, Path: path, Action: strata.ActionDelete, BaseHash: base, Origin: strata.OriginFile,
	})
	h.stats = append(h.stats, files.Stat{})
}

// renamed adds a file that has another name than memory knows it by, and maybe another
// text than that of the hash base.
func (h *handEdits) renamed(scope strata.Scope, f files.File, from, base string) {
	h.changed(scope, f, base)
	h.candidates[len(h.candidates)-1].RenamedFrom = from
}

// next takes those off that one transaction takes in, at least one.
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

// lookAt compares a file with what memory has of it. One that cannot be read is
// passed over: it is written when it can be. So is one that waits to follow a
// decision: what is read now may be what was there before.
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

// take makes decisions of hand edits and returns those that are new. What memory
// has already is passed over. overtaken says that something else came in
// between, or is about to: those files are to be looked at again.
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
