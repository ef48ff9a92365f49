package edit

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/learnings"
	"github.com/strata-memory/strata/store"
)

const (
	// learnPage is the number of turns read at a time. The learnBefore turns before them
	// are read again, since what failed in those may have worked later.
	learnPage   = 500
	learnBefore = 64
	// maxProposed is the maximum number of proposed skills in a scope. Nobody would
	// review more.
	maxProposed = 100
	// maxCallShown is the number of characters of a call's arguments shown in a skill.
	maxCallShown = 500
	// maxSkillHash is the number of characters of a recovery's key in the skill's name.
	maxSkillHash = 6
)

// LearnSkills searches the turns of a session that follow number after, up to number until
// (0 means all), for tool calls that failed and the calls that then worked. It proposes a
// skill for each. If a proposed skill for it already waits, LearnSkills only adds the
// session to it. Repeated calls with the same turns have the same result.
func (e *Editor) LearnSkills(ctx context.Context, scope strata.Scope, session string, after, until int64) error {
	for {
		turns, err := store.Read(ctx, e.o.Store, func(r store.Reader) ([]strata.Turn, error) {
			return r.Turns(ctx, scope, session, store.TurnFilter{After: max(after-learnBefore, 0), Until: until, Limit: learnPage, NoImages: true})
		})
		if err != nil {
			return err
		}
		for _, r := range learnings.Recoveries(turns) {
			if r.Seq <= after {
				continue // found before, perhaps with turns before these
			}
			switch err := e.propose(ctx, scope, session, r); strata.CodeOf(err) {
			case "", strata.CodeInvalid, strata.CodeRejectedSecret, strata.CodeTooLarge, strata.CodeConflict:
				// The write path refuses it, so it is no skill.
			default:
				return err
			}
		}
		if len(turns) < learnPage {
			return nil
		}
		after = turns[len(turns)-1].Seq
	}
}

// propose writes a recovery as a skill that waits for a person, or adds the session to
// the existing one. It does not change a skill that a person accepted, archived or
// deleted.
func (e *Editor) propose(ctx context.Context, scope strata.Scope, session string, r learnings.Recovery) error {
	path := markdown.SkillPath(skillName(r))
	if err := e.o.Intake.NoticeEdits(ctx, documents.Place{Scope: scope, Path: path}); err != nil {
		return err
	}
	there, err := e.documentNow(ctx, scope, path)
	if err != nil {
		return err
	}
	c := strata.Candidate{Scope: scope, Path: path, BaseHash: strata.NoFile, Origin: strata.OriginExtractor, Session: session,
		Reason: "a call that failed, and what worked then"}
	if there != nil {
		c.BaseHash = there.Hash
		if c.Content, err = witnessed(*there, session); err != nil || c.Content == there.Content {
			return err
		}
	} else if c.Content, err = e.newSkill(ctx, scope, session, r); err != nil || c.Content == "" {
		return err
	}
	_, err = e.o.Memory.Write(ctx, c)
	return err
}

// witnessed returns the content of a proposed skill with a session added to those in
// which it was learned.
func witnessed(d strata.Document, session string) (string, error) {
	n, err := markdown.ParseSkill(d.Content)
	sessions := n.Provenance.Sessions
	if err != nil || n.Status != markdown.SkillProposed || !documents.IsWhole(d) || slices.Contains(sessions, session) || len(sessions) >= markdown.MaxSessions {
		return d.Content, nil
	}
	n.Provenance.Sessions = append(slices.Clone(sessions), session)
	return markdown.EditNote(d.Content, n)
}

// newSkill returns the content of a new skill. It returns "" if a person deleted the
// skill, too many are waiting, or the text would read like an instruction to the agent.
func (e *Editor) newSkill(ctx context.Context, scope strata.Scope, session string, r learnings.Recovery) (string, error) {
	last, err := e.o.Library.Decisions(ctx, scope.View(), strata.DecisionFilter{Path: markdown.SkillPath(skillName(r)), Limit: 1})
	if err != nil || len(last) > 0 && last[0].Op == strata.OpDelete {
		return "", err
	}
	waiting, err := e.Skills(ctx, scope.View(), markdown.SkillProposed)
	if err != nil || len(waiting) >= maxProposed {
		return "", err
	}
	now := e.o.Now()
	n := markdown.Note{Front: markdown.Front{
		Name: skillName(r), Description: "When " + plain(r.Tool) + " fails with: " + plain(r.Cause()), Status: markdown.SkillProposed,
		Provenance: markdown.Provenance{Sessions: []string{session}, Turns: r.Turns, Actor: "strata", CreatedAt: now, UpdatedAt: now},
	}, Body: skillBody(r)}
	if len(secrets.Threats(n.Body)) > 0 {
		return "", nil
	}
	return n.Render(), nil
}

// skillName returns the name of a recovery's skill. It is the same for the same failure
// of the same tool.
func skillName(r learnings.Recovery) string {
	const room = markdown.MaxSkillName - maxSkillHash - len("-")
	name := markdown.SkillName(plain(r.Tool) + " " + plain(r.Cause()))
	if len(name) > room {
		name = name[:room]
		name = name[:max(strings.LastIndexByte(name, '-'), 1)]
	}
	return strings.TrimRight(name, "-") + "-" + r.Key()[:maxSkillHash]
}

// skillBody describes when a recovery applies, what failed and what worked. It depends on
// the calls alone, so that text forgotten once is recognized again.
func skillBody(r learnings.Recovery) string {
	var b strings.Builder
	b.WriteString("# When " + plain(r.Tool) + " fails\n\n## When it applies\n\nA call of " + plain(r.Tool) + " fails with an error such as:\n\n")
	b.WriteString("    " + plain(r.Error()) + "\n\n## What failed\n")
	for _, c := range r.Failed {
		b.WriteString("\n    " + plain(c.Arguments) + "\n")
		if c.Error != "" && c.Error != r.Error() {
			b.WriteString("    → " + plain(c.Error) + "\n")
		}
	}
	b.WriteString("\n## What worked\n")
	for _, c := range r.Worked {
		b.WriteString("\n    " + plain(c.Arguments) + "\n")
	}
	return b.String()
}

// plain returns text from a call on one line, with secrets redacted and markup escaped.
func plain(s string) string {
	s, _ = secrets.Redact(text.Head(s, 8<<10))
	return fence.Cut(fence.Line(s), maxCallShown)
}
