package ops

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// maxUndo is how many decisions can be undone at once.
const maxUndo = 100

// UndoIn is the input of undo.
type UndoIn struct {
	What   string `json:"what,omitempty" opt:"arg" values:"decision" doc:"how many of the newest decisions, 1 to 100, or the id of one (default: 1); a tool undoes by number only those of its own session" agents:"how many of your last changes, or a decision id; default 1"`
	Note   string `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the new decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be done and change nothing" agents:"preview"`
}

// Undone reports the decisions that undid others.
type Undone struct {
	Decisions []Undoing `json:"decisions" doc:"in the order they were undone, newest first; texts of files are left out"`
	Forgotten []string  `json:"forgotten,omitempty" doc:"newer decisions that were skipped because their text was forgotten"`
	Stopped   string    `json:"stopped,omitempty" doc:"if there was an error, why no more were undone"`
	DryRun    bool      `json:"dry_run,omitempty" doc:"nothing was changed"`

	failed error // the error that ended it
}

// Failure returns the error that ended the undo, or nil. What was undone before stays
// undone.
func (u Undone) Failure() error { return u.failed }

// Rows returns the decisions, for output line by line.
func (u Undone) Rows() []any { return operation.Rows(u.Decisions) }

// Undoing is a decision that undid another.
type Undoing struct {
	Decision
	Undid strata.Op `json:"undid" doc:"what the undone decision did"`
	Waits bool      `json:"waits,omitempty" tool:"-" doc:"in a dry run: its outcome shows only once a newer one is undone"`
}

