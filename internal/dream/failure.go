package dream

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

// maxFailure is the maximum length in bytes of the recorded reason for a failed dream.
const maxFailure = 200

// fail records a dream that failed, and returns an error that says how to retry it. It
// does not record a dream that was canceled or taken over by another process, or one that
// failed because the home could not be written: the next check tries those again.
func (d *Dreamer) fail(ctx context.Context, scope strata.Scope, trigger strata.DreamTrigger, began time.Time, why error) error {
	code := strata.CodeOf(why)
	if ctx.Err() != nil || errors.Is(why, errLost) || code == strata.CodeReadOnly || code == strata.CodeBusy {
		return why
	}
	reason, _ := secrets.Redact(strata.MessageOf(why))
	failed := strata.Dream{ID: d.o.IDs.New(id.Dream, began), Scope: scope, Trigger: trigger, StartedAt: micro(began), FinishedAt: micro(began),
		Failure: cmp.Or(text.Clip(reason, maxFailure), string(code))}
	if end := micro(d.o.Now()); end.After(failed.StartedAt) {
		failed.FinishedAt = end
	}
	err := d.o.Store.Update(ctx, func(w store.Writer) error {
		if err := w.AppendDream(ctx, failed); err != nil {
			return err
		}
		return w.AppendEvent(ctx, strata.Event{Kind: strata.EventDreamFailed, Scope: scope, Ref: failed.ID, Detail: string(code)})
	})
	if err != nil {
		d.o.Logger.Warn("a dream failed, and so did recording that", "scope", scope.Key(), "error", err)
		return why
	}
	if err := d.o.Projector.Scopes(ctx, scope); err != nil {
		d.o.Logger.Warn("files do not follow a dream yet", "scope", scope.Key(), "error", err)
	}
	return &strata.Error{Code: code, Op: "dream", Message: failed.Failure, Hint: "strata dream retry " + failed.ID, Err: why}
}

// Retry runs a dream in place of a failed one of a view, past the gates of time and
// sessions. It returns [strata.CodeConflict] if that dream did not fail, or if a later
// one succeeded.
func (d *Dreamer) Retry(ctx context.Context, view strata.View, dream string) (Result, error) {
	if err := view.Validate(); err != nil {
		return Result{}, err
	}
	failed, err := store.Read(ctx, d.o.Store, func(r store.Reader) (strata.Dream, error) {
		failed, err := r.Dream(ctx, view.Scopes, dream)
		if err != nil {
			return failed, err
		}
		if failed.Failure == "" {
			return failed, notToRetry(failed, "it was carried out")
		}
		since, err := r.Dreams(ctx, failed.Scope, store.DreamFilter{Limit: store.KeptDreams})
		for _, d := range since {
			if d.ID == failed.ID {
				break
			}
			if d.Failure == "" {
				return failed, notToRetry(failed, "a later one, "+d.ID+", did what it was to do")
			}
		}
		return failed, err
	})
	if err != nil {
		return Result{Scope: failed.Scope}, err
	}
	return d.Dream(ctx, failed.Scope, strata.DreamRetried)
}

func notToRetry(d strata.Dream, why string) error {
	return &strata.Error{Code: strata.CodeConflict, Op: "retry dream", Message: "dream " + d.ID + " need not be retried: " + why,
		Hint: "strata dream trigger begins another"}
}

// lastDone returns the last successful dream of a scope, or nil if there is none.
func lastDone(ctx context.Context, r store.Reader, scope strata.Scope) (*strata.Dream, error) {
	for _, limit := range []int{1, store.KeptDreams} { // the last dream has nearly always succeeded
		list, err := r.Dreams(ctx, scope, store.DreamFilter{Limit: limit})
		if err != nil {
			return nil, err
		}
		for _, d := range list {
			if d.Failure == "" {
				return &d, nil
			}
		}
	}
	return nil, nil
}
