package edit

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// LearntSkill is a skill whose text is based on turns of sessions or on facts.
type LearntSkill struct {
	strata.Document          // with its content
	Sources         []string // ids of those turns and facts
	// Edited means that a person wrote part of the text, so that memory must not remove
	// it.
	Edited bool
}

// RestsOn reports whether the text is based on one of the given turns and facts.
func (s LearntSkill) RestsOn(ids ...string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(s.Sources, id) })
}

// LearntSkills lists the skills of some scopes whose text is based on turns or facts.
func (e *Editor) LearntSkills(ctx context.Context, scopes []strata.Scope) ([]LearntSkill, error) {
	list, err := e.Skills(ctx, strata.View{Scopes: scopes}, "")
	if err != nil {
		return nil, err
	}
	var out []LearntSkill
	for _, skill := range list {
		n, _ := markdown.ParseSkill(skill.Content)
		s := LearntSkill{Document: skill.Document, Sources: sources(n)}
		if len(s.Sources) == 0 {
			continue
		}
		if s.Edited, err = e.isEdited(ctx, s.Document, n.Body); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// sources returns the ids of what the text of a skill is based on, or none if a person
// wrote it.
func sources(n markdown.Note) []string { return slices.Concat(n.Provenance.Turns, n.Provenance.Facts) }

// RestingOn finds the skills affected when something in a scope is forgotten: those based
// on one of ids, and those whose files, listed in held, contained it. It returns the
// skills to delete and the paths of those to keep because a person changed them.
func RestingOn(ctx context.Context, r store.Reader, learnt []LearntSkill, scope strata.Scope, held, ids []string) (gone []strata.Document, stay []string, err error) {
	for _, s := range learnt {
		if !s.RestsOn(ids...) && (s.Scope != scope || !slices.Contains(held, s.Path)) {
			continue
		}
		now, err := documents.At(ctx, r, s.Scope, s.Path)
		if err != nil {
			return nil, nil, err
		}
		if now != nil && (s.Edited || now.Hash != s.Hash) {
			stay = append(stay, s.Path)
			continue
		}
		gone = append(gone, s.Document)
	}
	return gone, stay, nil
}

// isEdited calls [documents.IsEdited].
func (e *Editor) isEdited(ctx context.Context, d strata.Document, body string) (bool, error) {
	return documents.IsEdited(d, body, func(f strata.DecisionFilter) ([]strata.Decision, error) {
		return e.o.Library.Decisions(ctx, d.Scope.View(), f)
	})
}
