package transfer

import (
	"context"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/store"
)

// openSession begins a session of the export. If the session was closed, it is closed
// once everything that belongs to it has been read.
func (im *importer) openSession(ctx context.Context, s strata.Session) error {
	if err := s.Validate(); err != nil {
		return err
	}
	if err := im.endSession(ctx); err != nil {
		return err
	}
	im.session = &s
	im.kinds[s.Scope.Key()+" "+s.ID] = s.Kind
	if im.opts.DryRun {
		return nil
	}
	_, err := im.memory.OpenSession(ctx, s)
	return err
}

// endSession writes the queued turns and, if the current session was closed, closes it.
func (im *importer) endSession(ctx context.Context) error {
	if err := im.flushTurns(ctx); err != nil {
		return err
	}
	s := im.session
	im.session = nil
	if s == nil || s.ClosedAt == nil || im.opts.DryRun {
		return nil
	}
	return im.memory.CloseSessionAt(ctx, s.Scope, s.ID, *s.ClosedAt)
}

// addSnapshot stores a snapshot unless the session has one.
func (im *importer) addSnapshot(ctx context.Context, s strata.Snapshot) error {
	if err := s.Validate(); err != nil {
		return err
	}
	return im.addUnlessKnown(ctx, s.Scope, s.Session,
		func(r store.Reader) error { _, err := r.Snapshot(ctx, s.Scope, s.Session); return err },
		func() error { _, err := im.memory.PutSnapshot(ctx, s); return err })
}

// addState stores the state of a session unless the session has one.
func (im *importer) addState(ctx context.Context, s stateRecord) error {
	if err := strata.ValidateName("session", s.Session); err != nil {
		return err
	}
	return im.addUnlessKnown(ctx, s.Scope, s.Session,
		func(r store.Reader) error { _, err := r.SessionState(ctx, s.Scope, s.Session); return err },
		func() error {
			err := im.memory.PutSessionState(ctx, s.Scope, s.Session, s.Data)
			if strata.CodeOf(err) == strata.CodeRejectedSecret {
				im.report.Rejected++
				return nil
			}
			return err
		})
}

// addUnlessKnown calls add for an item of a session, after writing its turns, unless know
// finds that there is one.
func (im *importer) addUnlessKnown(ctx context.Context, scope strata.Scope, session string, know func(store.Reader) error, add func() error) error {
	if err := scope.Validate(); err != nil {
		return err
	}
	if err := im.flushTurns(ctx); err != nil || im.opts.DryRun {
		return err
	}
	err := im.store.View(ctx, know)
	switch strata.CodeOf(err) {
	case "", strata.CodeCorrupt:
		return nil
	case strata.CodeNotFound:
		return add()
	}
	return err
}

// addLearning keeps a learning with its count, unless the learning is known.
func (im *importer) addLearning(ctx context.Context, l strata.Learning) error {
	if err := l.Scope.Validate(); err != nil {
		return err
	}
	if l.Forgotten {
		im.report.Skipped++
		return nil
	}
	if err := l.Validate(); err != nil {
		return err
	}
	if err := strata.ValidateName("learning id", l.ID); err != nil {
		return err
	}
	if err := checkTime("learning", l.FirstAt, l.LastAt); err != nil {
		return err
	}
	known, err := im.memory.KnowsLearning(ctx, l)
	if err != nil {
		return err
	}
	if known {
		im.report.Known++
		return nil
	}
	if !im.opts.DryRun {
		if _, err := im.memory.Learn(ctx, l.Scope, l); strata.CodeOf(err) == strata.CodeForgotten {
			im.report.Skipped++
			return nil
		} else if err != nil {
			return err
		}
	}
	im.report.Learnings++
	return nil
}

// addOutcome stores a tool outcome unless it is known.
func (im *importer) addOutcome(ctx context.Context, o strata.ToolOutcome) error {
	if err := o.Scope.Validate(); err != nil {
		return err
	}
	if err := o.Validate(); err != nil {
		return err
	}
	if err := checkTime("tool outcome", o.At); err != nil {
		return err
	}
	known := false
	tool, _ := secrets.Redact(o.Tool)
	err := im.store.View(ctx, func(r store.Reader) error {
		list, err := r.Outcomes(ctx, o.Scope, store.OutcomeFilter{Tool: tool, Params: o.Params, Limit: store.KeptOutcomes})
		for _, other := range list {
			known = known || other.At.Equal(o.At.Truncate(time.Microsecond))
		}
		return err
	})
	switch {
	case err != nil:
		return err
	case known:
		im.report.Known++
		return nil
	case !im.opts.DryRun:
		if err := im.memory.RecordOutcome(ctx, o.Scope, o); err != nil {
			return err
		}
	}
	im.report.Learnings++
	return nil
}

// checkTime returns an error for times that a store cannot represent.
func checkTime(what string, times ...time.Time) error {
	for _, t := range times {
		if y := t.Year(); y < 1 || y > 9999 {
			return strata.Invalid("import", "the time of the "+what+" is not valid", "write it as RFC 3339")
		}
	}
	return nil
}
