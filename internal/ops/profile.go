package ops

import (
	"context"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/profile"
)

// ProfileIn is the input of profile.
type ProfileIn struct {
	Subject string `json:"subject,omitempty" opt:"arg" doc:"only facts about this relation (sister), name or group (work)"`
	All     bool   `json:"all,omitempty" doc:"include what was believed before, with its dates"`
}

func showProfile() operation.Operation {
	return operation.Op[ProfileIn, profile.Profile]{
		Info: operation.Info{
			Name: "profile", Summary: "Show what memory believes about the user",
			Description: "Shows the facts about the user that are believed now, grouped by what they are about, each with the time from which it holds and the" +
				" turn it was said in, and then the standing rules. With all, it adds what was believed before. Facts about projects are not " +
				"included.",
			ReadOnly: true,
			Examples: []operation.Example{
				{Doc: "everything", Input: `{}`},
				{Doc: "what is known of one person", Input: `{"subject": "sister"}`},
				{Doc: "with what was believed before", Input: `{"all": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in ProfileIn) (profile.Profile, error) {
			list, err := factsOfUser(ctx, env, strata.FactFilter{Retired: in.All})
			if err != nil {
				return profile.Profile{}, err
			}
			var ids []string
			for _, f := range list {
				ids = append(ids, f.Sources...)
			}
			turns, err := env.Engine.SourceTurns(ctx, env.View, ids)
			if err != nil {
				return profile.Profile{}, err
			}
			out := profile.Of(list, turns)
			if in.Subject == "" {
				return out, nil
			}
			out, found := out.About(in.Subject)
			if !found {
				return profile.Profile{}, &strata.Error{Code: strata.CodeNotFound, Op: "profile", Message: "nothing is known of " + operation.Clip(in.Subject),
					Hint: "strata profile shows everything; strata search finds other mentions"}
			}
			return out, nil
		},
	}
}
