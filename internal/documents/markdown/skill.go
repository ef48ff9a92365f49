package markdown

import (
	"path"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

const (
	skillsPath = "skills/"
	skillFile  = "/SKILL.md"

	// MaxSkillName is how long the name of a skill may be, in bytes.
	MaxSkillName = 64
)

// SkillStatus says whether a skill is offered to agents.
type SkillStatus string

// The states of a skill. A file that names none is active: a person put it there.
const (
	SkillProposed SkillStatus = "proposed" // waits for a person
	SkillActive   SkillStatus = "active"   // offered by name, and recalled
	SkillArchived SkillStatus = "archived" // kept, and neither offered nor recalled
)

// Validate reports whether s is a known state; the empty one is active.
func (s SkillStatus) Validate() error {
	switch s {
	case "", SkillProposed, SkillActive, SkillArchived:
		return nil
	}
	return strata.Invalid("check skill", "there is no state of a skill called "+string(s), "use proposed, active or archived")
}

// IsActive reports whether skills of this state are offered. What another program means by
// a status of its own is not known, and hides nothing.
func (s SkillStatus) IsActive() bool { return s != SkillProposed && s != SkillArchived }

// skillName matches what the convention for skills and every disk take for a name.
var skillName = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidateSkillName reports whether a skill can be called so: 1 to 64 small letters of
// English, digits and single dashes between them, and no name of a device.
func ValidateSkillName(name string) error {
	if len(name) <= MaxSkillName && skillName.MatchString(name) && !notSlug.MatchString(name) {
		return nil
	}
	return strata.Invalid("check skill", "a skill cannot be called "+strings.TrimSpace(oneLine(clipName(name))),
		"use small letters, digits and dashes, at most 64, such as release-notes")
}

// clipName is as much of a wrong name as a message repeats.
func clipName(name string) string { return name[:min(len(name), 2*MaxSkillName)] }

// SkillName makes a name for a skill of a title: that of a note without the letters that a
// skill cannot have, cut to its length at a dash where one is near.
func SkillName(title string) string {
	name := FormerSlug(title)
	if len(name) > MaxSkillName {
		name = strings.TrimRight(name[:MaxSkillName], "-")
		if i := strings.LastIndexByte(name, '-'); i > MaxSkillName/2 {
			name = name[:i]
		}
	}
	return name
}

// SkillPath returns the path of a skill: skills/<name>/SKILL.md.
func SkillPath(name string) string { return skillsPath + name + skillFile }

// ParseSkillPath is the inverse of [SkillPath]; false for a path of another form.
func ParseSkillPath(p string) (name string, ok bool) {
	name, inSkills := strings.CutPrefix(p, skillsPath)
	name, isSkill := strings.CutSuffix(name, skillFile)
	if !inSkills || !isSkill || ValidateSkillName(name) != nil {
		return "", false
	}
	return name, true
}

// SkillOf is the name of the skill that a file belongs to.
func SkillOf(p string) (name string, ok bool) {
	rest, inSkills := strings.CutPrefix(p, skillsPath)
	name, _, below := strings.Cut(rest, "/")
	return name, inSkills && below && ValidateSkillName(name) == nil
}

// ParseSkill reads a skill. It is a note without a type: name and description are
// required, a status and provenance may be there, and so may keys that other programs
// put there. What can be read is returned along with a [*Problem].
func ParseSkill(content string) (Note, error) {
	parts, problem := split(content)
	n := Note{Body: bodyOf(parts.body)}
	if problem != nil {
		return n, problem
	}
	if !parts.found {
		return n, &Problem{1, 1, "there is no front matter: begin the file with a line of three dashes, name and description"}
	}
	m, problem := parseFront(parts.front)
	if problem != nil {
		return n, problem
	}
	r := reader{lenient: true}
	n.Front = r.front(m)
	r.require(m, pair{keyName, n.Name}, pair{keyDescription, n.Description})
	if r.problem != nil {
		return n, r.problem
	}
	return n, nil
}

// Below returns what a note or skill says below its front matter; empty where that
// cannot be read.
func Below(content string) string {
	n, err := ParseNote(content)
	if err != nil {
		n, err = ParseSkill(content)
	}
	if err != nil {
		return ""
	}
	return n.Body
}

// describeSkill fills in what a skill says of itself. One that a person wrote without
// front matter has the name of its directory.
func describeSkill(d *strata.Document) {
	front, lines := frontOf(d.Content)
	d.Name, d.Description = cutFront(front)
	if d.Name == "" {
		d.Name = path.Base(path.Dir(d.Path))
	}
	_, named := ParseSkillPath(d.Path)
	_, err := ParseSkill(d.Content)
	switch rules := redactedFront(d); {
	case d.Problem != "":
	case len(rules) > 0:
		d.Problem = secretInFront(rules)
	case !named:
		d.Problem = d.Path + " is no place for a skill: name it skills/<name>/SKILL.md in small letters, digits and dashes"
	case err != nil && (lines > 0 || strings.HasPrefix(strings.TrimPrefix(d.Content, byteOrder), fenceLine)):
		d.Problem = err.Error()
	}
}

// IsSetAside reports whether a document is a skill that is not offered: it is kept and
// shown to whoever names it, and nothing of it is recalled.
func IsSetAside(p, content string) bool {
	if strata.KindOfPath(p) != strata.DocumentSkill {
		return false
	}
	front, _ := frontOf(content)
	return !front.Status.IsActive()
}
