package engine

import (
	"context"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

const (
	// regroupFrom is the number of facts from which the categories of a scope are
	// looked through, and regroupUpTo the one up to which they are: there every
	// topic has its category, so that a new fact finds the right one by itself.
	regroupFrom = 8
	regroupUpTo = 1 << 15
	// movesAtOnce bounds the facts that change their category in one transaction.
	movesAtOnce = 256
	// regroupAtClose bounds what Close does for categories. What is left is done
	// after the next facts that make it due.
	regroupAtClose = 2 * time.Second
)

// regroupsAt reports whether the categories of a scope are looked through when it
// has so many facts: after every eight of the first, which takes some milliseconds,
// then whenever there are a quarter or half as many again, and from a thousand on when
// there are twice as many. A look takes some 20 to 50 µs a fact.
func regroupsAt(facts int) bool {
	if facts < regroupFrom || facts > regroupUpTo {
		return false
	}
	step := 1 << (bits.Len(uint(facts)) - 1) // the power of two below
	switch {
	case facts <= 256:
		step = max(step/4, regroupFrom)
	case facts <= 1024:
		step /= 2
	}
	return facts%step == 0
}

// regrouper looks through the categories of scopes in the background, once there
// are enough new facts: a write decides by what is there then, and only all facts
// together show which topics are worth a category.
type regrouper struct {
	engine *Engine
	worker *worker

	mu  sync.Mutex
	due []strata.Scope
}

func (r *regrouper) start(e *Engine) {
	r.engine = e
	r.worker = startWorker(e.opts.Logger, "group", r.run)
}

// add has the categories of scopes looked through.
func (r *regrouper) add(scopes []strata.Scope) {
	if len(scopes) == 0 || r.worker == nil {
		return
	}
	r.mu.Lock()
	r.due = append(r.due, scopes...)
	r.mu.Unlock()
	r.worker.wake()
}

// next takes a scope that is due.
func (r *regrouper) next() (scope strata.Scope, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.due) == 0 {
		return scope, false
	}
	scope, r.due = r.due[0], r.due[1:]
	return scope, true
}

// run does all that is due. A scope that fails waits for more facts: its facts are
// in categories all the same.
func (r *regrouper) run(ctx context.Context) error {
	for ctx.Err() == nil {
		scope, ok := r.next()
		if !ok {
			return nil
		}
		if err := r.engine.regroup(ctx, scope); err != nil {
			return fmt.Errorf("group the facts of %s: %w", scope, err)
		}
	}
	return ctx.Err()
}

func (r *regrouper) drain(ctx context.Context) error { return r.worker.drain(ctx) }

// close does what is due, as far as its time goes, and stops the worker.
func (r *regrouper) close() {
	ctx, cancel := context.WithTimeout(context.Background(), regroupAtClose)
	defer cancel()
	if err := r.drain(ctx); err != nil && strata.CodeOf(err) != strata.CodeReadOnly {
		r.engine.opts.Logger.Warn("facts are not grouped", "error", err)
	}
	r.worker.close()
}

// regroup puts the facts of a scope into the categories that suit them best all
// together. Those in a pinned category stay in it.
func (e *Engine) regroup(ctx context.Context, scope strata.Scope) error {
	var facts []strata.Fact
	var choices map[string]string
	err := e.store.View(ctx, func(r store.Reader) error {
		list, err := r.CategoryChoices(ctx, scope)
		if err != nil {
			return err
		}
		choices = choicesByTopic(list)
		categories, err := categoriesIn(ctx, r, scope)
		if err != nil || factsOf(categories) > regroupUpTo {
			return err
		}
		facts, err = currentFacts(ctx, r, scope)
		return err
	})
	if err != nil || len(facts) == 0 {
		return err
	}
	names, err := groupFacts(ctx, facts, choices)
	if err != nil {
		return err
	}
	moves := make(map[move][]string)
	var order []move
	for i, f := range facts {
		m := move{f.Category, names[i]}
		if m.from == m.into {
			continue
		}
		if moves[m] == nil {
			order = append(order, m)
		}
		moves[m] = append(moves[m], f.ID)
	}
	return e.moveFacts(ctx, scope, order, moves)
}

// factsOf counts the facts in categories.
func factsOf(list []strata.Category) (n int64) {
	for _, c := range list {
		n += c.Facts
	}
	return n
}

// move is a change of category.
type move struct{ from, into string }

// moveFacts carries moves out, some in each transaction, so that no write waits long.
func (e *Engine) moveFacts(ctx context.Context, scope strata.Scope, order []move, moves map[move][]string) error {
	for len(order) > 0 {
		err := e.store.Update(ctx, func(w store.Writer) error {
			list, err := w.CategoryChoices(ctx, scope)
			if err != nil {
				return err
			}
			now := scopeCategories{choices: choicesByTopic(list)}
			moved := 0
			for room := movesAtOnce; len(order) > 0 && room > 0; {
				m := order[0]
				ids := moves[m]
				ids = ids[:min(len(ids), room)]
				if !now.pinned(m.from) { // it may have been pinned meanwhile
					n, err := w.MoveFacts(ctx, scope, m.from, m.into, ids)
					if err != nil {
						return err
					}
					moved += n
				}
				room -= len(ids)
				if moves[m] = moves[m][len(ids):]; len(moves[m]) == 0 {
					order = order[1:]
				}
			}
			if moved == 0 {
				return nil
			}
			return w.AppendEvent(ctx, strata.Event{Kind: strata.EventRegrouped, Scope: scope, At: w.Now(), Detail: fmt.Sprintf("%d facts", moved)})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// currentFacts returns the current facts of a scope, the oldest first.
func currentFacts(ctx context.Context, r store.Reader, scope strata.Scope) ([]strata.Fact, error) {
	const page = 10_000
	var out []strata.Fact
	for after := ""; ; {
		list, err := r.Facts(ctx, scope, strata.FactFilter{After: after, Limit: page})
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
		if len(list) < page {
			break
		}
		after = list[len(list)-1].ID
	}
	slices.Reverse(out)
	return out, nil
}
