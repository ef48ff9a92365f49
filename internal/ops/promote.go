package ops

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/edit"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/internal/ops/operation"
)

// NotePromoteIn is the input of note_promote.
type NotePromoteIn struct {
	NoteNameIn
	To     string `json:"to" opt:"required" values:"scope" doc:"scope to move it to: global, workspace, agent, agent:global or a key"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

// NoteRejectIn is the input of note_reject.
type NoteRejectIn struct {
	Name   string `json:"name" opt:"arg,required" values:"waiting" doc:"title, slug, type/slug, path or id of the proposal"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decision"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

// NoteAcceptIn is the input of note_accept.
type NoteAcceptIn struct {
	Name   string `json:"name" opt:"arg,required" values:"waiting" doc:"title, slug, type/slug, path or id of the proposal"`
	To     string `json:"to,omitempty" values:"scope" doc:"scope to accept it into (default: its own)"`
	Take   string `json:"take,omitempty" enum:"note,proposal" doc:"which one stays if the note and the proposal changed the same part"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

// Moved reports what became of a note that was moved.
type Moved struct {
	Decisions []Noted `json:"decisions" doc:"the note where it is now, then where it was"`
	Before    string  `json:"before,omitempty" doc:"text of the note that a proposal changes"`
	After     string  `json:"after,omitempty" doc:"its text with the proposed change; left out if a note is only moved"`
	DryRun    bool    `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows returns the decisions, for output line by line.
func (m Moved) Rows() []any { return operation.Rows(m.Decisions) }

func notePromote() operation.Operation {
	return operation.Op[NotePromoteIn, Moved]{
		Info: operation.Info{
			Name: "note_promote", Family: familyNote, Summary: "Move a note to another scope",
			Description: "Moves a note in one step: from the agent to the workspace, from the workspace to the global scope, or back. Nothing changes if the " +
				"other scope already has such a note.",
			Examples: []operation.Example{
				{Doc: "make it known everywhere", Input: `{"name": "How we deploy", "to": "global"}`},
				{Doc: "see what would be decided", Input: `{"name": "How we deploy", "to": "workspace", "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NotePromoteIn) (Moved, error) {
			to, err := env.Target(ctx, in.To)
			if err != nil {
				return Moved{}, err
			}
			d, err := found(ctx, env, in.Name)
			if err != nil {
				return Moved{}, err
			}
			list, err := env.Engine.Promote(ctx, d.Scope, to, d.ID, promoteOptions(env, in.Note, in.DryRun))
			return movedOf(list, in.DryRun), err
		},
	}
}

func noteAccept() operation.Operation {
	return operation.Op[NoteAcceptIn, Moved]{
		Info: operation.Info{
			Name: "note_accept", Family: familyNote, Summary: "Accept a proposed note, or a proposed change to one",
			Description: "Turns a proposal that waits in _inbox/ into a note. If that note already exists, the proposal is merged with what changed in the " +
				"note since, and shown. If both changed the same part, it shows the two versions and changes nothing unless take names one. undo " +
				"brings the note and the proposal back.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "see what it changes", Input: `{"name": "_inbox/reference_staging-database.md", "dry_run": true}`},
				{Doc: "accept", Input: `{"name": "Staging database"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteAcceptIn) (Moved, error) {
			from, err := proposed(ctx, env, in.Name)
			if err != nil {
				return Moved{}, err
			}
			to := from.Scope
			if in.To != "" {
				if to, err = env.Target(ctx, in.To); err != nil {
					return Moved{}, err
				}
			}
			o := edit.AcceptOptions{Take: in.Take, PromoteOptions: promoteOptions(env, in.Note, in.DryRun)}
			a, err := env.Engine.Accept(ctx, from.Scope, to, from.ID, o)
			out := movedOf(a.Decisions, in.DryRun)
			out.Before, out.After = a.Before, a.After
			return out, err
		},
	}
}

func noteReject() operation.Operation {
	return operation.Op[NoteRejectIn, Noted]{
		Info: operation.Info{
			Name: "note_reject", Family: familyNote, Summary: "Turn a proposed note down",
			Description: "Deletes a note that waits in _inbox/. It stays in the history, and revert brings it back.",
			Destructive: true,
			Examples: []operation.Example{
				{Doc: "turn it down", Input: `{"name": "Staging database"}`},
			},
		},
		Handle: func(ctx context.Context, env *operation.Env, in NoteRejectIn) (Noted, error) {
			d, err := proposed(ctx, env, in.Name)
			if err != nil {
				return Noted{}, err
			}
			return note(ctx, env, strata.Candidate{
				Scope: d.Scope, Path: d.Path, Action: strata.ActionDelete, BaseHash: d.Hash, Agent: env.Agent, Session: env.Session,
				Origin: env.Origin, Reason: in.Note,
			}, in.DryRun)
		},
	}
}

// promoteOptions returns options on behalf of the caller.
func promoteOptions(env *operation.Env, reason string, dryRun bool) edit.PromoteOptions {
	return edit.PromoteOptions{DryRun: dryRun, Origin: env.Origin, Agent: env.Agent, Reason: reason}
}

// movedOf converts decisions about a moved note to their output form.
func movedOf(list []strata.Decision, dryRun bool) Moved {
	return Moved{Decisions: notedEach(list, dryRun), DryRun: dryRun}
}

// proposed finds a pending note.
func proposed(ctx context.Context, env *operation.Env, name string) (strata.Document, error) {
	if strings.HasPrefix(name, memoryurl.Scheme) {
		var err error
		if name, err = memoryurl.Parse(name); err != nil {
			return strata.Document{}, err
		}
	}
	name, err := wholeDocument(ctx, env, name)
	if err != nil {
		return strata.Document{}, err
	}
	return env.Engine.Proposal(ctx, env.View, strings.TrimPrefix(name, "./"))
}
