// Package outage tells when a model stops answering, and when it answers again.
//
// What is known of a model is in the store, for all processes together, so that a change
// has one event however many calls fail and whoever makes them.
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
	// trusted is for how long what was noted of a model is not looked at again: another
	// process may have noted something else meanwhile.
	trusted = time.Minute
	// renewed is how old the last failed call that is noted grows before another takes
	// its place.
	renewed = time.Hour
)

// Watch notes of models whether they answer. It is safe for concurrent use.
type Watch struct {
	store store.Store
	now   func() time.Time
	log   *slog.Logger

	mu    sync.Mutex // guards what follows
	noted map[string]note
}

// note is what this process noted of a model last.
type note struct {
	failing bool
	at      time.Time
}

// New returns a watch over the models of the home behind a store.
func New(st store.Store, now func() time.Time, log *slog.Logger) *Watch {
	return &Watch{store: st, now: now, log: log, noted: make(map[string]note)}
}

// Chat returns a model whose calls are told. Nil stays nil.
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
	turnedDown := false // by whoever reads the answer, which says nothing of the model
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

// Tell says how a call of a model went: err is nil if it answered. An error that is the
// caller's says nothing of the model. What cannot be noted is told again with a later call.
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

// judge reports whether an error says that a model does not work, if it says anything.
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

// isNews reports whether something else was noted of a model, or that long ago, and takes
// it as noted.
func (w *Watch) isNews(model string, failing bool, now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n, ok := w.noted[model]; ok && n.failing == failing && now.Sub(n.at).Abs() < trusted {
		return false
	}
	w.noted[model] = note{failing, now}
	return true
}

// record notes whether a model answers, and tells of it where that has changed. Nearly
// always it has not, and nothing is written.
func (w *Watch) record(ctx context.Context, model string, code strata.Code, failing bool, now time.Time) error {
	changes := func(r store.Reader) (change, error) {
		was, err := noted(ctx, r, model)
		return change{was, failing != !was.Since.IsZero(), failing && now.Sub(was.Last).Abs() >= renewed}, err
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

// change is how what is known of a model is to change.
type change struct {
	was   store.ModelOutage
	state bool // whether it answers
	last  bool // when it was seen to fail last
}

// noted is what is noted of a model; the zero outage if it answers.
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
