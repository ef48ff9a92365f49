package year

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata/bench/life"
	"github.com/strata-memory/strata/session/conversation"
)

// archiveAfter is how long after their end sessions are archived.
const archiveAfter = 90 * 24 * time.Hour

// archive puts sessions away that ended long ago, when a month begins.
func (p *player) archive(ctx context.Context, session int) error {
	if session == 0 || monthOf(p.life.Sessions[session].At) == monthOf(p.life.Sessions[session-1].At) {
		return nil
	}
	for project := range p.projects {
		done, err := p.mem.ArchiveSessions(ctx, p.scope(project).View(), conversation.PruneOptions{OlderThan: archiveAfter})
		if err != nil {
			return fmt.Errorf("archive sessions of project %d: %w", project, err)
		}
		for _, s := range done.Sessions {
			p.archived = append(p.archived, s.ID)
		}
	}
	return nil
}

// monthOf is the twelfth of the year in which a time lies, from 0.
func monthOf(at time.Time) int { return min(int(12*at.Sub(life.Begin)/life.Length), 11) }

// checked is how many archived sessions are brought back to be looked at.
const checked = 20

// judgeArchives brings some of the archived sessions back, the first and others from all
// over the year, and looks whether they say what was said.
func (a *audit) judgeArchives(ctx context.Context) error {
	out := &a.out.Figures.Archive
	out.Sessions = len(a.archived)
	said := make(map[string]map[string]bool) // by session, what of it has no secret
	for id, t := range a.turns {
		name := sessionName(t.session)
		if said[name] == nil {
			said[name] = make(map[string]bool)
		}
		if !a.holdsSecret(t.turn.Text) {
			said[name][id] = true
		}
	}
	for i := 0; i < len(a.archived); i += max(len(a.archived)/checked, 1) {
		name := a.archived[i]
		var n int
		if _, err := fmt.Sscanf(name, "s%d", &n); err != nil {
			return fmt.Errorf("session %s: %w", name, err)
		}
		view := a.scope(a.life.Sessions[n-1].Project).View()
		if _, err := a.mem.RestoreSession(ctx, view, name); err != nil {
			return err
		}
		turns, err := a.mem.Turns(ctx, view, name, 0, 10_000)
		if err != nil {
			return err
		}
		same := 0
		for _, t := range turns {
			if said[name][t.ID] && t.Text == a.turns[t.ID].turn.Text {
				same++
			}
		}
		if out.Restored++; same == len(said[name]) {
			out.Whole++
		} else {
			a.fail(Failure{Kind: FailArchive, Said: name, Want: fmt.Sprintf("%d turns", len(said[name])), Got: fmt.Sprintf("%d as they were", same)})
		}
	}
	return nil
}

// holdsSecret reports whether a text holds a secret of the life, which memory redacts.
func (a *audit) holdsSecret(text string) bool {
	for _, s := range a.life.Secrets {
		if strings.Contains(text, s.Text) {
			return true
		}
	}
	return false
}

// sessionName is how memory calls the session of a number from 0.
func sessionName(n int) string { return fmt.Sprintf("s%05d", n+1) }
