package ops

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/decide"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// Statement describes a fact to save.
type Statement struct {
	Content        string      `json:"content" opt:"arg,required,file" doc:"the statement" agents:"statement"`
	Type           strata.Type `json:"type,omitempty" short:"t" enum:"user,feedback,project,reference" doc:"what it is about (default: inferred)" agents:"default: inferred"`
	Category       string      `json:"category,omitempty" short:"c" values:"category" doc:"its group (default: found by meaning)" agents:"group"`
	Entity         string      `json:"entity,omitempty" tool:"-" doc:"what it is about; with attribute, a slot for one value"`
	Attribute      string      `json:"attribute,omitempty" tool:"-" doc:"the property it states"`
	Target         string      `json:"target,omitempty" tool:"-" values:"fact" doc:"id of the fact it updates"`
	BaseGeneration int64       `json:"base_generation,omitempty" tool:"-" doc:"generation of the target you saw; nothing changes if that is out of date"`
	RequestID      string      `json:"request_id,omitempty" tool:"-" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Session        string      `json:"session,omitempty" tool:"-" values:"session" doc:"session it was said in"`
	Sources        []string    `json:"sources,omitempty" tool:"-" values:"turn" doc:"ids of the turns it was learned from"`
	Confidence     float64     `json:"confidence,omitempty" tool:"-" doc:"how sure the caller is, from 0 to 1"`
	ValidFrom      string      `json:"valid_from,omitempty" tool:"-" doc:"when it starts to hold: a date, RFC 3339 time or words such as last week"`
	Note           string      `json:"note,omitempty" tool:"-" doc:"the caller's own reason, kept with the decision"`
}

// candidate converts the statement to a candidate by env's caller.
func (s Statement) candidate(env *operation.Env) (strata.Candidate, error) {
	from, err := env.ParseTime("valid_from", s.ValidFrom)
	if err != nil {
		return strata.Candidate{}, err
	}
	if s.Session == "" {
		s.Session = env.Session
	}
	c := strata.Candidate{
		Scope: env.Scope, Workspace: env.Workspace, Agent: env.Agent, Origin: env.Origin,
		Content: s.Content, Type: s.Type, Category: s.Category, Entity: s.Entity, Attribute: s.Attribute,
		Target: s.Target, BaseGeneration: s.BaseGeneration, RequestID: s.RequestID, Session: s.Session,
		Sources: s.Sources, Confidence: s.Confidence, ValidFrom: from, Reason: s.Note,
	}
	return c, c.Validate()
}

// SaveIn is the input of save.
type SaveIn struct {
	Statement
	DryRun bool `json:"dry_run,omitempty" tool:"-" doc:"say what would be decided and change nothing"`
}

// Saved reports what became of a statement.
type Saved struct {
	ID         string      `json:"id" doc:"the fact that now holds the text, or already said the same; empty after a rejection"`
	Decision   strata.Op   `json:"decision" doc:"add, update, supersede, noop or reject"`
	Reason     string      `json:"reason" tool:"-" doc:"why, in one sentence"`
	DecisionID string      `json:"decision_id,omitempty" doc:"the decision, for decision, undo and revert; empty in a dry run"`
	Scope      string      `json:"scope" doc:"who owns the fact"`
	Type       strata.Type `json:"type,omitempty" doc:"user, feedback, project or reference"`
	Category   string      `json:"category,omitempty" doc:"the group it was put in"`
	Generation int64       `json:"generation,omitempty" tool:"-" doc:"version of the fact, from 1"`
	Replaced   string      `json:"replaced,omitempty" tool:"-" doc:"text that is no longer current because of it"`
	Notes      []string    `json:"notes,omitempty" tool:"-" doc:"what a reader should know"`
	Replayed   bool        `json:"replayed,omitempty" tool:"-" doc:"decided by an earlier call with the same request id; this call did nothing"`
	DryRun     bool        `json:"dry_run,omitempty" tool:"-" doc:"nothing was changed"`
}

func save() operation.Operation {
	return operation.Op[SaveIn, Saved]{
		Info: operation.Info{
			Name:    "save",
			Summary: "Remember a statement",
			Toolset: operation.CoreTools,
			Advice: "Remembers one new fact, in one sentence that stands alone. Call it as soon as the user says who they are, what they prefer or what was " +
				"decided and why. Never secrets. To correct a fact call memory_update.",
			Description: "Saves one short statement as a fact. What is already known decides the outcome: the statement is added, updates or supersedes a " +
				"fact, or changes nothing. The answer gives the decision and its reason. A text that holds a secret is rejected. Without a scope, " +
				"user and feedback go to the global scope, project and reference to the workspace.",
			Examples: []operation.Example{
				{Doc: "remember a statement", Input: `{"content": "My cat's name is Whiskerino"}`},
				{Doc: "say what it is about", Input: `{"content": "Deploys happen on Tuesdays", "type": "project", "category": "deploys"}`},
				{Doc: "see what would be decided", Input: `{"content": "My cat's name is Tom", "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in SaveIn) (Saved, error) {
			c, err := in.candidate(env)
			if err != nil {
				return Saved{}, err
			}
			return saved(ctx, env, c, in.DryRun)
		},
	}
}

