// Package skills drafts skills, procedures that a model finds in the facts of a scope.
//
// Every step names the facts that say it, and a skill of which one step does not follow
// from its facts is left out whole: half a procedure is worse than none. A draft waits for
// a person, as what rules learn from calls of tools does, and is memory's own for as long
// as nobody touched it. Then it is written anew, or goes when its facts do.
package skills

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
)

// Draft is a skill as a model wrote it.
type Draft struct {
	Name  string // of its directory
	When  string // it applies, in a sentence
	Steps []Line
	Files []File
}

// Line is a step, with the ids of the facts that say it.
type Line struct {
	Text  string
	Facts []string
}

// File is a script, a template or an example, which stands in the file of the skill, so
// that a draft is one file, written and taken back at once.
type File struct {
	Path  string // such as scripts/check.sh
	Text  string
	Facts []string
}

// facts are the ids of all facts that a draft rests on.
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

// body is the text of a draft below its front matter.
func (d Draft) body() string {
	var b strings.Builder
	b.WriteString("# " + d.Name + "\n\n## When it applies\n\n" + d.When + "\n\n## Steps\n\n")
	for _, s := range d.Steps {
		b.WriteString("- " + s.Text + "\n")
	}
	for _, f := range d.Files {
		b.WriteString("\n## " + f.Path + "\n\n")
		for line := range strings.SplitSeq(f.Text, "\n") {
			b.WriteString(strings.TrimRight("    "+line, " ") + "\n") // in an indented block nothing ends it
		}
	}
	return b.String()
}

// note is the file of a draft that was begun at a time.
func (d Draft) note(begun, now time.Time) markdown.Note {
	return markdown.Note{Front: markdown.Front{
		Name: d.Name, Description: d.When, Status: markdown.SkillProposed,
		Provenance: markdown.Provenance{Facts: d.facts(), Actor: "strata", CreatedAt: begun, UpdatedAt: now},
	}, Body: d.body()}
}

// Skill is a skill that is there.
type Skill struct {
	strata.Document
	markdown.Note
	Own bool // a draft that nobody touched
}
