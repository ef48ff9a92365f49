package upkeep

import (
	"context"
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Event is an entry in the log of what happened to memory. It contains no text of any
// memory.
type Event struct {
	Change int64     `json:"change" doc:"its place in the order of all changes of the home"`
	Kind   string    `json:"kind" doc:"what happened, such as write.committed"`
	Scope  string    `json:"scope" doc:"whose memory it is about"`
	Ref    string    `json:"ref,omitempty" doc:"id of the decision, document or session it is about"`
	Detail string    `json:"detail,omitempty" doc:"more about it, in a few words"`
	At     time.Time `json:"at" doc:"when it happened"`
}

// eventOf converts an event to its output form.
func eventOf(e strata.Event) Event {
	return Event{Change: e.Change, Kind: e.Kind, Scope: e.Scope.Key(), Ref: e.Ref, Detail: e.Detail, At: e.At}
}

// EventsIn is the input of events.
type EventsIn struct {
	Kind  []string `json:"kind,omitempty" short:"k" doc:"only these kinds, such as write.rejected, or families such as recall"`
	Since string   `json:"since,omitempty" doc:"from this date, RFC 3339 time or words such as yesterday on, or after the change with this number; limit then counts from the oldest"`
	Limit int      `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most events"`
}

// Events lists events.
type Events struct {
	Events []Event `json:"events" doc:"in the order in which they happened"`
	Next   int64   `json:"next" doc:"pass it as since to continue from here"`
}

// Rows returns the events, for output line by line.
func (e Events) Rows() []any { return operation.Rows(e.Events) }

// filter converts the input to a filter.
func (in EventsIn) filter(env *operation.Env) (store.EventFilter, error) {
	f := store.EventFilter{Kinds: in.Kind, Limit: in.Limit}
	if err := f.Validate(); err != nil {
		return f, err
	}
	if after, err := strconv.ParseInt(in.Since, 10, 64); err == nil && after >= 0 {
		f.After = &after
		return f, nil
	}
	var err error
	f.Since, err = env.ParseTime("since", in.Since)
	return f, err
}

func events() operation.Operation {
	return operation.Op[EventsIn, Events]{
		Info: operation.Info{
			Name: "events", Summary: "List what happened to memory, in order", ReadOnly: true,
			Toolset: operation.AllTools,
			Advice:  "Lists what happened to memory, in order, by id. Call it to see what changed since a day.",
			Description: "The log of the scopes in view: what was written, turned down, hidden or forgotten, models and categories that changed, counts of " +
				"recalls, and what went wrong in the background. An event names its subject by id and holds none of its text.",
			Examples: []operation.Example{
				{Doc: "the newest", Input: `{"limit": 20}`},
				{Doc: "what was turned down since a day", Input: `{"kind": ["write.rejected"], "since": "2026-03-01"}`},
				{Doc: "what came after a change", Input: `{"since": "4711"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in EventsIn) (Events, error) {
			f, err := in.filter(env)
			if err != nil {
				return Events{}, err
			}
			list, next, err := env.Engine.Events(ctx, env.View, f)
			return Events{Events: operation.Each(list, eventOf), Next: next}, err
		},
	}
}
