package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// EventFilter selects events. The zero value selects the newest 100.
type EventFilter struct {
	// Kinds are kinds of events or families of kinds; empty: all.
	Kinds []string
	// After selects events after a change, and Since events not before a time. With
	// either of them set, the oldest events up to Limit are listed; otherwise the newest.
	After *int64
	Since time.Time
	Limit int // 0: 100
}

// maxEvents is the highest limit of a list of events.
const maxEvents = 10_000

// Validate reports whether the limit is 0 or lies between 1 and 10,000, and all kinds are
// known.
func (f EventFilter) Validate() error {
	const op = "list events"
	if f.Limit < 0 || f.Limit > maxEvents {
		return strata.Invalid(op, fmt.Sprintf("the limit lies outside 1 to %d", maxEvents), "go on after a list with the change that it names as next")
	}
	known := strata.EventKinds()
	for _, kind := range f.Kinds {
		if !slices.ContainsFunc(known, func(k string) bool { return strata.Event{Kind: k}.IsKind(kind) }) {
			return strata.Invalid(op, fmt.Sprintf("no such kind of event: %q", text.Clip(kind, 40)), "the kinds are "+strings.Join(known, ", "))
		}
	}
	return nil
}

// selects reports whether the filter selects an event by its time and kind.
func (f EventFilter) selects(e strata.Event) bool {
	return !e.At.Before(f.Since) && (len(f.Kinds) == 0 || slices.ContainsFunc(f.Kinds, e.IsKind))
}

const (
	// eventPage is how many events are read at once.
	eventPage = 1000
	// eventSpan is how many changes back the search for the newest events starts.
	eventSpan = 4096
)

// ListEvents lists events of the scopes in the order of their changes. next is the change
// to pass as After in the next call.
func ListEvents(ctx context.Context, r Reader, scopes []strata.Scope, f EventFilter) (events []strata.Event, next int64, err error) {
	if f.Limit == 0 {
		f.Limit = 100
	}
	last, err := r.LastChange(ctx)
	if err != nil {
		return nil, 0, err
	}
	forward := f.After != nil || !f.Since.IsZero()
	for _, s := range scopes {
		some, err := eventsOf(ctx, r, s, last, f)
		if err != nil {
			return nil, 0, err
		}
		events = append(events, some...)
	}
	slices.SortStableFunc(events, func(a, b strata.Event) int { return cmp.Compare(a.Change, b.Change) })
	switch over := len(events) - f.Limit; {
	case forward && over >= 0:
		events = events[:f.Limit]
		return events, events[f.Limit-1].Change, nil
	case over > 0:
		events = events[over:]
	}
	return events, last, nil
}

// eventsOf lists the events of one scope that can be among the first f.Limit after a
// change or time, or among the newest f.Limit without either.
func eventsOf(ctx context.Context, r Reader, scope strata.Scope, last int64, f EventFilter) ([]strata.Event, error) {
	if f.After != nil {
		return eventsAfter(ctx, r, scope, *f.After, f, f.Limit)
	}
	for span := int64(eventSpan); ; span *= 4 {
		from := max(last-span, 0)
		if !f.Since.IsZero() {
			first, err := r.Events(ctx, scope, from, 1)
			if err != nil {
				return nil, err
			}
			if from == 0 || len(first) > 0 && first[0].At.Before(f.Since) {
				return eventsAfter(ctx, r, scope, from, f, f.Limit)
			}
			continue
		}
		found, err := eventsAfter(ctx, r, scope, from, f, 0)
		if err != nil {
			return nil, err
		}
		if len(found) >= f.Limit || from == 0 {
			return found[max(len(found)-f.Limit, 0):], nil
		}
	}
}

// eventsAfter lists at most limit events of a scope after a change; 0 means all.
func eventsAfter(ctx context.Context, r Reader, scope strata.Scope, after int64, f EventFilter, limit int) ([]strata.Event, error) {
	var out []strata.Event
	for {
		page, err := r.Events(ctx, scope, after, eventPage)
		if err != nil {
			return nil, err
		}
		for _, e := range page {
			after = e.Change
			if f.selects(e) {
				if out = append(out, e); len(out) == limit {
					return out, nil
				}
			}
		}
		if len(page) < eventPage {
			return out, nil
		}
	}
}

// AppendShadowed appends an event for each fact of a shallower scope that the new fact f
// hides from viewers of both scopes because it fills the same slot.
func AppendShadowed(ctx context.Context, w Writer, f strata.Fact) error {
	if f.Entity == "" {
		return nil
	}
	scopes := strata.ViewOf(f.Scope.Workspace, f.Scope.Agent).Scopes
	for _, s := range scopes[slices.Index(scopes, f.Scope)+1:] {
		hidden, err := w.FactsBySlot(ctx, s, f.Entity, f.Attribute)
		if err != nil {
			return err
		}
		for _, h := range hidden {
			err := w.AppendEvent(ctx, strata.Event{Kind: strata.EventWriteShadowed, Scope: s, Ref: h.ID, Detail: "by " + f.Scope.Key(), At: w.Now()})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
