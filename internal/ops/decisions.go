package ops

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// Decision is the outcome of a candidate, a proposed change of memory.
type Decision struct {
	ID         string        `json:"id" doc:"id of the decision"`
	Decision   strata.Op     `json:"decision" doc:"add, update, supersede, delete, noop, reject or forget"`
	Reason     string        `json:"reason" tool:"-" doc:"why, in one sentence"`
	FactID     string        `json:"fact_id,omitempty" doc:"the fact it is about; empty for a rejection and for a file"`
	Path       string        `json:"path,omitempty" doc:"the file it is about"`
	Scope      string        `json:"scope" doc:"who owns it"`
	Before     *Fact         `json:"before,omitempty" tool:"-" doc:"the version that stopped being current"`
	After      *Fact         `json:"after,omitempty" tool:"-" doc:"the new version"`
	FileBefore *Document     `json:"file_before,omitempty" tool:"-" doc:"the version of the file that stopped being current; its text is left out in lists"`
	FileAfter  *Document     `json:"file_after,omitempty" tool:"-" doc:"the new version of the file; its text is left out in lists"`
	Rules      []string      `json:"rules,omitempty" tool:"-" doc:"rules that were tried, in order; the last one decided"`
	Confidence float64       `json:"confidence" tool:"-" doc:"in the decision itself, from 0 to 1"`
	Origin     strata.Origin `json:"origin" tool:"-" doc:"who proposed the change"`
	Agent      string        `json:"agent,omitempty" tool:"-" doc:"agent of the caller"`
	Session    string        `json:"session,omitempty" tool:"-" doc:"session it was proposed in"`
	RequestID  string        `json:"request_id,omitempty" tool:"-" doc:"request id of the call"`
	Notes      []string      `json:"notes,omitempty" tool:"-" doc:"what a reader should know"`
	Reverts    string        `json:"reverts,omitempty" doc:"decision this one undid"`
	RevertedBy string        `json:"reverted_by,omitempty" doc:"decision that undid this one"`
	DecidedAt  time.Time     `json:"decided_at" doc:"when it was committed"`
	AppliedAt  *time.Time    `json:"applied_at,omitempty" tool:"-" doc:"when its files were written; left out until then"`
	SetAside   string        `json:"set_aside,omitempty" tool:"-" doc:"why its files were never written"`
	Replayed   bool          `json:"replayed,omitempty" tool:"-" doc:"made by an earlier call with the same request id; this call did nothing"`
	DryRun     bool          `json:"dry_run,omitempty" doc:"nothing was changed"`

	texts [2]string // before and after, for files whose content is not in the output
}

// Texts returns the texts of the fact or file before and after the decision, to show what
// changed; empty where there was none.
func (d Decision) Texts() (before, after string) {
	before, after = d.texts[0], d.texts[1]
	for _, v := range []struct {
		text *string
		fact *Fact
		file *Document
	}{{&before, d.Before, d.FileBefore}, {&after, d.After, d.FileAfter}} {
		switch {
		case v.fact != nil:
			*v.text = v.fact.Text
		case v.file != nil && v.file.Content != "":
			*v.text = v.file.Content
		}
	}
	return before, after
}

// Renamed reports whether the decision moved a file to another path.
func (d Decision) Renamed() bool {
	return d.FileBefore != nil && d.FileAfter != nil && d.FileBefore.Path != d.FileAfter.Path
}

// decisionOf converts a decision to its output form.
func decisionOf(d strata.Decision) Decision {
	out := Decision{
		ID: d.ID, Decision: d.Op, Reason: d.Reason, FactID: d.FactID, Scope: d.Scope.Key(), Rules: d.Rules,
		Confidence: d.Confidence, Origin: d.Origin, Agent: d.Agent, Session: d.Session, RequestID: d.RequestID,
		Notes: d.Notes, Reverts: d.Reverts, RevertedBy: d.RevertedBy, DecidedAt: d.DecidedAt, AppliedAt: d.AppliedAt,
		SetAside: d.SetAside, Replayed: d.Replayed,
	}
	if d.Before != nil {
		f := factOf(*d.Before)
		out.Before = &f
	}
	if d.After != nil {
		f := factOf(*d.After)
		out.After = &f
	}
	if d.Document != nil {
		out.Path = d.Document.Path
		out.FileBefore, out.FileAfter = optionalDocument(d.Document.Before), optionalDocument(d.Document.After)
	}
	return out
}

// listed leaves the content of files out of what programs read: a list may have a hundred
// of them, of up to 1 MiB each.
func (d Decision) listed() Decision {
	d.texts[0], d.texts[1] = d.Texts()
	for _, f := range []*Document{d.FileBefore, d.FileAfter} {
		if f != nil {
			f.Content = ""
		}
	}
	return d
}

// DecisionsIn is the input of decisions.
type DecisionsIn struct {
	Decision strata.Op     `json:"decision,omitempty" enum:"add,update,supersede,delete,noop,reject,forget" doc:"only this kind"`
	Origin   strata.Origin `json:"origin,omitempty" tool:"-" enum:"cli,api,tool,extractor,dream,file,import" doc:"only from this origin; extractor means read from conversations"`
	FactID   string        `json:"fact_id,omitempty" values:"fact" doc:"only about this fact"`
	Path     string        `json:"path,omitempty" values:"path" doc:"only about this file"`
	Since    string        `json:"since,omitempty" doc:"decided at that time or later: a date, RFC 3339 time or words such as yesterday"`
	Pending  bool          `json:"pending,omitempty" doc:"only decisions whose files are not written yet"`
	After    string        `json:"after,omitempty" values:"decision" doc:"id to continue after, for paging"`
	Limit    int           `json:"limit,omitempty" short:"n" default:"100" range:"1-10000" doc:"most decisions"`
}

