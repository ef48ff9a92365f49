package ops

import (
	"context"

	"github.com/strata-memory/strata/ingest"
)

// IngestIn is the input of ingest.
type IngestIn struct {
	Session string `json:"session,omitempty" doc:"id of the session (default: the transcript's own, else one that follows from its first turn)"`
	Since   string `json:"since,omitempty" doc:"leave out what was said before this time, such as 2026-03-01"`
	DryRun  bool   `json:"dry_run,omitempty" doc:"show what it would do and change nothing"`
}

// Ingested says what became of a transcript.
type Ingested struct {
	Session string  `json:"session" doc:"the session it is now"`
	Turns   int64   `json:"turns" doc:"messages that were read"`
	Added   int64   `json:"added" doc:"turns that were new"`
	Facts   []Saved `json:"facts" doc:"what was kept of them, or refused, and why"`
	DryRun  bool    `json:"dry_run,omitempty" doc:"nothing was changed"`
}

func ingestOp() Operation {
	return Op[IngestIn, Ingested]{
		Info: Info{
			Name:    "ingest",
			Summary: "Take in a conversation that was held elsewhere",
			Description: "Reads the transcript of a conversation, keeps its messages as turns of a session and extracts facts from them. " +
				"The same transcript again adds nothing, a longer one adds its end.",
			Reads: "the transcript",
			Examples: []Example{
				{Doc: "see what a transcript holds", Input: `{"dry_run": true}`},
				{Doc: "take it in", Input: `{}`},
			},
		},
		Handle: func(ctx context.Context, env *Env, in IngestIn) (Ingested, error) {
			since, err := parseTime("since", in.Since)
			if err != nil {
				return Ingested{}, err
			}
			r, err := env.Engine.Ingest(ctx, env.In, ingest.Options{
				Session: in.Session, Scope: env.mainScope(), Since: since, DryRun: in.DryRun,
			})
			out := Ingested{Session: r.Session, Turns: r.Turns, Added: r.Added, DryRun: in.DryRun}
			out.Facts = each(r.Decisions, savedOf)
			return out, err
		},
	}
}
