package ops

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/ops/operation"
)

// UpdateIn is the input of update.
type UpdateIn struct {
	ID             string `json:"id" opt:"arg,required" values:"fact" doc:"id of the fact" agents:"of the fact"`
	Content        string `json:"content" opt:"arg,required,file" doc:"what is true instead" agents:"what is true instead"`
	BaseGeneration int64  `json:"base_generation,omitempty" tool:"-" doc:"generation of the fact that was seen; nothing changes if it is no longer that"`
	RequestID      string `json:"request_id,omitempty" tool:"-" doc:"makes the call repeatable: the same id returns the same decision, and is a conflict for another request"`
	Note           string `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the decision"`
	DryRun         bool   `json:"dry_run,omitempty" tool:"-" doc:"say what would be decided and change nothing"`
}

func update() operation.Operation {
	return operation.Op[UpdateIn, Saved]{
		Info: operation.Info{
			Name:    "update",
			Summary: "Correct a fact",
			Toolset: operation.CoreTools,
			Advice:  "Replaces the text of one known fact. Call it when a fact that memory showed you is wrong or out of date.",
			Description: "Gives a fact another text. It keeps its id, its scope and its history; the version before is no longer believed, and undo brings it " +
				"back. A note is corrected by remember with the same title.",
			Examples: []operation.Example{
				{Doc: "correct a fact", Input: `{"id": "fact_W6Y0AB", "content": "My cat's name is Tom"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in UpdateIn) (Saved, error) {
			if !strings.HasPrefix(in.ID, id.Fact+"_") {
				return Saved{}, strata.Invalid("update", operation.Clip(in.ID)+" is no id of a fact",
					"recall and list show the id of each fact; a note is corrected by remember with the same title")
			}
			versions, err := env.Engine.Fact(ctx, env.View, in.ID)
			if err != nil {
				return Saved{}, err
			}
			before := versions[len(versions)-1]
			c, err := Statement{
				Content: in.Content, Type: before.Type, Target: in.ID, BaseGeneration: in.BaseGeneration, RequestID: in.RequestID, Note: in.Note,
			}.candidate(env)
			if err != nil {
				return Saved{}, err
			}
			c.Scope = before.Scope
			return decide(ctx, env, c, in.DryRun)
		},
	}
}
