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

// rendering renders a batch of outstanding decisions of one scope into files. The lock of
// the scope must be held.
type rendering struct {
	*Projector
	scope   strata.Scope
	pending []strata.Decision
	// what has the generated parts to render, because they were requested or a decision
	// of the batch makes them stale.
	what markdown.Parts
	// aside maps the ids of decisions that can never be rendered to the reasons. left has
	// the ids of those that cannot be rendered now.
	aside map[string]string
	left  map[string]bool
	waits error // why the first of these cannot be rendered
	// gone has the ids of decisions whose lines must be removed, since their facts were
	// deleted or forgotten. The lines of those in past are kept in daily logs only, since
	// their facts have changed.
	gone, past map[string]bool
	// dreamt is the id of the newest dream rendered into files; empty for none.
	dreamt string
	// written has the files in their new state.
	written []writtenFile
}

// writtenFile is a file as it was written.
type writtenFile struct {
	file files.File
	// generated means that the content is not that of a decision but was rendered into
	// the file with the hash base. human is the text around the generated parts in a new
	// file of this kind.
	generated   bool
	base, human string
	// version is what memory stores about a generated file, with its sections; see
	// describe.
	version  strata.Document
	sections []strata.Section
}

func newRendering(p *Projector, scope strata.Scope, pending []strata.Decision, what markdown.Parts) *rendering {
	return &rendering{
		Projector: p, scope: scope, pending: pending, what: what, aside: make(map[string]string), left: make(map[string]bool),
		gone: make(map[string]bool), past: make(map[string]bool),
	}
}

// run writes the files and stamps the decisions. It returns an error only if it has to
// stop; otherwise see waits.
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

// fail prevents decisions from being stamped. They wait if a later try may succeed, and
// are set aside otherwise.
func (r *rendering) fail(err error, decisions ...strata.Decision) {
	if files.IsFinal(strata.CodeOf(err)) {
		r.setAside(text.Clip(err.Error(), 200), decisions...)
		return
	}
	r.wait(err, decisions...)
}

// wait leaves decisions for a later try.
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

// blocked reports whether an earlier error means that no write can succeed now.
func (r *rendering) blocked() bool {
	switch strata.CodeOf(r.waits) {
	case strata.CodeUnavailable, strata.CodeReadOnly, strata.CodeFull:
		return true
	}
	return false
}

// rewriteTries is how often rendering into a file is tried while others write the file.
const rewriteTries = 8

// rewrite changes the generated parts of a file. change must keep what people have
// written around them.
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

// dropWritten drops the record of a file that the batch has now written again. It returns
// the hash of the file before the first write.
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

// noticeHuman records what people have written into a file since memory last read it, so
// that it is in the history before the file is written. If the batch forgets something,
// which the file may still contain, the file is written first, and the next scan finds
// the rest.
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
		return nil // it changed again; the next scan finds it
	}
	return err
}

// stamp records, in one transaction, what was rendered and the new state of the files, so
// that no scan takes them for hand edits.
func (r *rendering) stamp(ctx context.Context) error {
	if len(r.pending) == len(r.left) && len(r.written) == 0 {
		return nil
	}
	for i := range r.written { // before the transaction, which blocks saves
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

// stampDecisions stamps the decisions that were rendered, and sets aside those that
// cannot be.
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
		return nil // the scope was reset in the meantime
	}
	for _, d := range r.pending {
		// The file is gone, and its path must not be kept.
		if err == nil && d.Op == strata.OpForget && d.Document != nil && slices.Contains(done, d.ID) {
			err = w.ForgetPath(ctx, r.scope, d.Document.Before.ID)
		}
	}
	return err
}
