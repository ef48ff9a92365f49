package edit

import (
	"context"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/store"
)

// LearntSkill is a skill whose text was made of turns of sessions, or of facts.
type LearntSkill struct {
	strata.Document          // with its content
	Sources         []string // ids of those
	// Edited says that a person wrote some of the text: it is not memory's to remove.
	Edited bool
}

// RestsOn reports whether the text was made of one of some turns and facts.
func (s LearntSkill) RestsOn(ids ...string) bool {
	return slices.ContainsFunc(ids, func(id string) bool { return slices.Contains(s.Sources, id) })
}

// LearntSkills lists the skills of some scopes whose text was made of turns or facts.
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

// sources are what the text of a skill was made of; nothing for one that a person wrote.
func sources(n markdown.Note) []string { return slices.Concat(n.Provenance.Turns, n.Provenance.Facts) }

// RestingOn returns which of some skills go with what is forgotten in a scope, whose files held
// it at some paths, or that the skills were made of by its ids; and the paths of those that
// stay, because a person changed them.
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

// isEdited is [documents.IsEdited].
func (e *Editor) isEdited(ctx context.Context, d strata.Document, body string) (bool, error) {
	return documents.IsEdited(d, body, func(f strata.DecisionFilter) ([]strata.Decision, error) {
		return e.o.Library.Decisions(ctx, d.Scope.View(), f)
	})
}
