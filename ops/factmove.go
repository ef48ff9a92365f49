package ops

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
)

// list reads the facts that are named or selected.
func (in FactsIn) list(ctx context.Context, env *Env) ([]strata.Fact, error) {
	asOf, err := optionalTime("as_of", in.AsOf)
	if err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 {
		return env.Engine.Facts(ctx, env.View, strata.FactFilter{
			Type: in.Type, Category: in.Category, Retired: in.Retired, AsOf: asOf, After: in.After, Limit: in.Limit,
		})
	}
	if in.Type != "" || in.Category != "" || in.Retired || asOf != nil || in.After != "" {
		return nil, strata.Invalid("facts", "facts are both named and selected", "give ids, or a filter")
	}
	var list []strata.Fact
	for _, id := range in.IDs {
		versions, err := env.Engine.Fact(ctx, env.View, id)
		if strata.CodeOf(err) == strata.CodeNotFound && !strings.HasPrefix(id, "fact_") {
			return nil, strata.Invalid("facts", clip(id)+" is no id of a fact", "strata fact ID shows one with its history")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, versions[len(versions)-1])
	}
	return list, nil
}

// move moves the facts of a list to the scope that is named. Those that a filter
// selected in that scope itself stay.
func (in FactsIn) move(ctx context.Context, env *Env, list []strata.Fact) (Facts, error) {
	to, err := env.Target(ctx, in.Move)
	switch {
	case err != nil:
		return Facts{}, err
	case in.Retired || in.AsOf != "":
		return Facts{}, strata.Invalid("facts", "only what is believed now can be moved", "leave retired and as_of out")
	case len(in.IDs) == 0 && in.Type == "" && in.Category == "" && env.Scope.IsZero():
		return Facts{}, strata.Invalid("facts", "nothing says which facts to move", "name them by their ids, or select them by type, category or the scope they are in")
	case len(in.IDs) == 0:
		list = slices.DeleteFunc(list, func(f strata.Fact) bool { return f.Scope == to })
	}
	if len(list) == 0 {
		return Facts{Facts: []Fact{}}, nil
	}
	decided, err := env.Engine.MoveFacts(ctx, env.View, to, each(list, func(f strata.Fact) string { return f.ID }), engine.MoveOptions{
		DryRun: in.DryRun, Origin: env.Origin, Agent: env.Agent, Reason: in.Note,
	})
	if err != nil {
		return Facts{}, err
	}
	out := Facts{Facts: each(list, factOf), Decisions: each(decided, savedOf)}
	for i := range out.Decisions {
		out.Decisions[i].DryRun = in.DryRun
		out.Decisions[i].Replaced = "" // it is the same text
	}
	return out, nil
}
