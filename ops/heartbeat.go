package ops

import (
	"context"

	"github.com/strata-memory/strata/documents"
	"github.com/strata-memory/strata/ops/operation"
)

// Heartbeat lists what agents do by themselves.
type Heartbeat struct {
	Rules []HeartbeatRule `json:"rules" doc:"in the order of the scopes and of the files"`
}

// HeartbeatRule is a rule of a HEARTBEAT.md.
type HeartbeatRule struct {
	Text  string `json:"text" doc:"what is to be done"`
	Every string `json:"every,omitempty" doc:"how often, as it is written"`
	At    string `json:"at,omitempty" doc:"at what time, as it is written"`
	Scope string `json:"scope" doc:"whose rule it is"`
	Path  string `json:"path" doc:"of the file"`
	Line  int    `json:"line" doc:"in the file, from 1"`
}

// Rows are the rules, for output line by line.
func (h Heartbeat) Rows() []any { return operation.Rows(h.Rules) }

func heartbeat() operation.Operation {
	return operation.Op[operation.None, Heartbeat]{
		Info: operation.Info{
			Name: "heartbeat", Summary: "List the rules of HEARTBEAT.md", ReadOnly: true,
			Description: "Lists what an agent is to do by itself: the items of HEARTBEAT.md, such as \"- every 30m: look at the build\". Nothing is done here.",
			Examples:    []operation.Example{{Doc: "list them", Input: `{}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, _ operation.None) (Heartbeat, error) {
			list, err := env.Engine.Heartbeat(ctx, env.View)
			return Heartbeat{operation.Each(list, func(r documents.HeartbeatRule) HeartbeatRule {
				return HeartbeatRule{Text: r.Text, Every: r.Every, At: r.At, Scope: r.Scope.Key(), Path: r.Path, Line: r.Line}
			})}, err
		},
	}
}
