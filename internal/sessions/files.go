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

// shownFiles are the parts of a scope's files that a session's snapshot shows.
type shownFiles struct {
	Whole   []snapshot.File // what people wrote for the agent, in the order shown
	Index   string          // index of the notes; empty if it would say nothing
	IndexAt time.Time       // last change of the index; zero if unknown
	// Summary is a short summary of the scope's memory; empty if there is none. SummaryAt
	// is when it was written.
	Summary   string
	SummaryAt time.Time
	Skills    []snapshot.Skill // skills, including those that are not offered
	Foreign   []string         // paths of files that are not trusted and not shown
}

// shown reads what a snapshot shows of a scope's files. private says that only the user
// listens to the session.
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

// maxShownSkills is how many skills of a scope are considered for a snapshot.
const maxShownSkills = 1000

// shownSkills returns the skills of a scope; only active ones are offered.
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

// wholeFiles returns the files of a scope that a snapshot shows in full, in the order in
// which it shows them: those that people wrote for the agent, starting with those of the
// project itself.
func wholeFiles(ctx context.Context, r store.Reader, scope strata.Scope, private bool) ([]snapshot.File, error) {
	var out []snapshot.File
	for _, name := range wholePaths {
		if name == userPath && !private {
			continue // it is about the user
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

// Files that people write for an agent, besides HEARTBEAT.md and SOUL.md.
const (
	agentsPath = "AGENTS.md"
	userPath   = "USER.md"
)

// wholePaths are the paths of the files that a snapshot shows in full, in that order.
var wholePaths = []string{strata.ProjectPrefix + agentsPath, agentsPath, "SOUL.md", userPath, markdown.HeartbeatPath}

// InSnapshot reports whether every snapshot shows the file at a path, in full or as the
// index.
func InSnapshot(path string) bool {
	return path == strata.IndexPath || slices.Contains(wholePaths, path)
}

// shownIndex returns the MEMORY.md of a scope as shown in a prompt, with the time of its
// last change. If the file is missing, out of date or foreign, shownIndex makes it from
// the front matter of the notes. Foreign notes are left out. The result is empty if it
// would say nothing.
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
