package projection

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/failpoint"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
)

// rendering is a batch of outstanding decisions of one scope on its way into
// files. The lock of the scope is held.
type rendering struct {
	*Projector
	scope   strata.Scope
	pending []strata.Decision
	// what are the generated parts to render, because they were asked for or
	// because a decision of the batch leaves them dirty.
	what markdown.Parts
	// aside are the decisions that can never be rendered, with the reason, and
	// left those that cannot be now.
	aside map[string]string
	left  map[string]bool
	waits error // why the first of these waits
	// gone are the ids of decisions whose lines are to go: about facts that were
	// deleted or forgotten. The lines of those in past stay in the daily logs alone:
	// the facts say something else now.
	gone, past map[string]bool
	// dreamt is the newest dream that the files have followed; empty for none.
	dreamt string
	// written are the files as they stand now.
	written []writtenFile
}

// writtenFile is a file as it was left.
type writtenFile struct {
	file files.File
	// generated says that no decision has its text: what memory holds was rendered
	// into the file whose hash is base. human is the text around the generated parts
	// in a file that nobody has written into yet.
	generated   bool
	base, human string
	// version is what memory keeps of a generated file, and sections are its
	// parts: see describe.
	version  strata.Document
	sections []strata.Section
}

func newRendering(p *Projector, scope strata.Scope, pending []strata.Decision, what markdown.Parts) *rendering {
	return &rendering{
		Projector: p, scope: scope, pending: pending, what: what, aside: make(map[string]string), left: make(map[string]bool),
		gone: make(map[string]bool), past: make(map[string]bool),
	}
}

