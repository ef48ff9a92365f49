package ops

import (
	"context"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/ops/operation"
)

// maxUndo is how many decisions are undone at once.
const maxUndo = 100

// UndoIn is the input of undo.
type UndoIn struct {
	What   string `json:"what,omitempty" opt:"arg" values:"decision" doc:"how many of the newest decisions, 1 to 100, or the id of one (default: 1); of a tool, of those of its own session" agents:"how many of your last changes, or a decision id; default 1"`
	Note   string `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the new decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be done and change nothing" agents:"preview"`
}

// Undone are the decisions that undid others.
type Undone struct {
	Decisions []Undoing `json:"decisions" doc:"in the order they were undone, newest first; texts of files are left out"`
	DryRun    bool      `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows are the decisions, for output line by line.
func (u Undone) Rows() []any { return operation.Rows(u.Decisions) }

// Undoing is a decision that undid another.
type Undoing struct {
	Decision
	Undid strata.Op `json:"undid" doc:"what the decision that is undone did"`
	Waits bool      `json:"waits,omitempty" tool:"-" doc:"in a dry run: what follows from it shows when a newer one is undone"`
}

func undo() operation.Operation {
	return operation.Op[UndoIn, Undone]{
		Info: operation.Info{
			Name:    "undo",
			Summary: "Undo what was decided last",
			Description: "Reverts the newest decisions of the view that changed something and were not undone yet, newest first, each by a decision of its own. " +
				"Reverts are not undone themselves, but by their id. It stops at the first that cannot be reverted; those before it stay undone.",
			Destructive: true,
			Toolset:     operation.CoreTools,
			Advice:      "Takes back your own last changes of memory, or one by its decision id. Call it when you saved or changed something by mistake.",
			Examples: []operation.Example{
				{Doc: "undo the last three", Input: `{"what": "3"}`},
				{Doc: "see what it would do", Input: `{"dry_run": true}`},
				{Doc: "undo one", Input: `{"what": "dec_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`},
			},
		},
		Handle: undoNewest,
	}
}

func undoNewest(ctx context.Context, env *operation.Env, in UndoIn) (Undone, error) {
	targets, err := toUndo(ctx, env, in.What)
	if err != nil {
		return Undone{}, err
	}
	out := Undone{DryRun: in.DryRun}
	touched := make(map[string]bool) // what a newer one of these is about
	for _, target := range targets {
		u := Undoing{Undid: target.Op}
		about := aboutOf(target)
		if in.DryRun && touched[about] {
			u.Decision, u.Waits = decisionOf(target).listed(), true
			u.Decision.ID, u.Reverts, u.DryRun = "", target.ID, true
			out.Decisions = append(out.Decisions, u)
			continue
		}
		touched[about] = true
		if now, err := env.Engine.Decision(ctx, env.View, target.ID); err == nil && len(targets) > 1 && now.RevertedBy != "" {
			continue // the other half of a move that was undone just now
		}
		d, err := env.Engine.Revert(ctx, env.View, target.ID, engine.RevertOptions{DryRun: in.DryRun, Reason: in.Note, Origin: env.Origin})
		if err != nil {
			return out, err
		}
		u.Decision = decisionOf(d).listed()
		u.DryRun = in.DryRun
		out.Decisions = append(out.Decisions, u)
	}
	return out, nil
}

// aboutOf names the fact or file a decision is about.
func aboutOf(d strata.Decision) string {
	if d.Document != nil {
		return d.Scope.Key() + " " + d.Document.Path
	}
	return d.FactID
}

// outOfReach reports whether nothing that a decision changed can come back: it was
// forgotten, or is a file of the project, which memory reads and never writes. Such a
// decision does not stand in the way of those before it.
func outOfReach(d strata.Decision) bool {
	if c := d.Document; c != nil {
		gone := func(v *strata.Document) bool {
			return v == nil || strings.TrimSpace(v.Content) == strata.ForgottenText
		}
		return strings.HasPrefix(c.Path, strata.ProjectPrefix) || gone(c.Before) && gone(c.After)
	}
	gone := func(f *strata.Fact) bool { return f == nil || f.Text == strata.ForgottenText }
	return gone(d.Before) && gone(d.After)
}

// toUndo are the decisions to undo, the newest first.
func toUndo(ctx context.Context, env *operation.Env, what string) ([]strata.Decision, error) {
	n := 1
	if what != "" {
		var err error
		if n, err = strconv.Atoi(what); err != nil {
			d, err := env.Engine.Decision(ctx, env.View, what)
			return []strata.Decision{d}, err
		}
	}
	if n < 1 || n > maxUndo {
		return nil, strata.Invalid("undo", strconv.Itoa(n)+" decisions cannot be undone at once", "undo 1 to 100, or one by its id")
	}
	const page = 1000
	list, err := newestDecisions(ctx, env, strata.DecisionFilter{Limit: page})
	if err != nil {
		return nil, err
	}
	var out []strata.Decision
	for _, d := range list {
		// An agent takes back its own mistakes, not what people and others did meanwhile.
		if env.Origin == strata.OriginTool && d.Session != env.Session {
			continue
		}
		if d.Op.Changed() && d.Op != strata.OpForget && d.Reverts == "" && d.RevertedBy == "" && !outOfReach(d) {
			out = append(out, d)
		}
		if len(out) == n {
			return out, nil
		}
	}
	if len(out) == 0 && env.Origin == strata.OriginTool {
		return nil, &strata.Error{Code: strata.CodeNotFound, Op: "undo", Message: "you changed nothing in this session that could be undone",
			Hint: "name a change of an earlier session by its decision id; answers of memory_save and memory_update hold it"}
	}
	if len(out) == 0 {
		return nil, strata.NotFound("undo", "decision to undo", "among the newest")
	}
	return out, nil
}
