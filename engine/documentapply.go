package engine

import (
	"context"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/controller"
	"github.com/strata-memory/strata/embedding"
	"github.com/strata-memory/strata/internal/failpoint"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/store"
)

// forgottenFile is what is said of a file that holds what was forgotten.
const forgottenFile = "holds what was forgotten: it is not read"

// documentDecision turns an outcome into the decision it will be recorded as,
// with the version it brings. A decision that a file has to follow is left
// outstanding; what a person did to a file has followed already.
func (e *Engine) documentDecision(ctx context.Context, r store.Reader, p *proposal, o controller.Outcome, now time.Time) (strata.Decision, error) {
	d := e.blankDecision(p, o, now)
	sh := p.sheet
	d.Document = &strata.DocumentChange{Path: p.candidate.Path}
	if !o.Op.Changed() || d.Origin == strata.OriginFile {
		d.AppliedAt = &now
	}
	switch o.Op {
	case strata.OpUpdate, strata.OpDelete:
		d.Document.Before = sh.before
	}
	if o.Op != strata.OpAdd && o.Op != strata.OpUpdate {
		return d, nil
	}
	after, err := e.nextVersion(ctx, r, p, now)
	d.Document.After = &after
	return d, err
}

// nextVersion is the version of a document that a proposal brings.
func (e *Engine) nextVersion(ctx context.Context, r store.Reader, p *proposal, now time.Time) (strata.Document, error) {
	sh, c := p.sheet, p.candidate
	d := sh.doc
	d.Scope, d.RecordedAt, d.ModifiedAt, d.Generation = c.Scope, now, now, 1
	if !sh.modified.IsZero() {
		d.ModifiedAt = sh.modified
	}
	if sh.forgotten && !c.Origin.Explicit() {
		d.Content, d.Name, d.Description, d.Problem = "", "", "", forgottenFile
	}
	before := sh.before
	if before == nil {
		last, err := newestOf(ctx, r, c.Scope, c.Path)
		if err != nil {
			return d, err
		}
		if last.Op == strata.OpDelete && last.Document != nil {
			before = last.Document.Before // the path has an id already
		}
	}
	if before == nil {
		d.ID = e.ids.New(id.Document, now)
		return d, nil
	}
	d.ID, d.Generation = before.ID, before.Generation+1
	return d, nil
}

// applyDocument carries an outcome out and records the decision, in the
// transaction.
func (e *Engine) applyDocument(ctx context.Context, w store.Writer, shelf *shelf, p *proposal, o controller.Outcome) (strata.Decision, error) {
	now := w.Now()
	d, err := e.documentDecision(ctx, w, p, o, now)
	if err != nil {
		return d, err
	}
	event := strata.Event{Kind: strata.EventWriteCommitted, Scope: d.Scope, Ref: d.ID, Detail: string(d.Op), At: now}
	switch o.Op {
	case strata.OpReject:
		event.Kind = strata.EventWriteRejected
	case strata.OpNoop:
		event.Kind = strata.EventWriteNoop
	case strata.OpDelete:
		err = w.RemoveDocument(ctx, d.Scope, p.candidate.Path)
		shelf.recorded(d.Scope, p.candidate.Path, false)
		failpoint.Hit(failpoint.WriteRetired)
	default:
		err = e.keepDocument(ctx, w, shelf, *d.Document.After, p.sheet.sections, p.sheet.vectors)
	}
	if err != nil {
		return d, err
	}
	if handPart(d) != 0 {
		if err := markUntrue(ctx, w, shelf, d.Scope, p.candidate.Path); err != nil {
			return d, err
		}
	}
	p.sheet.fresh = true
	if err := w.AppendDecision(ctx, d); err != nil {
		return d, err
	}
	return d, w.AppendEvent(ctx, event)
}

// keepDocument records a version of a document and indexes what of it is new.
func (e *Engine) keepDocument(ctx context.Context, w store.Writer, shelf *shelf, d strata.Document, sections []strata.Section, vectors map[string]store.Vectors) error {
	if d.Content == "" {
		sections = nil
	}
	stored, err := w.PutDocument(ctx, d, sections)
	if err != nil {
		return err
	}
	shelf.recorded(d.Scope, d.Path, true)
	failpoint.Hit(failpoint.WriteStored)
	st, err := shelf.state(ctx)
	if err != nil {
		return err
	}
	for i, s := range stored {
		if !s.New {
			continue
		}
		section := sections[i]
		section.Document, section.Path, section.Seq = d.ID, d.Path, int64(i+1)
		passage := sectionPassage(s.Number, d, section)
		if err := embedding.Put(ctx, w, st, passage, vectors[passage.Text]); err != nil {
			return err
		}
	}
	failpoint.Hit(failpoint.WriteIndexed)
	return nil
}

// recordQuietly records what changed in a file without a decision: that which
// is generated. The sections that people wrote may stand on other lines now.
func (e *Engine) recordQuietly(ctx context.Context, w store.Writer, shelf *shelf, p *proposal) error {
	if p.sheet == nil || !p.sheet.quiet {
		return nil
	}
	if p.candidate.Wish == strata.WishDelete {
		shelf.recorded(p.candidate.Scope, p.candidate.Path, false)
		return w.RemoveDocument(ctx, p.candidate.Scope, p.candidate.Path)
	}
	d, err := e.nextVersion(ctx, w, p, w.Now())
	if err != nil {
		return err
	}
	if err := e.keepDocument(ctx, w, shelf, d, p.sheet.sections, p.sheet.vectors); err != nil {
		return err
	}
	return markUntrue(ctx, w, shelf, d.Scope, d.Path)
}

// blanked reports whether what a version of a document said was forgotten.
func blanked(d *strata.Document) bool {
	return d != nil && strings.TrimSpace(d.Content) == strata.ForgottenText
}
