package markdown

import (
	"errors"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// Describe sets the fields of a document that follow from its path and content: Kind,
// Type, Slug, Name, Description and Problem. The path of a note takes precedence over its
// front matter. It is a Problem if the two differ, or if the scope in the front matter is
// not the document's. If the front matter is broken, Name and Description are set as far
// as possible.
func Describe(d *strata.Document) {
	d.Kind = strata.KindOfPath(d.Path)
	d.Type, d.Slug, d.Name, d.Description, d.Problem = "", "", "", "", ""
	if problem := checkText(d.Content); problem != nil {
		d.Problem = problem.Error()
	}
	switch d.Kind {
	case strata.DocumentNote:
		describeNote(d)
	case strata.DocumentSkill:
		describeSkill(d)
	}
}

func describeNote(d *strata.Document) {
	n, err := ParseNote(d.Content)
	var problem *Problem
	if errors.As(err, &problem) && d.Problem == "" {
		d.Problem = problem.Error()
	}
	t, slug, ok := ParseNotePath(d.Path)
	if !ok {
		slug = stem(d.Path)
		if n.Type.Validate() == nil {
			t = n.Type
		}
	}
	d.Type, d.Slug = t, slug
	d.Name, d.Description = cutFront(n.Front)
	if d.Name == "" {
		d.Name = fallbackName(d)
	}
	if d.Description == "" {
		d.Description = firstLine(n.Body)
	}
	if rules := redactedFront(d); len(rules) > 0 {
		d.Problem = secretInFront(rules)
	}
	if d.Problem == "" {
		d.Problem = mismatch(d, n.Front)
	}
}

// cutFront returns the name and description, truncated to their limits.
func cutFront(f Front) (name, description string) {
	return fence.Cut(f.Name, MaxName), fence.Cut(f.Description, MaxDescription)
}

func secretInFront(rules []string) string {
	return "the front matter holds a secret, which is not kept: " + strings.Join(rules, ", ")
}

// redactedFront returns the names of the rules that redacted a secret in the front
// matter. The replacement may be invalid YAML, which is not the writer's fault.
func redactedFront(d *strata.Document) []string {
	p, _ := split(d.Content)
	return slices.DeleteFunc(slices.Clone(d.Redacted), func(rule string) bool { return !strings.Contains(p.front, "[redacted:"+rule+"]") })
}

// fallbackName returns a name for a note without one: its first heading or else its slug.
func fallbackName(d *strata.Document) string {
	for _, s := range Sections(d.Path, d.Content) {
		if len(s.Headings) > 0 {
			return s.Headings[0]
		}
	}
	return strings.NewReplacer("-", " ", "_", " ").Replace(d.Slug)
}

// firstLine returns the first line of a body that has text.
func firstLine(body string) string {
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimLeft(oneLine(line), "#>*-+ ")
		if line != "" && !isComment(line) {
			return fence.Cut(line, MaxHook)
		}
	}
	return ""
}

// mismatch returns how the front matter contradicts the location of the file, or "".
func mismatch(d *strata.Document, f Front) string {
	switch {
	case f.Type != d.Type:
		return "the front matter says type " + string(f.Type) + ", the name of the file " + string(d.Type)
	case f.Scope == "" || d.Scope.IsZero():
	case f.Scope != d.Scope.Kind:
		return "the front matter says scope " + string(f.Scope) + ", the file lies in scope " + string(d.Scope.Kind)
	case f.Agent != d.Scope.Agent:
		return "the front matter names another agent than the file lies with"
	case f.Tier != "" && f.Tier != d.Scope.Tier:
		return "the front matter says agent_tier " + string(f.Tier) + ", the file lies in tier " + string(d.Scope.Tier)
	}
	return ""
}
