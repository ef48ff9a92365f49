package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/engine"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// skillText is the file of a skill.
func skillText(status markdown.SkillStatus, body string) string {
	return markdown.Note{Front: markdown.Front{Name: "release", Description: "How a release is made", Status: status}, Body: body}.Render()
}

// A skill is a document: what holds of notes holds of it.
func TestASkillIsWrittenAsANoteIs(t *testing.T) {
	e, tree := withTree(t)
	ctx, path := context.Background(), markdown.SkillPath("release")
	add := write(t, e, strata.Candidate{Scope: project, Path: path, Content: skillText(markdown.SkillActive, "Wait for the zebra build.")})
	if add.Op != strata.OpAdd || !finds(t, e, project, "zebra build", path) {
		t.Errorf("%+v", add)
	}
	settled(t, e, tree, project)
	if !strings.Contains(tree.Files(project)[path], "zebra") {
		t.Errorf("files: %v", tree.Files(project))
	}
	for name, c := range map[string]strata.Candidate{
		"capitals":        {Path: "skills/Release/SKILL.md", Content: skillText("", "x")},
		"no front matter": {Path: markdown.SkillPath("a"), Content: "Tag it."},
		"no status":       {Path: markdown.SkillPath("a"), Content: skillText("done", "x")},
		"traversal":       {Path: "skills/../a/SKILL.md", Content: skillText("", "x")},
		"a level deeper":  {Path: "skills/a/b/SKILL.md", Content: skillText("", "x")},
	} {
		c.Scope = project
		if _, err := e.Write(ctx, c); strata.CodeOf(err) != strata.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	secret := strata.Candidate{Scope: project, Path: markdown.SkillPath("a"), Content: skillText("", "Use ghp_"+strings.Repeat("aB3dE6gH9j", 3)+"kLmN12")}
	if _, err := e.Write(ctx, secret); strata.CodeOf(err) != strata.CodeRejectedSecret {
		t.Errorf("a secret: %v", err)
	}
	write(t, e, strata.Candidate{Scope: project, Path: path, Content: skillText(markdown.SkillArchived, "Wait for the zebra build.")})
	if finds(t, e, project, "zebra build", path) {
		t.Error("an archived skill is found")
	}
	if _, err := e.Resolve(ctx, project.View(), "memory://root/"+path); err != nil {
		t.Error(err)
	}
	group := strata.View{Scopes: []strata.Scope{project}, Session: strata.SessionGroup}
	if _, err := e.Resolve(ctx, group, "memory://root/"+path); strata.CodeOf(err) != strata.CodeNotFound {
		t.Errorf("in a group session: %v", err)
	}
	if list, err := e.Documents(ctx, group, strata.DocumentFilter{Kind: strata.DocumentSkill}); err != nil || len(list) != 0 {
		t.Errorf("in a group session: %+v, %v", list, err)
	}
	if _, err := e.Revert(ctx, project.View(), history(t, e, project, path)[1].ID, engine.RevertOptions{}); err != nil {
		t.Fatal(err)
	}
	if !finds(t, e, project, "zebra build", path) {
		t.Error("a skill that came back is not found")
	}
}