// saved writes a candidate, or returns what a write would decide.
func saved(ctx context.Context, env *operation.Env, c strata.Candidate, dryRun bool) (Saved, error) {
	d, err := write(ctx, env, c, dryRun)
	out := savedOf(d)
	out.DryRun = dryRun
	return out, err
}

// write writes a candidate, or returns the decision that a write would make and the error
// it would return.
func write(ctx context.Context, env *operation.Env, c strata.Candidate, dryRun bool) (strata.Decision, error) {
	if !dryRun {
		return env.Engine.Write(ctx, c)
	}
	d, err := env.Engine.Preview(ctx, c)
	if err == nil && d.Op == strata.OpReject {
		err = decide.Rejection(d)
	}
	return d, err
}

// savedOf converts a decision about a fact to its output form.
func savedOf(d strata.Decision) Saved {
	s := Saved{
		ID: d.FactID, Decision: d.Op, Reason: d.Reason, DecisionID: d.ID, Scope: d.Scope.Key(), Notes: d.Notes, Replayed: d.Replayed,
	}
	if d.After != nil {
		s.Type, s.Category, s.Generation = d.After.Type, d.After.Category, d.After.Generation
	}
	if d.Before != nil && d.Op.Changed() {
		s.Replaced = d.Before.Text
	}
	return s
}

// UpdateIn is the input of update.
type UpdateIn struct {
	ID             string `json:"id" opt:"arg,required" values:"fact" doc:"id of the fact" agents:"of the fact"`
	Content        string `json:"content" opt:"arg,required,file" doc:"what is true instead" agents:"what is true instead"`
	BaseGeneration int64  `json:"base_generation,omitempty" tool:"-" doc:"generation of the fact you saw; nothing changes if that is out of date"`
	RequestID      string `json:"request_id,omitempty" tool:"-" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
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
			Description: "Gives a fact a new text. The fact keeps its id, its scope and its history; the version before is no longer believed, and undo " +
				"brings it back. To correct a note, use remember with the same title.",
			Examples: []operation.Example{
				{Doc: "correct a fact", Input: `{"id": "fact_W6Y0AB", "content": "My cat's name is Tom"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in UpdateIn) (Saved, error) {
			if !strings.HasPrefix(in.ID, id.Fact+"_") {
				return Saved{}, strata.Invalid("update", operation.Clip(in.ID)+" is not the id of a fact",
					"recall and list show the id of each fact; to correct a note, use remember with the same title")
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
			return saved(ctx, env, c, in.DryRun)
		},
	}
}

// DeleteIn is the input of delete.
type DeleteIn struct {
	ID             string `json:"id" opt:"arg,required" values:"fact" doc:"id of the fact to delete"`
	BaseGeneration int64  `json:"base_generation,omitempty" doc:"generation of the fact you saw; nothing changes if that is out of date"`
	RequestID      string `json:"request_id,omitempty" doc:"makes the call repeatable: the same id returns the same decision; for another request it is a conflict"`
	Note           string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun         bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

func deleteOp() operation.Operation {
	return operation.Op[DeleteIn, Saved]{
		Info: operation.Info{
			Name:    "delete",
			Command: "fact delete",
			Summary: "Stop believing a fact",
			Description: "Deletes a fact: it is no longer recalled, but stays in the history, and revert brings it back. To remove every trace of a text for " +
				"good, use forget.",
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
			out, err := saved(ctx, env, c, in.DryRun)
			if err == nil && out.Decision == strata.OpNoop && out.ID == "" {
				err = strata.NotFound("delete", "fact", in.ID)
			}
			return out, err
		},
	}
}
