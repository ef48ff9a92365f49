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

	// MaxSkillName is the maximum length of a skill's name in bytes.
	MaxSkillName = 64
)

// SkillStatus says whether a skill is offered to agents.
type SkillStatus string

// The statuses of a skill. A file without one is active, since a person wrote it.
const (
	SkillProposed SkillStatus = "proposed" // waits for a person
	SkillActive   SkillStatus = "active"   // offered by name, and recalled
	SkillArchived SkillStatus = "archived" // kept, and neither offered nor recalled
)

// Validate returns an error if s is unknown. The empty status is valid and means active.
func (s SkillStatus) Validate() error {
	switch s {
	case "", SkillProposed, SkillActive, SkillArchived:
		return nil
	}
	return strata.Invalid("check skill", "there is no state of a skill called "+string(s), "use proposed, active or archived")
}

// IsActive reports whether skills with this status are offered. An unknown status, which
// another program may have written, hides nothing.
func (s SkillStatus) IsActive() bool { return s != SkillProposed && s != SkillArchived }

// skillName matches names valid by the convention for skills and in every file system.
var skillName = lazyregexp.New(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidateSkillName returns an error unless a skill can have this name: 1 to 64
// lower-case ASCII letters, digits and single dashes between them, and not a device name.
func ValidateSkillName(name string) error {
	if len(name) <= MaxSkillName && skillName.MatchString(name) && !notSlug.MatchString(name) {
		return nil
	}
	return strata.Invalid("check skill", "a skill cannot be called "+strings.TrimSpace(oneLine(clipName(name))),
		"use lowercase letters, digits and dashes, at most 64, such as release-notes")
}

// clipName returns the part of an invalid name that is repeated in a message.
func clipName(name string) string { return name[:min(len(name), 2*MaxSkillName)] }

// SkillName derives a skill's name from a title, like [FormerSlug]. It is truncated to
// MaxSkillName, at a dash if there is one near.
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

// ParseSkillPath is the inverse of [SkillPath]. It returns false for other paths.
func ParseSkillPath(p string) (name string, ok bool) {
	name, inSkills := strings.CutPrefix(p, skillsPath)
	name, isSkill := strings.CutSuffix(name, skillFile)
	if !inSkills || !isSkill || ValidateSkillName(name) != nil {
		return "", false
	}
	return name, true
}

// SkillOf returns the name of the skill to which a file belongs.
func SkillOf(p string) (name string, ok bool) {
	rest, inSkills := strings.CutPrefix(p, skillsPath)
	name, _, below := strings.Cut(rest, "/")
	return name, inSkills && below && ValidateSkillName(name) == nil
}

// ParseSkill parses a skill, which is like a note without a type. The name and
// description are required; status and provenance are optional. Unknown keys, which other
// programs may use, are ignored. What can be parsed is returned along with a [*Problem].
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

// Below returns the text of a note or skill below its front matter, or "" if it cannot be
// parsed.
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

// describeSkill sets the fields of a skill that follow from its content. A skill without
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
		d.Problem = d.Path + " is not a place for a skill: name it skills/<name>/SKILL.md in lowercase letters, digits and dashes"
	case err != nil && (lines > 0 || strings.HasPrefix(strings.TrimPrefix(d.Content, byteOrder), fenceLine)):
		d.Problem = err.Error()
	}
}

// IsSetAside reports whether a document is a skill that is not offered. It is kept, and
// shown when asked for by name, but not recalled.
func IsSetAside(p, content string) bool {
	if strata.KindOfPath(p) != strata.DocumentSkill {
		return false
	}
	front, _ := frontOf(content)
	return !front.Status.IsActive()
}
