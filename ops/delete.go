package ops

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops/operation"
)

// DeleteIn is the input of delete.
type DeleteIn struct {
	ID             string `json:"id" opt:"arg,required" values:"fact" doc:"id of the fact to delete"`
	BaseGeneration int64  `json:"base_generation,omitempty" doc:"generation of the fact that was seen; nothing changes if it is no longer that"`
	RequestID      string `json:"request_id,omitempty" doc:"makes the call repeatable: the same id returns the same decision, and is a conflict for another request"`
	Note           string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun         bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func deleteOp() operation.Operation {
	return operation.Op[DeleteIn, Saved]{
		Info: operation.Info{
			Name:    "delete",
			Command: "fact delete",
			Summary: "Stop believing a fact",
			Description: "Deletes a fact: it is no longer recalled, but stays in the history and comes back with revert. " +
				"To remove every trace of a text for good, use forget.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "delete", Input: `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`},
				{Doc: "see what would be decided", Input: `{"id": "fact_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DeleteIn) (Saved, error) {
			c := strata.Candidate{
				Scope: env.Scope, Workspace: env.Workspace, Agent: env.Agent, Origin: env.Origin, Action: strata.ActionDelete,
				Target: in.ID, BaseGeneration: in.BaseGeneration, RequestID: in.RequestID, Reason: in.Note,
			}
			out, err := decide(ctx, env, c, in.DryRun)
			if err == nil && out.Decision == strata.OpNoop && out.ID == "" {
				err = strata.NotFound("delete", "fact", in.ID)
			}
			return out, err
		},
	}
}
