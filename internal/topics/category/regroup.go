package category

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

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
)

// regroupDue reports whether the categories of a scope are looked through when it
// has so many facts: after every eight of the first, which takes some milliseconds,
// then whenever there are a quarter or half as many again, and from a thousand on when
// there are twice as many. A look takes some 20 to 50 µs a fact.
func regroupDue(facts int) bool {
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

// Regroup puts the facts of a scope into the categories that suit them best all
// together. Those in a pinned category stay in it.
func Regroup(ctx context.Context, st store.Store, scope strata.Scope) error {
	var facts []strata.Fact
	var choices map[string]string
	err := st.View(ctx, func(r store.Reader) error {
		list, err := r.CategoryChoices(ctx, scope)
		if err != nil {
			return err
		}
		choices = byTopic(list)
		categories, err := List(ctx, r, scope)
		if err != nil || factsOf(categories) > regroupUpTo {
			return err
		}
		facts, err = currentFacts(ctx, r, scope)
		return err
	})
	if err != nil || len(facts) == 0 {
		return err
	}
	names, err := group(ctx, facts, choices)
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
	return moveFacts(ctx, st, scope, order, moves)
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
func moveFacts(ctx context.Context, st store.Store, scope strata.Scope, order []move, moves map[move][]string) error {
	for len(order) > 0 {
		err := st.Update(ctx, func(w store.Writer) error {
			left, moved, err := moveSome(ctx, w, scope, order, moves)
			if err != nil {
				return err
			}
			order = left
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

// moveSome moves as many facts as one transaction may, takes them from moves, and returns
// the moves that are left and how many facts it moved.
func moveSome(ctx context.Context, w store.Writer, scope strata.Scope, order []move, moves map[move][]string) (left []move, moved int, err error) {
	list, err := w.CategoryChoices(ctx, scope)
	if err != nil {
		return nil, 0, err
	}
	choices := byTopic(list)
	for room := movesAtOnce; len(order) > 0 && room > 0; {
		m := order[0]
		ids := moves[m][:min(len(moves[m]), room)]
		if !isPinned(choices, m.from) { // it may have been pinned meanwhile
			n, err := w.MoveFacts(ctx, scope, m.from, m.into, ids)
			if err != nil {
				return nil, 0, err
			}
			moved += n
		}
		room -= len(ids)
		if moves[m] = moves[m][len(ids):]; len(moves[m]) == 0 {
			order = order[1:]
		}
	}
	return order, moved, nil
}

// currentFacts returns the current facts of a scope, the oldest first.
func currentFacts(ctx context.Context, r store.Reader, scope strata.Scope) ([]strata.Fact, error) {
	facts, err := store.AllFacts(ctx, r, scope, strata.FactFilter{})
	slices.Reverse(facts)
	return facts, err
}
