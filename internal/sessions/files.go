package sessions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/sessions/snapshot"
	"github.com/strata-memory/strata/store"
)

// shownFiles are the parts of a scope's files that are in the prompt of a session.
type shownFiles struct {
	Whole   []snapshot.File // what people wrote for the agent, in the order shown
	Index   string          // of the notes; empty if it would say nothing
	IndexAt time.Time       // when the index changed last; zero if that is not known
	// Summary is what the scope's memory holds, in short; empty without one. SummaryAt is
	// when it was written.
	Summary   string
	SummaryAt time.Time
	Skills    []snapshot.Skill // those that are not offered too
	Foreign   []string         // paths of files that are not trusted, of which nothing is shown
}

// shown reads what of a scope's files stands in the snapshot of a session, to
// which nobody but the user listens if private is set.
func (l *Ledger) shown(ctx context.Context, r store.Reader, scope strata.Scope, private bool) (shownFiles, error) {
	var out shownFiles
	foreign, err := documents.ForeignIn(ctx, r, scope, false)
	if err != nil {
		return out, err
	}
	for _, d := range foreign {
		out.Foreign = append(out.Foreign, d.Path)
	}
	if out.Whole, err = wholeFiles(ctx, r, scope, private); err != nil {
		return out, err
	}
	if out.Skills, err = shownSkills(ctx, r, scope); err != nil || !private {
		return out, err
	}
	if out.Index, out.IndexAt, err = l.shownIndex(ctx, r, scope); err != nil {
		return out, err
	}
	d, err := documents.ToldAt(ctx, r, scope, markdown.SummaryPath)
	if err == nil && d != nil && !d.Foreign {
		out.Summary, out.SummaryAt = markdown.ShownSummary(d.Content), d.ModifiedAt
	}
	return out, err
}

// maxShownSkills is how many skills of a scope are looked at for a snapshot.
const maxShownSkills = 1000

// shownSkills are the skills of a scope, of which those that are active are offered.
func shownSkills(ctx context.Context, r store.Reader, scope strata.Scope) ([]snapshot.Skill, error) {
	list, err := r.Documents(ctx, scope, strata.DocumentFilter{Kind: strata.DocumentSkill, Content: true, Limit: maxShownSkills})
	var out []snapshot.Skill
	for _, d := range list {
		name, ok := markdown.ParseSkillPath(d.Path)
		if !ok || d.Foreign {
			continue
		}
		n, broken := markdown.ParseSkill(d.Content)
		_, told, err := documents.Told(ctx, r, d)
		if err != nil {
			return nil, err
		}
		out = append(out, snapshot.Skill{Name: name, Description: n.Description, Withheld: broken != nil || !told || !n.Status.IsActive()})
	}
	return out, err
}

// wholeFiles are the files of a scope that stand in a snapshot whole, in the
// order in which they do: what people wrote for the agent, those of the project
// itself first.
func wholeFiles(ctx context.Context, r store.Reader, scope strata.Scope, private bool) ([]snapshot.File, error) {
	var out []snapshot.File
	for _, name := range wholePaths {
		if name == userPath && !private {
			continue // it speaks of the user
		}
		d, err := documents.At(ctx, r, scope, name)
		if err != nil {
			return nil, err
		}
		if d == nil || d.Foreign || markdown.IsStarter(name, d.Content) {
			continue
		}
		f := snapshot.File{Name: name, Of: scope.Key(), Text: d.Content}
		if own, ok := strings.CutPrefix(name, strata.ProjectPrefix); ok {
			f.Name, f.Of = own, "the project"
		}
		out = append(out, f)
	}
	return out, nil
}

// The files that people write for an agent besides HEARTBEAT.md and SOUL.md.
const (
	agentsPath = "AGENTS.md"
	userPath   = "USER.md"
)

// wholePaths are the paths of the files that stand in a snapshot whole, in the order
// in which they do.
var wholePaths = []string{strata.ProjectPrefix + agentsPath, agentsPath, "SOUL.md", userPath, markdown.HeartbeatPath}

// InSnapshot reports whether the file of a path stands in every snapshot, whole or as
// the index.
func InSnapshot(path string) bool {
	return path == strata.IndexPath || slices.Contains(wholePaths, path)
}

// shownIndex is the MEMORY.md of a scope as it reaches a prompt, with the time
// of its last change; made of the front matter of the notes where it is missing,
// dirty or foreign. It is empty where it would say nothing. Foreign notes are not in it.
func (l *Ledger) shownIndex(ctx context.Context, r store.Reader, scope strata.Scope) (string, time.Time, error) {
	entries, foreign, err := documents.Entries(ctx, r, scope)
	if err != nil {
		return "", time.Time{}, err
	}
	d, err := documents.ToldAt(ctx, r, scope, strata.IndexPath)
	if err != nil {
		return "", time.Time{}, err
	}
	var content string
	var at time.Time
	if d != nil {
		content, at = d.Content, d.ModifiedAt
	}
	if len(entries) == 0 && markdown.IsStarter(strata.IndexPath, content) {
		return "", time.Time{}, nil
	}
	rendered := entries
	if d != nil && d.Foreign {
		rendered = markdown.ByPath(entries, foreign)
	}
	if markdown.PutIndex(content, rendered) != content {
		at = time.Time{}
		l.projector.Want(scope, markdown.PartIndex)
	}
	if d != nil && d.Foreign {
		content, at = "", time.Time{}
	}
	if content == "" && len(entries) == 0 {
		return "", time.Time{}, nil
	}
	return markdown.PromptIndex(content, entries, l.now()), at, nil
}
