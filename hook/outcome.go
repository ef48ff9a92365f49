package hook

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
	"github.com/strata-memory/strata/ops/operation"
)

// maxResults is how many turns after a call are looked through for its result: an agent
// makes several calls at once.
const maxResults = 16

// withOutcomes tells of hits that are calls of a tool, or what one said, how they failed.
// Those that went well are left out: they say nothing of the next call.
func withOutcomes(ctx context.Context, env *operation.Env, hits []ops.Hit) ([]ops.Hit, error) {
	var out []ops.Hit
	for _, h := range hits {
		if h.Kind != strata.KindTurn || h.Role == strata.RoleUser {
			out = append(out, h)
			continue
		}
		found, err := ops.Run(ctx, env, "turns", &ops.TurnsIn{Session: h.Session, After: h.Seq - 1, Limit: maxResults})
		if strata.CodeOf(err) == strata.CodeNotFound {
			continue // it was removed meanwhile
		}
		if err != nil {
			return nil, err
		}
		turns := found.(ops.Turns).Turns
		if len(turns) == 0 || turns[0].Seq != h.Seq {
			continue
		}
		switch said := turns[0]; {
		case said.Role == strata.RoleTool && said.Failed:
			out = append(out, h)
		case said.Role == strata.RoleAssistant && len(said.Calls) == 0:
			out = append(out, h)
		case said.Role == strata.RoleAssistant:
			if at := slices.IndexFunc(turns, func(t ops.Turn) bool { return t.Failed && answers(t, said.Calls) }); at > 0 {
				h.Text += ", which failed: " + turns[at].Text
				out = append(out, h)
			}
		}
	}
	return out, nil
}

// answers reports whether a turn is the result of one of some calls.
func answers(t ops.Turn, calls []ops.ToolCall) bool {
	return slices.ContainsFunc(calls, func(c ops.ToolCall) bool { return c.ID == t.CallID })
}
