package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/worker"
	"github.com/strata-memory/strata/internal/documents/checkpoint"
	"github.com/strata-memory/strata/internal/dream"
	"github.com/strata-memory/strata/internal/dream/skills"
	"github.com/strata-memory/strata/internal/dream/summary"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/files"
	"log/slog"
)

// dreamCheck is how often an open engine checks whether a scope is due for a dream.
const dreamCheck = 30 * time.Minute

// dreams consolidates scopes in the background, never inside a user's call.
type dreams struct {
	*dream.Dreamer
	work  *worker.Worker
	check worker.Task // wakes work to check whether a scope is due
	// session is set when a session ended and no check for due scopes has followed.
	session atomic.Bool
}

// openDreams starts the parts that consolidate memory, in the background when due.
func (e *Engine) openDreams() {
	e.dreams.Dreamer = dream.New(dream.Options{
		Store: e.store, IDs: &e.ids, Now: e.opts.Now, Logger: e.opts.Logger, Settings: e.opts.Dreams,
		Projector: e.projector, Unused: e.unusedSkills,
	})
	e.Journal = dream.NewJournal(e.dreams.Dreamer)
	var model llm.Chat // nil if the background must not use the model
	if !e.opts.ModelOnCall {
		model = e.opts.Model
	}
	e.summaries = summary.New(summary.Options{Store: e.store, Model: model, Intake: e.Intake, Write: e.Write})
	e.drafts = skills.New(skills.Options{Store: e.store, Model: model, Intake: e.Intake, Write: e.Write, Now: e.opts.Now})
	e.dreams.work = worker.New(e.opts.Logger, "dream", e.dreamDue).Start()
	if e.opts.DreamMeanwhile && !e.opts.Dreams.Disabled {
		e.dreams.work.Wake()
		e.dreams.check.Start(dreamCheck, func(context.Context) { e.dreams.work.Wake() })
	}
}

// ended notes that a session ended, after which a scope may be due.
func (d *dreams) ended() {
	d.session.Store(true)
	d.work.Wake()
}

// drain waits for dreams in progress. If a session ended since the last check, it runs
// the dreams that are due.
func (d *dreams) drain(ctx context.Context) error {
	return d.work.DrainWith(ctx, func(ctx context.Context) error {
		if !d.session.Load() {
			return nil
		}
		return d.work.Run(ctx)
	})
}

// finish stops the background work. Dreams due since a session ended are run first, for
// at most closeWait.
func (d *dreams) finish(log *slog.Logger) {
	d.check.Close()
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if err := d.drain(ctx); err != nil {
		log.Warn("a dream is not done", "error", err)
	}
	d.work.Close()
}

// dreamDue runs the dreams of every scope that is due.
func (e *Engine) dreamDue(ctx context.Context) error {
	e.dreams.session.Store(false)
	due, err := e.dreams.Due(ctx)
	if err != nil {
		return err
	}
	var errs []error
	for _, s := range due {
		_, err := e.Dream(ctx, s, strata.DreamScheduled)
		if strata.CodeOf(err) == strata.CodeReadOnly {
			return nil // another process does it
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// Dream runs a dream of a scope now if the gates for the trigger are open.
func (e *Engine) Dream(ctx context.Context, scope strata.Scope, trigger strata.DreamTrigger) (DreamResult, error) {
	return e.dreamt(ctx, func() (DreamResult, error) { return e.dreams.Dream(ctx, scope, trigger) })
}

// RetryDream repeats a dream that failed. See [dream.Dreamer.Retry].
func (e *Engine) RetryDream(ctx context.Context, view strata.View, id string) (DreamResult, error) {
	return e.dreamt(ctx, func() (DreamResult, error) { return e.dreams.Retry(ctx, view, id) })
}

// dreamt runs a dream and the work that follows from it.
func (e *Engine) dreamt(ctx context.Context, dreams func() (DreamResult, error)) (DreamResult, error) {
	if err := e.recorder.flush(ctx); err != nil {
		return DreamResult{}, err
	}
	res, err := dreams()
	if err != nil || res.Dream == nil || res.Repeated {
		return res, err
	}
	if res.Dream.Tagged > 0 {
		e.models.Wake()
	}
	for _, keep := range []func(context.Context, strata.Scope) error{e.summaries.Keep, e.drafts.Keep} {
		if err := keep(ctx, res.Scope); err != nil {
			e.opts.Logger.Warn("the summary or a skill does not follow a dream", "scope", res.Scope.Key(), "error", err)
		}
	}
	e.commitDream(ctx, res)
	return res, nil
}

// AnswerQuestion applies the user's answer to a question of a dream: the id of the fact
// that holds, or [strata.AnswerBoth]. See [dream.Dreamer.Answer].
func (e *Engine) AnswerQuestion(ctx context.Context, view strata.View, question, answer string, by strata.Origin) (strata.Question, strata.Decision, error) {
	q, d, err := e.dreams.Answer(ctx, view, question, answer, by)
	if err == nil && d.Op.Changed() {
		e.projector.Decided(d)
	}
	return q, d, err
}

// unusedSkills returns the skills of a scope that nobody opened for a given time.
func (e *Engine) unusedSkills(ctx context.Context, scope strata.Scope, unused time.Duration) ([]dream.Archival, error) {
	stale, err := e.StaleSkills(ctx, scope, unused)
	out := make([]dream.Archival, len(stale))
	for i, s := range stale {
		p, err := propose(s.Archive)
		if err != nil {
			return nil, err
		}
		out[i] = dream.Archival{
			Item: strata.DreamItem{Memory: s.ID, Outcome: strata.DreamUnused, Reason: s.Reason},
			Write: func(ctx context.Context, w store.Writer) error {
				_, err := e.decideAll(ctx, w, newLookups(e, w), []proposal{p})
				return err
			},
		}
	}
	return out, err
}

// commitDream commits the files that a dream changed.
func (e *Engine) commitDream(ctx context.Context, res DreamResult) {
	if res.Waiting == nil {
		e.commitChanged(ctx, files.Message{Subject: checkpoint.SubjectDream, Body: "dream: " + res.Dream.ID, Agent: res.Scope.Agent})
	}
}
