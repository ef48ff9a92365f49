package ops

import (
	"context"

	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
)

// ContextIn is the input of context.
type ContextIn struct {
	MaxTokens int `json:"max_tokens,omitempty" default:"1500" range:"200-100000" doc:"hard budget for the whole text" agents:"200 to 100000"`
}

// Context is what an agent should know from memory at the start of a session.
type Context struct {
	Text   string        `json:"text" tool:"-" doc:"text for a prompt, with what memory holds fenced as data"`
	Tokens int           `json:"tokens" doc:"how many tokens the text costs"`
	Parts  []ContextPart `json:"parts" doc:"parts of the text, in order"`
}

// Rows returns the parts, for output line by line.
func (c Context) Rows() []any { return operation.Rows(c.Parts) }

// ContextPart is a part of a context.
type ContextPart struct {
	Kind  snapshot.PartKind `json:"kind" doc:"file, rules, index, facts, skills, learning or summary"`
	Name  string            `json:"name,omitempty" doc:"scope or title"`
	Shown int               `json:"shown" doc:"lines, facts or rules that are in the text"`
	Total int               `json:"total" doc:"how many there are in all"`
	Why   string            `json:"why,omitempty" doc:"why some of it is left out"`
}

// MinContext and MaxContext bound the budget of a context, in tokens.
const (
	MinContext = 200
	MaxContext = 100_000
)

// contextFacts is how many facts a context holds at most. Because facts about the user
// rank higher, they amount to a profile in most homes.
const contextFacts = 40

// contextGuidance introduces a context. A model that can call tools learns the rest from
// their definitions.
const contextGuidance = "What memory holds now, in short. It may be out of date: the user and the files at hand win over it."

func memoryContext() operation.Operation {
	return operation.Op[ContextIn, Context]{
		Info: operation.Info{
			Name:    "context",
			Summary: "Show what an agent should know at the start of a session",
			Toolset: operation.CoreTools,
			Advice: "Shows what you should know of the user before you begin: standing rules, facts, notes, learnings. Call it once, at the start of a " +
				"session.",
			Description: "Combines the files that people wrote for agents, the standing rules, the index of notes, the most used facts (those about the user " +
				"first), skills, learnings and summaries, within a budget of tokens. If they exceed it, everything but the rules is cut in " +
				"proportion. In a group, what is not public is left out. Nothing is recorded.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "for a prompt", Input: `{}`},
				{Doc: "for a small window", Input: `{"max_tokens": 500}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ContextIn) (Context, error) {
			s, err := env.Engine.Compose(ctx, env.View, snapshot.Limits{Tokens: in.MaxTokens, Facts: contextFacts}, contextGuidance)
			if err != nil {
				return Context{}, err
			}
			out := Context{Text: s.Text, Tokens: s.Tokens, Parts: []ContextPart{}}
			for _, p := range s.Parts {
				if p.Kind != snapshot.PartGuidance && p.Total > 0 {
					out.Parts = append(out.Parts, ContextPart{Kind: p.Kind, Name: p.Name, Shown: p.Shown, Total: p.Total, Why: p.Why})
				}
			}
			return out, nil
		},
	}
}

// ContextOf runs the operation context for a front end that shows only its text.
func ContextOf(ctx context.Context, env *operation.Env, in ContextIn) (Context, error) {
	out, err := memoryContext().Run(ctx, env, &in)
	if err != nil {
		return Context{}, err
	}
	return out.(Context), nil
}

// Heartbeat lists what agents do unprompted.
type Heartbeat struct {
	Rules []HeartbeatRule `json:"rules" doc:"in the order of scopes and files"`
}

// HeartbeatRule is a rule of a HEARTBEAT.md.
type HeartbeatRule struct {
	Text  string `json:"text" doc:"what to do"`
	Every string `json:"every,omitempty" doc:"how often, as written"`
	At    string `json:"at,omitempty" doc:"at what time, as written"`
	Scope string `json:"scope" doc:"whose rule it is"`
	Path  string `json:"path" doc:"path of the file"`
	Line  int    `json:"line" doc:"line of the file, from 1"`
}

// Rows returns the rules, for output line by line.
func (h Heartbeat) Rows() []any { return operation.Rows(h.Rules) }

func heartbeat() operation.Operation {
	return operation.Op[operation.None, Heartbeat]{
		Info: operation.Info{
			Name: "heartbeat", Summary: "List the rules of HEARTBEAT.md", ReadOnly: true,
			Description: "Lists what an agent should do by itself: the items of HEARTBEAT.md, such as \"- every 30m: look at the build\". This call only lists them.",
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
