package edit

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// StaleSkill is an active skill that nobody has opened for long.
type StaleSkill struct {
	strata.Document                  // current version
	Reason          string           // in a few words
	Archive         strata.Candidate // archives the skill; a conflict if it changes first
}

// StaleSkills finds the active skills of a scope that memory made and that nobody has
// opened, changed or activated for the given time. It leaves out skills that a person
// edited.
func (e *Editor) StaleSkills(ctx context.Context, scope strata.Scope, unused time.Duration) ([]StaleSkill, error) {
	active, err := e.Skills(ctx, scope.View(), markdown.SkillActive)
	if err != nil {
		return nil, err
	}
	var out []StaleSkill
	for _, s := range active {
		n, _ := markdown.ParseSkill(s.Content)
		ago := e.o.Now().Sub(latest(s.OpenedAt, s.ModifiedAt, n.Provenance.UpdatedAt))
		if len(sources(n)) == 0 || ago < unused {
			continue
		}
		if own, err := e.ofPeople(ctx, s.Document, n.Body); err != nil || own {
			if err != nil {
				return out, err
			}
			continue
		}
		why := fmt.Sprintf("nobody opened it in %d days", int(ago/(24*time.Hour)))
		c, err := e.withStatus(ctx, scope.View(), s.Path, markdown.SkillArchived, PromoteOptions{Origin: strata.OriginDream, Reason: why})
		if err != nil {
			return out, err
		}
		if c.BaseHash == s.Hash { // otherwise somebody edited it just now
			out = append(out, StaleSkill{s.Document, why, c})
		}
	}
	return out, nil
}

// ofPeople reports whether a person wrote some of a skill, its front matter included.
func (e *Editor) ofPeople(ctx context.Context, d strata.Document, body string) (bool, error) {
	if edited, err := e.isEdited(ctx, d, body); err != nil || edited {
		return true, err
	}
	list, err := e.o.Library.Decisions(ctx, d.Scope.View(), strata.DecisionFilter{Path: d.Path, Limit: 1000})
	return slices.ContainsFunc(list, func(d strata.Decision) bool { return d.Origin == strata.OriginFile }), err
}

// latest returns the last of some times.
func latest(times ...time.Time) (out time.Time) {
	for _, t := range times {
		if t.After(out) {
			out = t
		}
	}
	return out
}
