// Package skills drafts skills: procedures that a model finds in the facts of a scope.
//
// Every step names the facts that say it. If one step does not follow from its facts, the
// whole skill is dropped, since half a procedure is worse than none. A draft waits for a
// person, like the skills that rules learn from tool calls. Until somebody changes it, it
// belongs to memory, which rewrites it, or deletes it when its facts no longer hold.
package skills

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// Draft is a skill as written by a model.
type Draft struct {
	Name  string // of the skill's directory
	When  string // when the skill applies, in one sentence
	Steps []Line
	Files []File
}

// Line is a step, with the ids of the facts that say it.
type Line struct {
	Text  string
	Facts []string
}

// File is a script, a template or an example. It is written into the file of the skill,
// so that a draft is one file that can be written and removed at once.
type File struct {
	Path  string // such as scripts/check.sh
	Text  string
	Facts []string
}

// facts returns the ids of all facts that a draft is based on.
func (d Draft) facts() (ids []string) {
	for _, s := range d.Steps {
		ids = append(ids, s.Facts...)
	}
	for _, f := range d.Files {
		ids = append(ids, f.Facts...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// body returns the text of a draft below its front matter.
func (d Draft) body() string {
	var b strings.Builder
	b.WriteString("# " + d.Name + "\n\n## When it applies\n\n" + d.When + "\n\n## Steps\n\n")
	for _, s := range d.Steps {
		b.WriteString("- " + s.Text + "\n")
	}
	for _, f := range d.Files {
		b.WriteString("\n## " + f.Path + "\n\n")
		for line := range strings.SplitSeq(f.Text, "\n") {
			b.WriteString(strings.TrimRight("    "+line, " ") + "\n") // no line can end an indented block
		}
	}
	return b.String()
}

// note returns the file of a draft that was first written at begun.
func (d Draft) note(begun, now time.Time) markdown.Note {
	return markdown.Note{Front: markdown.Front{
		Name: d.Name, Description: d.When, Status: markdown.SkillProposed,
		Provenance: markdown.Provenance{Facts: d.facts(), Actor: "strata", CreatedAt: begun, UpdatedAt: now},
	}, Body: d.body()}
}

// Skill is an existing skill.
type Skill struct {
	strata.Document
	markdown.Note
	Own bool // a draft that nobody has changed
}
