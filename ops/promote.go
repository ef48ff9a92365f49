package ops

import (
	"context"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/document"
	"github.com/strata-memory/strata/documents/edit"
)

// NotePromoteIn is the input of note_promote.
type NotePromoteIn struct {
	NoteNameIn
	To     string `json:"to" opt:"required" values:"scope" doc:"scope to move it to: global, workspace, agent, agent:global or a key"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

// NoteAcceptIn is the input of note_accept.
type NoteAcceptIn struct {
	Name   string `json:"name" opt:"arg,required" values:"waiting" doc:"title, slug, type/slug, path or id of the proposal"`
	To     string `json:"to,omitempty" values:"scope" doc:"scope to accept it into (default: its own)"`
	Note   string `json:"note,omitempty" doc:"the caller's own reason, kept with the decisions"`
	DryRun bool   `json:"dry_run,omitempty" doc:"say what would be decided and change nothing"`
}

// Moved is what became of a note that was moved.
type Moved struct {
	Decisions []Noted `json:"decisions" doc:"the note where it is now, then where it was"`
	DryRun    bool    `json:"dry_run,omitempty" doc:"nothing was changed"`
}

// Rows are the decisions, for output line by line.
func (m Moved) Rows() []any { return rows(m.Decisions) }

func notePromote() Operation {
	return Op[NotePromoteIn, Moved]{
		Info: Info{
			Name: "note_promote", Family: familyNote, Summary: "Move a note to another scope",
			Description: "Moves a note in one step: from the agent to the workspace, from the workspace to the global scope, or back. " +
				"Nothing is changed where the other scope has such a note already.",
			Examples: []Example{
				{Doc: "make it known everywhere", Input: `{"name": "How we deploy", "to": "global"}`},
				{Doc: "see what would be decided", Input: `{"name": "How we deploy", "to": "workspace", "dry_run": true}`},
			},
		},
		Handle: func(ctx context.Context, env *Env, in NotePromoteIn) (Moved, error) {
			to, err := ParseScope(in.To, env.Workspace, env.Agent)
			if err != nil {
				return Moved{}, err
			}
			d, err := found(ctx, env, in.Name)
			if err != nil {
				return Moved{}, err
			}
			return move(ctx, env, d.Scope, to, d.ID, in.Note, in.DryRun)
		},
	}
}

func noteAccept() Operation {
	return Op[NoteAcceptIn, Moved]{
		Info: Info{
			Name: "note_accept", Family: familyNote, Summary: "Accept a proposed note",
			Description: "Moves a note that waits in _inbox/ to the notes. It is named by its path, its id, or as type/slug.",
			Examples: []Example{
				{Doc: "accept", Input: `{"name": "_inbox/reference_staging-database.md"}`},
			},
		},
		Handle: func(ctx context.Context, env *Env, in NoteAcceptIn) (Moved, error) {
			from, err := proposed(ctx, env, in.Name)
			if err != nil {
				return Moved{}, err
			}
			to := from.Scope
			if in.To != "" {
				if to, err = ParseScope(in.To, env.Workspace, env.Agent); err != nil {
					return Moved{}, err
				}
			}
			return move(ctx, env, from.Scope, to, from.ID, in.Note, in.DryRun)
		},
	}
}

// move moves a document between scopes.
func move(ctx context.Context, env *Env, from, to strata.Scope, id, why string, dryRun bool) (Moved, error) {
	list, err := env.Engine.Promote(ctx, from, to, id, edit.PromoteOptions{DryRun: dryRun, Origin: env.Origin, Agent: env.Agent, Reason: why})
	return Moved{Decisions: each(list, func(d strata.Decision) Noted { return notedOf(d, dryRun) }), DryRun: dryRun}, err
}

// proposed finds a note that waits: by its path or id, else by its title or
// slug among all that wait.
func proposed(ctx context.Context, env *Env, name string) (strata.Document, error) {
	list, err := env.Engine.Documents(ctx, env.View, strata.DocumentFilter{Kind: strata.DocumentSystem, System: true})
	if err != nil {
		return strata.Document{}, err
	}
	var hits []strata.Document
	for _, d := range list {
		if p, ok := proposalOf(d); ok && p.called(name) {
			hits = append(hits, d)
		}
	}
	switch {
	case len(hits) == 1, len(hits) > 1 && hits[0].Path == hits[1].Path:
		return hits[0], nil // of one path in several scopes the deeper
	case len(hits) > 1:
		return strata.Document{}, &strata.Error{Code: strata.CodeConflict, Op: "accept note", Message: "several proposals are called " + clip(name),
			Hint: "name it by its path, such as " + hits[0].Path}
	}
	return strata.Document{}, &strata.Error{Code: strata.CodeNotFound, Op: "accept note", Message: "no note that waits is called " + clip(name),
		Hint: "note list --kind system shows what waits"}
}

// proposal is a note that waits in _inbox/.
type proposal struct {
	document strata.Document
	kind     strata.Type
	slug     string
}

// proposalOf reads the name of a document as that of a note that waits.
func proposalOf(d strata.Document) (proposal, bool) {
	rest, ok := strings.CutPrefix(d.Path, "_inbox/")
	if !ok {
		return proposal{}, false
	}
	kind, slug, ok := document.ParseNotePath("notes/" + rest)
	return proposal{document: d, kind: kind, slug: slug}, ok
}

// called reports whether a name is that of the proposal.
func (p proposal) called(name string) bool {
	switch name {
	case p.document.ID, p.document.Path, addressOf(p.document.Path), p.slug, string(p.kind) + "/" + p.slug:
		return true
	}
	return document.Slug(name) == p.slug
}