// run writes the files and stamps the decisions. It returns an error only
// where nothing more can be done; see waits.
func (r *rendering) run(ctx context.Context) error {
	failpoint.Hit(failpoint.ProjectBegun)
	for _, step := range []func(context.Context) error{r.aboutPromoted, r.documents, r.daily, r.index, r.learnings, r.dreams} {
		if err := step(ctx); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	failpoint.Hit(failpoint.ProjectDone)
	return r.stamp(ctx)
}

// fail keeps decisions from being stamped: those that a later try may help wait
// for it, the others are set aside.
func (r *rendering) fail(err error, decisions ...strata.Decision) {
	if files.IsFinal(strata.CodeOf(err)) {
		r.setAside(text.Clip(err.Error(), 200), decisions...)
		return
	}
	r.wait(err, decisions...)
}

// wait keeps decisions from being stamped until a later try.
func (r *rendering) wait(err error, decisions ...strata.Decision) {
	if r.waits == nil {
		r.waits = err
	}
	for _, d := range decisions {
		r.left[d.ID] = true
	}
}

func (r *rendering) setAside(reason string, decisions ...strata.Decision) {
	for _, d := range decisions {
		r.aside[d.ID] = reason
		r.o.Logger.Warn("a decision was set aside", "decision", d.ID, "reason", reason)
	}
}

// blocked reports whether an earlier write showed that no other can succeed.
func (r *rendering) blocked() bool {
	switch strata.CodeOf(r.waits) {
	case strata.CodeUnavailable, strata.CodeReadOnly, strata.CodeFull:
		return true
	}
	return false
}

// rewriteTries is how often a generated part is rendered into a file that
// somebody else writes at the same time.
const rewriteTries = 8

// rewrite changes the generated parts of a file, whatever people have written
// around them by then. change must keep that.
func (r *rendering) rewrite(ctx context.Context, path string, change func(content string) string) error {
	if r.blocked() {
		return r.waits
	}
	for try := 1; ; try++ {
		old, err := r.read(ctx, path)
		if err != nil {
			return err
		}
		next := change(string(old.Content))
		if old.Hash == strata.NoFile && next == "" {
			return nil
		}
		f := old
		if next != string(old.Content) {
			if err := r.noticeHuman(ctx, old); err != nil {
				return err
			}
			f, err = r.o.Tree.Write(ctx, r.scope, path, []byte(next), old.Hash)
			switch {
			case strata.CodeOf(err) == strata.CodeConflict && try < rewriteTries:
				continue // a person, or a program of theirs, was faster
			case strata.CodeOf(err) == strata.CodeConflict:
				return &strata.Error{Code: strata.CodeBusy, Op: "render files", Message: path + " changes all the time",
					Hint: "it is tried again", Err: err}
			case err != nil:
				return err
			}
			r.Wrote(r.scope)
			failpoint.Hit(failpoint.ProjectWritten)
		}
		f.Path, f.Content = path, []byte(next)
		base := r.dropWritten(path, old.Hash)
		r.written = append(r.written, writtenFile{file: f, generated: true, base: base, human: markdown.Human(path, change(""))})
		return nil
	}
}

// dropWritten forgets that the batch wrote a file with a hash, over which it wrote again,
// and returns the hash that the file had before both.
func (r *rendering) dropWritten(path, hash string) string {
	i := slices.IndexFunc(r.written, func(w writtenFile) bool { return w.file.Path == path && w.file.Hash == hash })
	if i < 0 {
		return hash
	}
	if r.written[i].generated {
		hash = r.written[i].base
	}
	r.written = slices.Delete(r.written, i, i+1)
	return hash
}

// noticeHuman has the text of a file taken in that people wrote into it since
// memory saw it, so that it is in the history before the file is written. Where
// something was forgotten the file may still hold it: then it is written first,
// and the look that follows finds the rest.
func (r *rendering) noticeHuman(ctx context.Context, now files.File) error {
	if r.forgets() {
		return nil
	}
	known, err := store.Read(ctx, r.o.Store, func(v store.Reader) (*strata.Document, error) {
		return documents.At(ctx, v, r.scope, now.Path)
	})
	if err != nil || now.Hash == documents.HashOf(known) {
		return err
	}
	was := markdown.Begun(now.Path)
	if known != nil {
		was = known.Content
	}
	if markdown.SameHuman(markdown.Human(now.Path, string(now.Content)), markdown.Human(now.Path, was)) {
		return nil
	}
	err = r.o.Notice(ctx, documents.Place{Scope: r.scope, Path: now.Path})
	if strata.CodeOf(err) == strata.CodeConflict {
		return nil // it changed again: the look that follows finds it
	}
	return err
}

// stamp records in one transaction what was rendered and how the files stand,
// so that no scan takes them for edits by hand.
func (r *rendering) stamp(ctx context.Context) error {
	if len(r.pending) == len(r.left) && len(r.written) == 0 {
		return nil
	}
	for i := range r.written { // here, for saves wait for the transaction
		r.written[i].describe(r.scope)
	}
	return r.o.Store.Update(ctx, func(w store.Writer) error {
		if err := r.stampDecisions(ctx, w); err != nil {
			return err
		}
		if r.dreamt != "" {
			if err := w.StampDreams(ctx, r.scope, r.dreamt); err != nil {
				return err
			}
		}
		tx := documents.NewTx(w, r.o.IDs, r.o.Models)
		for _, f := range r.written {
			if err := r.record(ctx, w, tx, f); err != nil {
				return err
			}
		}
		failpoint.Hit(failpoint.ProjectStamped)
		return nil
	})
}

// stampDecisions stamps the decisions that were rendered, and sets those aside
// that cannot be.
func (r *rendering) stampDecisions(ctx context.Context, w store.Writer) error {
	var done []string
	for _, d := range r.pending {
		reason, aside := r.aside[d.ID]
		switch {
		case r.left[d.ID]:
		case !aside:
			done = append(done, d.ID)
		default:
			err := w.StampDecisions(ctx, r.scope, []string{d.ID}, reason)
			if err == nil {
				err = w.AppendEvent(ctx, strata.Event{Kind: strata.EventSetAside, Scope: r.scope, Ref: d.ID, Detail: reason, At: w.Now()})
			}
			if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
				return err
			}
		}
	}
	err := w.StampDecisions(ctx, r.scope, done, "")
	if strata.CodeOf(err) == strata.CodeNotFound {
		return nil // the scope was reset meanwhile
	}
	for _, d := range r.pending {
		// The file is gone, and nobody needs to know where it was.
		if err == nil && d.Op == strata.OpForget && d.Document != nil && slices.Contains(done, d.ID) {
			err = w.ForgetPath(ctx, r.scope, d.Document.Before.ID)
		}
	}
	return err
}
