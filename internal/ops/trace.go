package ops

import (
	"context"
	"time"

	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/store"
)

// Trace is the stored explanation of a recall or search.
type Trace struct {
	ID      string     `json:"id" doc:"id of the trace"`
	Query   string     `json:"query" doc:"what was asked"`
	Scope   string     `json:"scope" doc:"first scope of the view"`
	Session string     `json:"session,omitempty" doc:"session that asked"`
	Turn    int64      `json:"turn,omitempty" doc:"turn of the session that asked"`
	At      time.Time  `json:"at" doc:"when it was asked"`
	Took    int64      `json:"took_ns" doc:"how long it took, in nanoseconds"`
	Hits    []TraceHit `json:"hits" doc:"what was found, best first"`
}

// TraceHit is a hit of a trace.
type TraceHit struct {
	ID    string  `json:"id" doc:"id of the fact or turn"`
	Score float64 `json:"score" doc:"from 0 to 1"`
	Tier  int     `json:"tier" doc:"where it was found first, as for recall"`
	Why   Why     `json:"why" doc:"the parts of the score"`
}

// traceOf converts a trace to its output form.
func traceOf(t store.Trace) Trace {
	return Trace{
		ID: t.ID, Query: t.Query, Scope: t.Scope.Key(), Session: t.Session, Turn: t.Turn, At: t.At, Took: t.Took.Nanoseconds(),
		Hits: operation.Each(t.Hits, func(h store.TraceHit) TraceHit {
			return TraceHit{ID: h.ID, Score: h.Score, Tier: h.Tier, Why: Why(h.Why)}
		}),
	}
}

// TraceIn is the input of trace.
type TraceIn struct {
	ID string `json:"id" opt:"arg,required" values:"trace" doc:"id of the trace"`
}

func trace() operation.Operation {
	return operation.Op[TraceIn, Trace]{
		Info: operation.Info{
			Name: "trace", Summary: "Show why a recall found what it found", ReadOnly: true,
			Examples: []operation.Example{{Doc: "show a trace", Input: `{"id": "trace_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in TraceIn) (Trace, error) {
			t, err := env.Engine.Trace(ctx, env.View, in.ID)
			return traceOf(t), err
		},
	}
}

// TracesIn is the input of traces.
type TracesIn struct {
	Session string `json:"session,omitempty" values:"session" doc:"only this session"`
	Turn    int64  `json:"turn,omitempty" doc:"only this turn of the session"`
	Limit   int    `json:"limit,omitempty" short:"n" default:"20" range:"1-10000" doc:"most traces of each scope"`
}

// Traces lists traces.
type Traces struct {
	Traces []Trace `json:"traces" doc:"newest first, scope by scope"`
}

// Rows returns the traces, for output line by line.
func (t Traces) Rows() []any { return operation.Rows(t.Traces) }

func traces() operation.Operation {
	return operation.Op[TracesIn, Traces]{
		Info: operation.Info{
			Name: "traces", Summary: "List what was asked lately", ReadOnly: true,
			Examples: []operation.Example{{Doc: "the last questions", Input: `{"limit": 5}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in TracesIn) (Traces, error) {
			list, err := env.Engine.Traces(ctx, env.View, store.TraceFilter{Session: in.Session, Turn: in.Turn, Limit: in.Limit})
			return Traces{operation.Each(list, traceOf)}, err
		},
	}
}
