package ops

import (
	"context"

	"github.com/strata-memory/strata"
)

// CloseIn is the input of close.
type CloseIn struct {
	Session string `json:"session" opt:"arg,required" values:"session" doc:"id of the session"`
}

// Closed is a session that was closed.
type Closed struct {
	Session
	Already bool     `json:"already,omitempty" doc:"it had been closed before"`
	Notes   []string `json:"notes,omitempty" doc:"what did not go as it should"`
}

func closeOp() Operation {
	return Op[CloseIn, Closed]{
		Info: Info{
			Name: "close", Summary: "Close a conversation for good",
			Description: "Nothing can be added to a closed session, and it cannot be reopened. What was said in it stays and is found. " +
				"Its transcript is written where transcripts are kept.",
			Examples: []Example{{Doc: "when it is over", Input: `{"session": "monday"}`}},
		},
		Handle: func(ctx context.Context, env *Env, in CloseIn) (Closed, error) {
			if err := strata.ValidateName("session", in.Session); err != nil {
				return Closed{}, err
			}
			before, err := env.Engine.FindSession(ctx, env.View, in.Session)
			if err != nil {
				return Closed{}, err
			}
			if before.ClosedAt != nil {
				return Closed{Session: SessionOf(before), Already: true}, nil
			}
			failed := env.Engine.CloseSession(ctx, before.Scope, before.ID)
			after, err := env.Engine.Session(ctx, before.Scope, before.ID)
			if err != nil {
				return Closed{}, err
			}
			if after.ClosedAt == nil {
				return Closed{}, failed
			}
			out := Closed{Session: SessionOf(after)}
			if failed != nil {
				// It is closed; the transcript follows by itself.
				out.Notes = append(out.Notes, failed.Error())
			}
			return out, nil
		},
	}
}
