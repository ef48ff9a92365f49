package engine

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/files"
	"github.com/strata-memory/strata/store"
)

// place is where a document lies.
type place struct {
	scope strata.Scope
	path  string
}

// noticeHandEdits takes in what a person did to the files that are about to be
// written, so that their text is in the history before another takes its place,
// and a writer who did not see it is told.
func (e *Engine) noticeHandEdits(ctx context.Context, proposals []proposal) error {
	if e.opts.Tree == nil {
		return nil
	}
	var found handEdits
	seen := make(map[place]bool)
	for _, p := range proposals {
		c := p.candidate
		if p.sheet == nil || c.Origin == strata.OriginFile {
			continue
		}
		for _, s := range p.owners {
			at := place{s, c.Path}
			if seen[at] {
				continue
			}
			seen[at] = true
			if _, err := e.lookAt(ctx, at, &found); err != nil {
				return err
			}
		}
	}
	_, _, err := e.takeIn(ctx, found)
	return err
}

// noticeHandEdit is noticeHandEdits for one file.
func (e *Engine) noticeHandEdit(ctx context.Context, at place) error {
	if e.opts.Tree == nil {
		return nil
	}
	var found handEdits
	if _, err := e.lookAt(ctx, at, &found); err != nil {
		return err
	}
	_, _, err := e.takeIn(ctx, found)
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
		Scope: scope, Path: path, Wish: strata.WishDelete, BaseHash: base, Origin: strata.OriginFile,
	})
	h.stats = append(h.stats, files.Stat{})
}

// size is how many bytes of text there are.
func (h *handEdits) size() int {
	n := 0
	for _, c := range h.candidates {
		n += len(c.Content)
	}
	return n
}

// removes reports whether a file is gone.
func (h *handEdits) removes() bool {
	return slices.ContainsFunc(h.candidates, func(c strata.Candidate) bool { return c.Wish == strata.WishDelete })
}

// lookAt compares a file with what memory has of it. One that cannot be read is
// passed over: what is written to it will find out. So is one that waits to
// follow a decision: what is read now may be what was there before.
func (e *Engine) lookAt(ctx context.Context, at place, found *handEdits) (waits bool, err error) {
	var before *strata.Document
	err = e.store.View(ctx, func(r store.Reader) error {
		var err error
		if before, err = documentAt(ctx, r, at.scope, at.path); err != nil {
			return err
		}
		waits, err = isPending(ctx, r, at.scope, at.path)
		return err
	})
	if err != nil || waits {
		return waits, err
	}
	base := strata.NoFile
	if before != nil {
		base = before.Hash
	}
	f, err := e.opts.Tree.Read(ctx, at.scope, at.path)
	switch code := strata.CodeOf(err); {
	case code == strata.CodeCanceled:
		return false, err
	case code == strata.CodeNotFound && before != nil:
		found.removed(at.scope, at.path, base)
	case code == "" && f.Hash != base:
		found.changed(at.scope, f, base)
	}
	return false, nil
}

// takeIn makes decisions of hand edits and returns those that are new. What
// memory has already is passed over. overtaken says that something else came in
// between, or is about to: those files are to be looked at again.
func (e *Engine) takeIn(ctx context.Context, found handEdits) (taken []strata.Decision, overtaken bool, err error) {
	if len(found.candidates) == 0 {
		return nil, false, nil
	}
	proposals, err := e.prepare(ctx, found.candidates, found.stats)
	if err != nil {
		return nil, false, err
	}
	decisions, err := e.settle(ctx, prepared(proposals))
	if err != nil {
		return nil, false, err
	}
	for i, d := range decisions {
		if proposals[i].sheet.fresh {
			taken = append(taken, d)
		}
		overtaken = overtaken || proposals[i].sheet.overtaken
		if proposals[i].sheet.quiet {
			e.render(proposals[i].candidate.Scope, partOf(proposals[i].candidate.Path))
		}
	}
	return taken, overtaken, nil
}
