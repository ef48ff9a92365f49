package hooks

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/toolcall"
)

// maxResults is how many turns are read, from a call on, to find its result: an agent may
// make several calls at once.
const maxResults = 16

// failures returns the first hits, leaving out tool calls that did not fail and their
// results, which say nothing about the next call. A failed call that names what the tool
// works on comes with the reason it failed.
func failures(ctx context.Context, env *operation.Env, hits []ops.Hit, names []string) []ops.Hit {
	var out []ops.Hit
	for _, h := range hits {
		if len(out) == mostShown {
			break
		}
		if h.Kind == strata.KindTurn && (h.Role == strata.RoleAssistant || h.Role == strata.RoleTool) {
			found, err := ops.Run(ctx, env, "turns", &ops.TurnsIn{Session: h.Session, After: h.Seq - 1, Limit: maxResults})
			if err != nil {
				continue // whether it failed is unknown
			}
			turns := found.(ops.Turns).Turns
			if len(turns) == 0 || turns[0].ID != h.ID || !outcome(&h, turns, names) {
				continue
			}
		}
		out = append(out, h)
	}
	return out
}

// outcome reports whether a hit, the first of the given turns, tells something about the
// next call. It replaces the text of a failed call's hit by the call and the reason it
// failed.
func outcome(h *ops.Hit, turns []ops.Turn, names []string) bool {
	said := turns[0]
	if said.Role == strata.RoleTool {
		return said.Failed
	}
	for _, c := range said.Calls {
		call := toolcall.Text(strata.ToolCall(c))
		if result, ok := resultOf(c.ID, turns[1:]); ok && result.Failed && mentions(call, names) {
			h.Text = fence.Cut(call, maxHit/2) + " failed"
			if why := strings.TrimSpace(result.Text); why != "" {
				h.Text += ": " + why
			}
			h.Notes = secrets.Warnings(h.Text)
			return true
		}
	}
	return said.Text != "" || len(said.Calls) == 0
}

// resultOf returns the result of a call among the turns that follow it. Some models
// restart their call ids in every turn, so it stops at a turn that reuses the id.
func resultOf(call string, after []ops.Turn) (ops.Turn, bool) {
	for _, t := range after {
		if call == "" {
			break
		}
		if t.Role == strata.RoleTool && t.CallID == call {
			return t, true
		}
		for _, c := range t.Calls {
			if c.ID == call {
				return ops.Turn{}, false
			}
		}
	}
	return ops.Turn{}, false
}