// Decisions lists decisions.
type Decisions struct {
	Decisions []Decision `json:"decisions" doc:"newest first, over all scopes"`
}

// Rows returns the decisions, for output line by line.
func (d Decisions) Rows() []any { return operation.Rows(d.Decisions) }

func decisions() operation.Operation {
	return operation.Op[DecisionsIn, Decisions]{
		Info: operation.Info{
			Name:        "decisions",
			Toolset:     operation.AllTools,
			Advice:      "Lists what became of every request to change memory, newest first. Call it to find the id of a change to take back with memory_undo.",
			Summary:     "List what became of every request to change memory",
			Description: "Lists decisions, newest first, over all scopes in view: what was added, updated, superseded, refused, and why.",
			ReadOnly:    true,
			Examples: []operation.Example{
				{Doc: "the newest decisions", Input: `{"limit": 20}`},
				{Doc: "what became of a file", Input: `{"path": "notes/project_how-we-deploy.md"}`},
				{Doc: "what was refused", Input: `{"decision": "reject"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DecisionsIn) (Decisions, error) {
			since, err := env.ParseTime("since", in.Since)
			if err != nil {
				return Decisions{}, err
			}
			list, err := newestDecisions(ctx, env, strata.DecisionFilter{
				Op: in.Decision, Origin: in.Origin, FactID: in.FactID, Path: in.Path, Since: since, Pending: in.Pending, After: in.After, Limit: in.Limit,
			})
			return Decisions{operation.Each(list, func(d strata.Decision) Decision { return decisionOf(d).listed() })}, err
		},
	}
}

// newestDecisions lists the decisions of all scopes of the view by the time they were
// made: newest first, but pending ones oldest first. Those of one scope stay in the order
// in which they were committed.
func newestDecisions(ctx context.Context, env *operation.Env, f strata.DecisionFilter) ([]strata.Decision, error) {
	list, err := env.Engine.Decisions(ctx, env.View, f)
	slices.SortStableFunc(list, func(a, b strata.Decision) int {
		if f.Pending {
			return a.DecidedAt.Compare(b.DecidedAt)
		}
		return b.DecidedAt.Compare(a.DecidedAt)
	})
	if f.Limit > 0 && len(list) > f.Limit {
		list = list[:f.Limit]
	}
	return list, err
}

// DecisionIn is the input of decision.
type DecisionIn struct {
	ID string `json:"id" opt:"arg,required" values:"decision" doc:"id of the decision"`
}

func decision() operation.Operation {
	return operation.Op[DecisionIn, Decision]{
		Info: operation.Info{
			Name: "decision", Summary: "Show a decision with the rules that led to it", ReadOnly: true,
			Examples: []operation.Example{{Doc: "show a decision", Input: `{"id": "dec_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB"}`}},
		},
		Handle: func(ctx context.Context, env *operation.Env, in DecisionIn) (Decision, error) {
			d, err := env.Engine.Decision(ctx, env.View, in.ID)
			return decisionOf(d), err
		},
	}
}

// RevertIn is the input of revert.
type RevertIn struct {
	ID     string `json:"id" opt:"arg,required" values:"decision" doc:"id of the decision to undo"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the new decision"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be done and change nothing"`
}

func revert() operation.Operation {
	return operation.Op[RevertIn, Decision]{
		Info: operation.Info{
			Name:    "revert",
			Summary: "Undo a decision",
			Description: "Undoes an add, update, supersede or delete with a new decision. It is refused if the fact or file has changed since. What was " +
				"forgotten cannot be brought back.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "see what it would do", Input: `{"id": "dec_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "dry_run": true}`},
				{Doc: "undo", Input: `{"id": "dec_01JD5ZQ9V7M3T8XKQ2R4W6Y0AB", "note": "saved by mistake"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in RevertIn) (Decision, error) {
			d, err := env.Engine.Revert(ctx, env.View, in.ID, engine.RevertOptions{DryRun: in.DryRun, Reason: in.Note, Origin: env.Origin})
			if err != nil {
				return Decision{}, err
			}
			out := decisionOf(d)
			out.DryRun = in.DryRun
			return out, nil
		},
	}
}

// decisionsText lists decisions, one per line.
func decisionsText(d Decisions) string {
	if len(d.Decisions) == 0 {
		return "no decisions"
	}
	lines := make([]string, len(d.Decisions))
	for i, one := range d.Decisions {
		lines[i] = fmt.Sprintf("%s %s %s (%s): %s", one.ID, one.DecidedAt.UTC().Format("2006-01-02 15:04"), one.Decision,
			joined(one.FactID, one.Path, one.Scope), beginningOf(one.Reason))
		if one.RevertedBy != "" {
			lines[i] += " [undone by " + one.RevertedBy + "]"
		}
	}
	return strings.Join(lines, "\n")
}
