// Package outage records when a model stops answering and when it answers again.
//
// The store holds the state of each model for all processes together, so that each change
// is one event, however many calls fail in however many processes.
package outage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
	"github.com/strata-memory/strata/store"
)

const (
	// recheckAfter is how long a process relies on what it last noted about a model:
	// another process may have noted something else in the meantime.
	recheckAfter = time.Minute
	// renewAfter is how old the recorded time of the last failed call may get before
	// another failed call replaces it.
	renewAfter = time.Hour
)

// Watch records whether models answer. It is safe for concurrent use.
type Watch struct {
	store store.Store
	now   func() time.Time
	log   *slog.Logger

	mu    sync.Mutex // guards the fields below
	noted map[string]note
}

// note is what this process last noted about a model.
type note struct {
	failing bool
	at      time.Time
}

// New returns a watch over the models of the home behind st.
func New(st store.Store, now func() time.Time, log *slog.Logger) *Watch {
	return &Watch{store: st, now: now, log: log, noted: make(map[string]note)}
}

// Chat returns c with the outcome of its calls reported to w. It returns nil if c is nil.
func (w *Watch) Chat(c llm.Chat) llm.Chat {
	if c == nil {
		return nil
	}
	return &watched{c, w}
}

type watched struct {
	chat  llm.Chat
	watch *Watch
}

func (c *watched) Model() string { return c.chat.Model() }

func (c *watched) Chat(ctx context.Context, req llm.Request, onDelta func(llm.Delta) error) (llm.Reply, error) {
	turnedDown := false // onDelta failed, which says nothing about the model
	reply, err := c.chat.Chat(ctx, req, func(d llm.Delta) error {
		if onDelta == nil {
			return nil
		}
		err := onDelta(d)
		turnedDown = turnedDown || err != nil
		return err
	})
	if !turnedDown {
		c.watch.Tell(ctx, c.Model(), err)
	}
	return reply, err
}

// Tell reports the outcome of a call to a model: err is nil if the model answered. Tell
// ignores errors that are the caller's fault. If it cannot record the outcome, a later
// call will.
func (w *Watch) Tell(ctx context.Context, model string, err error) {
	code, failing, says := judge(ctx, err)
	now := w.now()
	if !says || !w.isNews(model, failing, now) {
		return
	}
	if err := w.record(context.WithoutCancel(ctx), model, code, failing, now); err != nil {
		w.log.Warn("it was not noted whether a model answers", "model", model, "error", err)
	}
}

// judge reports whether err says anything about the model, and if so, whether the model
// is failing.
func judge(ctx context.Context, err error) (code strata.Code, failing, says bool) {
	code = strata.CodeOf(err)
	switch {
	case err == nil:
		return "", false, true
	case ctx.Err() != nil:
		return code, false, false
	case errors.Is(err, context.DeadlineExceeded):
		return strata.CodeUnavailable, true, true
	}
	switch code {
	case strata.CodeUnavailable, strata.CodeCorrupt, strata.CodeInternal, strata.CodeNotFound, strata.CodeDenied, strata.CodeUnsupported:
		return code, true, true
	}
	return code, false, false
}

// isNews reports whether this process last noted the opposite about a model, or nothing
// within recheckAfter, and notes the new state.
func (w *Watch) isNews(model string, failing bool, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, ok := w.noted[model]; ok && n.failing == failing && now.Sub(n.at).Abs() < recheckAfter {
		return false
	}
	w.noted[model] = note{failing, now}
	return true
}

// record stores whether a model answers, and appends an event if that has changed.
// Usually it has not, and record writes nothing.
func (w *Watch) record(ctx context.Context, model string, code strata.Code, failing bool, now time.Time) error {
	changes := func(r store.Reader) (change, error) {
		was, err := noted(ctx, r, model)
		return change{was, failing != !was.Since.IsZero(), failing && now.Sub(was.Last).Abs() >= renewAfter}, err
	}
	c, err := store.Read(ctx, w.store, changes)
	if err != nil || !c.state && !c.last {
		return err
	}
	return w.store.Update(ctx, func(tx store.Writer) error {
		c, err := changes(tx)
		if err != nil || !c.state && !c.last {
			return err
		}
		is := store.ModelOutage{Model: model}
		if failing {
			is = store.ModelOutage{Model: model, Since: c.was.Since, Last: now, Code: code}
			if c.state {
				is.Since = now
			}
		}
		if err := tx.SetModelOutage(ctx, is); err != nil || !c.state {
			return err
		}
		e := strata.Event{Kind: strata.EventModelFailed, Scope: strata.Global(), Ref: model, Detail: string(code), At: tx.Now()}
		if !failing {
			e.Kind, e.Detail = strata.EventModelRecovered, fmt.Sprintf("after %s", max(now.Sub(c.was.Since), 0).Round(time.Second))
		}
		return tx.AppendEvent(ctx, e)
	})
}

// change is what to update in the recorded state of a model.
type change struct {
	was   store.ModelOutage
	state bool // whether the model answers has changed
	last  bool // the time of the last failure is to be updated
}

// noted returns the recorded outage of a model; zero if the model answers.
func noted(ctx context.Context, r store.Reader, model string) (store.ModelOutage, error) {
	list, err := r.ModelOutages(ctx)
	if i := slices.IndexFunc(list, func(o store.ModelOutage) bool { return o.Model == model }); i >= 0 {
		return list[i], err
	}
	return store.ModelOutage{}, err
}

// ModelOutages lists the models that do not answer, by name.
func (w *Watch) ModelOutages(ctx context.Context) ([]store.ModelOutage, error) {
	return store.Read(ctx, w.store, func(r store.Reader) ([]store.ModelOutage, error) { return r.ModelOutages(ctx) })
}
