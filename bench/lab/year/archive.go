package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata/internal/sessions"
)

// archiveAfter is how long after their end sessions are archived.
const archiveAfter = 90 * 24 * time.Hour

// archive archives sessions that ended long ago. It runs after the questions, which are
// judged on everything that memory knows.
func (a *audit) archive(ctx context.Context) error {
	for project := range a.projects {
		done, err := a.mem.ArchiveSessions(ctx, a.scope(project).View(), sessions.PruneOptions{OlderThan: archiveAfter})
		if err != nil {
			return fmt.Errorf("archive sessions of project %d: %w", project, err)
		}
		for _, s := range done.Sessions {
			a.archived = append(a.archived, s.ID)
		}
	}
	return nil
}

// checked is roughly how many archived sessions are restored for a check.
const checked = 20

// judgeArchives restores some of the archived sessions, spread over the year, and checks
// whether their turns are unchanged.
func (a *audit) judgeArchives(ctx context.Context) error {
	out := &a.out.Figures.Archive
	out.Sessions = len(a.archived)
	said := make(map[string]map[string]bool) // ids of the turns of each session that hold no secret
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

// sessionName returns the name in memory of the n-th session, from 0.
func sessionName(n int) string { return fmt.Sprintf("s%05d", n+1) }