func undo() operation.Operation {
	return operation.Op[UndoIn, Undone]{
		Info: operation.Info{
			Name:    "undo",
			Summary: "Undo the latest decisions",
			Description: "Reverts the newest decisions of the view that changed something and were not undone yet, newest first, each with a decision of its " +
				"own. A revert can be undone only by its id. Decisions whose text was forgotten are skipped. It stops at the first other decision " +
				"that cannot be reverted; what it undid until then stays undone.",
			Destructive: true,
			Toolset:     operation.CoreTools,
			Advice:      "Takes back your own last changes to memory, or one by its decision id. Call it when you saved or changed something by mistake.",
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
	targets, n, err := toUndo(ctx, env, in.What)
	if err != nil {
		return Undone{}, err
	}
	learning, err := newestLearning(ctx, env)
	if err != nil {
		return Undone{}, err
	}
	out := Undone{DryRun: in.DryRun}
	next := ""                       // the newest change, which a newer learning blocks
	undone := make(map[string]bool)  // decisions undone here, including other halves of moves
	touched := make(map[string]bool) // facts and files that were undone here
	for _, target := range targets {
		if target.ID == in.What {
			learning = nil
		}
		if n == 0 || learning != nil && learning.LastAt.After(target.DecidedAt) {
			next = target.ID
			break
		}
		if undone[target.ID] {
			n--
			continue
		}
		others, err := env.Engine.RevertedWith(ctx, env.View, target)
		if err != nil {
			return out.stop(err)
		}
		d, err := env.Engine.Revert(ctx, env.View, target.ID, engine.RevertOptions{DryRun: in.DryRun, Reason: in.Note, Origin: env.Origin})
		if strata.CodeOf(err) == strata.CodeForgotten && target.ID != in.What {
			out.Forgotten = append(out.Forgotten, target.ID)
			continue
		}
		u, parts := Undoing{Undid: target.Op}, append(others, target)
		switch {
		case in.DryRun && slices.ContainsFunc(parts, func(d strata.Decision) bool { return touched[aboutOf(d)] }):
			u.Decision, u.Waits = decisionOf(target).listed(), true
			u.Decision.ID, u.Reverts = "", target.ID
		case err != nil:
			return out.stop(err)
		default:
			u.Decision = decisionOf(d).listed()
		}
		u.DryRun = in.DryRun
		out.Decisions = append(out.Decisions, u)
		for _, part := range parts {
			undone[part.ID], touched[aboutOf(part)] = true, true
		}
		n--
	}
	switch {
	case n > 0 && learning != nil:
		return out.stop(cannotUndoLearning(*learning, next))
	case len(out.Decisions) == 0:
		return Undone{}, nothingToUndo(env)
	}
	return out, nil
}

// stop ends an undo with an error. If something was undone, it records the error in the
// result instead.
func (u Undone) stop(err error) (Undone, error) {
	if len(u.Decisions) == 0 {
		return Undone{}, err
	}
	u.Stopped, u.failed = strata.MessageOf(err), err
	return u, nil
}

// newestLearning returns the newest learning of an agent in its session, or nil if there
// is none or the caller is not an agent.
func newestLearning(ctx context.Context, env *operation.Env) (*strata.Learning, error) {
	if env.Origin != strata.OriginTool || env.Session == "" {
		return nil, nil
	}
	list, err := env.Engine.Learnings(ctx, env.View, "", searchedLearnings)
	var newest *strata.Learning
	for i, l := range list {
		if l.Session == env.Session && (newest == nil || l.LastAt.After(newest.LastAt)) {
			newest = &list[i]
		}
	}
	return newest, err
}

// cannotUndoLearning returns the error for a learning that is newer than any change that can
// be undone: learnings have no versions to go back to. It names the change before it, if
// any.
func cannotUndoLearning(l strata.Learning, before string) error {
	hint := "memory_forget erases it by that id"
	if before != "" {
		hint += "; to undo the change before it, pass its id, " + before
	}
	return &strata.Error{Code: strata.CodeConflict, Op: "undo", Message: "the last change is the learning " + l.ID + ", which cannot be undone: " + learningText(l), Hint: hint}
}

// aboutOf names the fact or file a decision is about.
func aboutOf(d strata.Decision) string {
	if d.Document != nil {
		return d.Scope.Key() + " " + d.Document.Path
	}
	return d.FactID
}

// ofProject reports whether a decision is about a file of the project, which memory reads
// but never writes. Such a decision does not block earlier ones.
func ofProject(d strata.Decision) bool {
	return d.Document != nil && strings.HasPrefix(d.Document.Path, strata.ProjectPrefix)
}

// toUndo returns the decisions that can be undone, newest first, and how many of them to
// undo.
func toUndo(ctx context.Context, env *operation.Env, what string) ([]strata.Decision, int, error) {
	n := 1
	if what != "" {
		var err error
		if n, err = strconv.Atoi(what); err != nil {
			d, err := env.Engine.Decision(ctx, env.View, what)
			return []strata.Decision{d}, 1, err
		}
	}
	if n < 1 || n > maxUndo {
		return nil, 0, strata.Invalid("undo", strconv.Itoa(n)+" decisions cannot be undone at once", "undo 1 to 100, or one by its id")
	}
	const page = 1000
	list, err := newestDecisions(ctx, env, strata.DecisionFilter{Limit: page})
	return slices.DeleteFunc(list, func(d strata.Decision) bool {
		// An agent undoes its own mistakes, not what people or others did meanwhile.
		return env.Origin == strata.OriginTool && d.Session != env.Session ||
			!d.Op.Changed() || d.Op == strata.OpForget || d.Reverts != "" || d.RevertedBy != "" || ofProject(d)
	}), n, err
}

// nothingToUndo returns the error for an undo without anything to undo.
func nothingToUndo(env *operation.Env) error {
	if env.Origin == strata.OriginTool {
		return &strata.Error{Code: strata.CodeNotFound, Op: "undo", Message: "you changed nothing in this session that could be undone",
			Hint: "name a change of an earlier session by its decision id, which answers of memory_save, memory_update and memory_append hold"}
	}
	return strata.NotFound("undo", "decision to undo", "among the newest")
}

// undoneText says what each decision undid.
func undoneText(u Undone) string {
	lines := make([]string, len(u.Decisions))
	for i, d := range u.Decisions {
		verb := "undid"
		if u.DryRun {
			verb = "would undo"
		}
		lines[i] = fmt.Sprintf("%s %s %s (%s)", verb, d.Undid, d.Reverts, joined(d.FactID, d.Path, d.Scope))
		before, after := d.Texts()
		if before != "" {
			lines[i] += "\nno longer current: " + named(before)
		}
		if after != "" {
			lines[i] += "\ncurrent again: " + named(after)
		}
	}
	return strings.Join(append(lines, u.restText()...), "\n")
}

// restText says what an undo skipped and why it stopped, one per line.
func (u Undone) restText() []string {
	var lines []string
	if len(u.Forgotten) > 0 {
		lines = append(lines, "skipped, because the text was forgotten: "+strings.Join(u.Forgotten, ", "))
	}
	if u.Stopped != "" {
		lines = append(lines, "stopped there: "+beginningOf(u.Stopped))
	}
	return lines
}
