package ops

import (
	"context"
	"maps"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ingest"
	"github.com/strata-memory/strata/internal/ingest/transcript"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// IngestIn is the input of ingest.
type IngestIn struct {
	Session string `json:"session,omitempty" doc:"id of the session (default: the transcript's own, else one derived from its first turn)"`
	Since   string `json:"since,omitempty" doc:"leave out what was said before this time, such as 2026-03-01"`
	DryRun  bool   `json:"dry_run,omitempty" doc:"show what it would do and change nothing"`
}

// Ingested reports what became of a transcript.
type Ingested struct {
	File     string                `json:"file,omitempty" doc:"the file it was read from"`
	Messages int64                 `json:"messages" doc:"messages that were read"`
	Added    int64                 `json:"added" doc:"turns that were added"`
	Known    int64                 `json:"known" doc:"turns that were already kept"`
	Sessions []IngestedSession     `json:"sessions" doc:"the conversations it holds"`
	Facts    []upkeep.IngestedFact `json:"facts" doc:"what was kept of them as facts, what was not, and why; at most 1,000"`
	Decided  int64                 `json:"decided" doc:"how many facts were decided about"`
	Left     []NotKept             `json:"left,omitempty" doc:"what was not kept as a turn, and why"`
	Notes    []string              `json:"notes,omitempty" doc:"what a reader should know"`
	DryRun   bool                  `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// IngestedAll reports what became of several transcripts.
type IngestedAll struct {
	Files []Ingested `json:"files" doc:"one for each file that holds a conversation"`
}

// IngestedSession is one conversation of a transcript.
type IngestedSession struct {
	ID    string `json:"id" doc:"id of the session in memory"`
	Scope string `json:"scope" doc:"who owns it"`
	Added int64  `json:"added" doc:"turns that were added"`
	Known int64  `json:"known" doc:"turns that were already kept"`
}

// NotKept counts what was left out for one reason.
type NotKept struct {
	Reason string `json:"reason" doc:"why"`
	Count  int64  `json:"count" doc:"how many"`
}

func ingestOp() operation.Operation {
	return operation.Op[IngestIn, Ingested]{
		Info: operation.Info{
			Name:    "ingest",
			Summary: "Take in conversations held elsewhere",
			Description: "Reads the transcript of a conversation, keeps its messages as turns of a session and extracts facts from them. The content decides the" +
				" format: lines of {\"role\", \"content\", \"at\"}, messages of OpenAI's and Anthropic's protocols, transcripts of Claude Code, Codex and " +
				"opencode, ChatGPT's export, plain text with \"User:\" and \"Assistant:\" (docs/ingest.md). Reading the same transcript again adds " +
				"nothing; a longer one adds its end. What belongs to a project goes to the workspace where the conversation was held.",
			Reads:    "the transcript",
			Extracts: true,
			Examples: []operation.Example{
				{Doc: "see what a transcript holds", Input: `{"dry_run": true}`},
				{Doc: "take it in", Input: `{}`},
				{Doc: "what was said lately", Input: `{"since": "2026-03-01"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in IngestIn) (Ingested, error) {
			since, err := env.ParseTime("since", in.Since)
			if err != nil {
				return Ingested{}, err
			}
			if in.Session != "" {
				if err := strata.ValidateName("session", in.Session); err != nil {
					return Ingested{}, err
				}
			}
			r, err := env.Engine.Ingest(ctx, transcript.NewReader(env.In), ingest.Options{
				Session: in.Session, Place: ownerOf(env), View: env.View, Since: since, At: env.InTime, DryRun: in.DryRun,
			})
			out := ingestedOf(r)
			out.DryRun = in.DryRun
			return out, err
		},
	}
}

// ownerOf returns a function that reports which scope owns a conversation held in a
// directory.
func ownerOf(env *operation.Env) func(context.Context, string) (strata.Scope, bool, error) {
	return func(ctx context.Context, dir string) (strata.Scope, bool, error) {
		if env.Owner == nil || dir == "" || !env.Scope.IsZero() {
			return env.MainScope(), true, nil
		}
		return env.Owner(ctx, dir)
	}
}

// ingestedOf converts a report to its output form.
func ingestedOf(r ingest.Report) Ingested {
	out := Ingested{Messages: r.Messages, Sessions: []IngestedSession{}, Facts: operation.Each(r.Decisions, upkeep.IngestedFactOf), Notes: r.Notes}
	for _, s := range r.Sessions {
		out.Sessions = append(out.Sessions, IngestedSession{ID: s.ID, Scope: s.Scope.Key(), Added: s.Added, Known: s.Known})
		out.Added += s.Added
		out.Known += s.Known
	}
	for _, n := range r.Decided {
		out.Decided += n
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Left)) {
		if r.Left[reason] > 0 {
			out.Left = append(out.Left, NotKept{Reason: reason, Count: r.Left[reason]})
		}
	}
	return out
}
