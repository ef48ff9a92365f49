package edit

import (
	"context"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/documents/memoryurl"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Skill is a skill of a scope.
type Skill struct {
	// Document is the skill's file with its content. Shadowed is the scope whose skill of
	// the same name takes precedence.
	strata.Document
	Dir    string               // name of its directory, by which the skill is called
	Status markdown.SkillStatus // active if the file states none
	// Sessions are the sessions in which it was learned; empty if a person wrote it.
	Sessions []string
	// OpenedAt is when it was opened last by its address; zero for never.
	OpenedAt time.Time
}

// skillOf returns the skill in a document, and false if the document is not a skill.
func skillOf(d strata.Document) (Skill, bool) {
	dir, ok := markdown.ParseSkillPath(d.Path)
	if !ok {
		return Skill{}, false
	}
	n, _ := markdown.ParseSkill(d.Content) // what is wrong with it is reported as its Problem
	s := Skill{Document: d, Dir: dir, Status: markdown.SkillActive, Sessions: n.Provenance.Sessions}
	if !n.Status.IsActive() {
		s.Status = n.Status
	}
	return s, true
}

// Skills lists the skills of a view by name, and those with the same name in the order of
// the view. An empty status means every status. Foreign skills never count as active.
func (e *Editor) Skills(ctx context.Context, view strata.View, status markdown.SkillStatus) ([]Skill, error) {
	if err := status.Validate(); err != nil {
		return nil, err
	}
	list, err := e.o.Library.Documents(ctx, view, strata.DocumentFilter{Kind: strata.DocumentSkill, Content: true, Limit: maxSkills})
	if err != nil {
		return nil, err
	}
	opened, err := e.o.Library.Opened(ctx, view)
	if err != nil {
		return nil, err
	}
	var out []Skill
	holder := make(map[string]strata.Scope) // first scope with a skill of that name
	for _, d := range list {
		s, ok := skillOf(d)
		if !ok {
			continue
		}
		s.OpenedAt = opened[s.ID]
		if s.Shadowed, ok = holder[s.Dir]; !ok && !s.Foreign { // foreign skills shadow nothing
			holder[s.Dir] = s.Scope
		}
		if status == "" || s.Status == status && !(s.Foreign && status == markdown.SkillActive) {
			out = append(out, s)
		}
	}
	return out, nil
}

// maxSkills is the maximum number of skills read from a view.
const maxSkills = 10_000

// Skill returns a skill by its name, path, id or address. If several scopes have it, the
// first one counts.
func (e *Editor) Skill(ctx context.Context, view strata.View, name string) (Skill, error) {
	path := name
	if markdown.ValidateSkillName(name) == nil {
		path = markdown.SkillPath(name)
	}
	find := e.o.Library.Document
	if strings.HasPrefix(path, memoryurl.Scheme) {
		find = e.o.Library.At
	}
	d, err := find(ctx, view, path)
	if err != nil && strata.CodeOf(err) != strata.CodeNotFound {
		return Skill{}, err
	}
	s, ok := skillOf(d)
	if err != nil || !ok {
		return Skill{}, &strata.Error{Code: strata.CodeNotFound, Op: "find skill", Message: "no skill is called " + fence.Neutral(name, 100),
			Hint: "skill list shows all skills"}
	}
	return s, nil
}

// SetSkill activates or archives a skill. The new status is a new version of its file, so
// that reverting it restores the old status. Setting the status that it already has
// changes nothing.
func (e *Editor) SetSkill(ctx context.Context, view strata.View, name string, status markdown.SkillStatus, o PromoteOptions) (strata.Decision, error) {
	c, err := e.withStatus(ctx, view, name, status, o)
	if err != nil {
		return strata.Decision{}, err
	}
	if o.DryRun {
		return e.o.Memory.Preview(ctx, c)
	}
	return e.o.Memory.Write(ctx, c)
}

// withStatus returns the candidate that sets the status of a skill, after recording edits
// made to its file by hand.
func (e *Editor) withStatus(ctx context.Context, view strata.View, name string, status markdown.SkillStatus, o PromoteOptions) (strata.Candidate, error) {
	const op = "set skill"
	s, err := e.Skill(ctx, view, name)
	if err == nil {
		err = e.o.Intake.NoticeEdits(ctx, documents.Place{Scope: s.Scope, Path: s.Path})
	}
	if err == nil {
		s, err = e.Skill(ctx, s.Scope.View(), s.Path)
	}
	if err != nil {
		return strata.Candidate{}, err
	}
	if len(s.Redacted) > 0 {
		return strata.Candidate{}, losesSecret(op, s.Path)
	}
	if err := e.makeWhole(ctx, &s.Document); err != nil {
		return strata.Candidate{}, err
	}
	content := s.Content
	if s.Status != status {
		n, err := markdown.ParseSkill(content)
		if err != nil {
			return strata.Candidate{}, strata.Invalid(op, "the front matter of "+s.Path+" cannot be read: "+err.Error(), "fix the file first; name and description are needed")
		}
		n.Status, n.Provenance.UpdatedAt = status, e.o.Now()
		if content, err = markdown.EditNote(content, n); err != nil {
			return strata.Candidate{}, err
		}
	}
	return strata.Candidate{Scope: s.Scope, Path: s.Path, Content: content, BaseHash: s.Hash, Foreign: s.Foreign, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason}, nil
}

// MakeSkill turns a note into an active skill in one transaction: it adds the skill and
// deletes the note. name is any by which [documents.Library.Document] finds the note.
// called is the name of the skill; if empty, it is derived from the note's title. If
// there already is a skill of that name, MakeSkill changes nothing and returns
// [strata.CodeConflict].
func (e *Editor) MakeSkill(ctx context.Context, view strata.View, name, called string, o PromoteOptions) ([]strata.Decision, error) {
	const op = "make skill"
	d, err := e.withEdits(ctx, view, name)
	if err != nil {
		return nil, err
	}
	if d.Kind != strata.DocumentNote {
		return nil, strata.Invalid(op, d.Path+" is not a note", "name a note; note list shows them")
	}
	if err := e.makeWhole(ctx, &d); err != nil {
		return nil, err
	}
	n, err := markdown.ParseNote(d.Content)
	if err != nil {
		return nil, strata.Invalid(op, "the front matter of "+d.Path+" cannot be read: "+err.Error(), "fix the file first")
	}
	if called == "" {
		called = markdown.SkillName(n.Name)
	}
	if err := markdown.ValidateSkillName(called); err != nil {
		return nil, err
	}
	s := markdown.Note{Front: markdown.Front{Name: called, Description: n.Description, Status: markdown.SkillActive,
		Base: markdown.Base{ID: d.ID, Hash: d.Hash}, Provenance: n.Provenance}, Body: n.Body}
	s.Provenance.UpdatedAt = e.o.Now()
	if !strings.HasPrefix(s.Body, "# ") {
		s.Body = "# " + n.Name + "\n\n" + s.Body
	}
	return e.replace(ctx, []strata.Candidate{
		{Scope: d.Scope, Path: markdown.SkillPath(called), Content: s.Render(), BaseHash: strata.NoFile, Foreign: d.Foreign, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason},
		{Scope: d.Scope, Path: d.Path, Action: strata.ActionDelete, BaseHash: d.Hash, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason},
	}, o.DryRun)
}
