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
	// Document is its file, with its content. Shadowed is the scope whose skill of the
	// same name is opened instead.
	strata.Document
	Dir    string               // by what it is called: the name of its directory
	Status markdown.SkillStatus // active where the file names none
	// Sessions are those in which it was learnt; empty for one that a person wrote.
	Sessions []string
	// OpenedAt is when it was opened last by its address; zero for never.
	OpenedAt time.Time
}

// skillOf reads a skill; false for a document that is none.
func skillOf(d strata.Document) (Skill, bool) {
	dir, ok := markdown.ParseSkillPath(d.Path)
	if !ok {
		return Skill{}, false
	}
	n, _ := markdown.ParseSkill(d.Content) // what is wrong with it is its problem
	s := Skill{Document: d, Dir: dir, Status: markdown.SkillActive, Sessions: n.Provenance.Sessions}
	if !n.Status.IsActive() {
		s.Status = n.Status
	}
	return s, true
}

// Skills lists the skills of a view by name, and of one name by the order of the view. An
// empty status lists those of every status. Foreign skills are not active, whatever they say.
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
	holder := make(map[string]strata.Scope) // of a name, the first scope that has it
	for _, d := range list {
		s, ok := skillOf(d)
		if !ok {
			continue
		}
		s.OpenedAt = opened[s.ID]
		if s.Shadowed, ok = holder[s.Dir]; !ok && !s.Foreign { // what is foreign stands in front of nothing
			holder[s.Dir] = s.Scope
		}
		if status == "" || s.Status == status && !(s.Foreign && status == markdown.SkillActive) {
			out = append(out, s)
		}
	}
	return out, nil
}

// maxSkills is the most skills of a view that are looked at.
const maxSkills = 10_000

// Skill returns the skill of a name, path, id or address; of several scopes the first has
// it.
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
			Hint: "skill list shows the skills there are"}
	}
	return s, nil
}

// SetSkill makes a skill active, or archives it. It is a new version of its file, so that
// undoing it brings the status back that it had. A status that it has already changes
// nothing.
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

// withStatus is the candidate that gives a skill a status. What was done to its file by
// hand is taken in first.
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
			return strata.Candidate{}, strata.Invalid(op, "the front matter of "+s.Path+" cannot be read: "+err.Error(), "mend the file first; name and description are needed")
		}
		n.Status, n.Provenance.UpdatedAt = status, e.o.Now()
		if content, err = markdown.EditNote(content, n); err != nil {
			return strata.Candidate{}, err
		}
	}
	return strata.Candidate{Scope: s.Scope, Path: s.Path, Content: content, BaseHash: s.Hash, Foreign: s.Foreign, Origin: o.Origin, Agent: o.Agent, Reason: o.Reason}, nil
}

// MakeSkill makes an active skill of a note, in one transaction: the skill is added and the
// note deleted. The name is any by which [documents.Library.Document] finds the note, and
// called how the skill is called; empty: by the title of the note. Where there is such a
// skill already it is a conflict, and nothing is changed.
func (e *Editor) MakeSkill(ctx context.Context, view strata.View, name, called string, o PromoteOptions) ([]strata.Decision, error) {
	const op = "make skill"
	d, err := e.withEdits(ctx, view, name)
	if err != nil {
		return nil, err
	}
	if d.Kind != strata.DocumentNote {
		return nil, strata.Invalid(op, d.Path+" is no note", "name a note; note list shows them")
	}
	if err := e.makeWhole(ctx, &d); err != nil {
		return nil, err
	}
	n, err := markdown.ParseNote(d.Content)
	if err != nil {
		return nil, strata.Invalid(op, "the front matter of "+d.Path+" cannot be read: "+err.Error(), "mend the file first")
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
