package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// ForeignFiles describes foreign documents in a few words. It lists those with standard
// names and counts the others, since a name can say anything. It returns "" if there are
// none.
func ForeignFiles(paths []string) string {
	named := []string{"AGENTS.md", "SOUL.md", "USER.md", HeartbeatPath, strata.IndexPath, SummaryPath, CorrectionsPath, ErrorsPath}
	var names []string
	notes, skills, others := 0, 0, 0
	for _, p := range paths {
		name := strings.TrimPrefix(p, strata.ProjectPrefix)
		switch kind := strata.KindOfPath(p); {
		case slices.Contains(named, name):
			if !slices.Contains(names, name) { // in the project, the workspace or an agent's scope
				names = append(names, name)
			}
		case kind == strata.DocumentNote:
			notes++
		case kind == strata.DocumentSkill:
			skills++
		default:
			others++
		}
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Index(named, a) - slices.Index(named, b) })
	for _, n := range []struct {
		count     int
		one, many string
	}{{notes, "a note", "notes"}, {skills, "a skill", "skills"}, {others, "another file", "other files"}} {
		switch {
		case n.count == 1:
			names = append(names, n.one)
		case n.count > 1:
			names = append(names, strconv.Itoa(n.count)+" "+n.many)
		}
	}
	return strings.Join(names, ", ")
}

// ForeignLine returns a line which says that a workspace has foreign documents, or "" if
// it has none.
func ForeignLine(paths []string) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "This workspace brings a file that the user has not trusted (" + ForeignFiles(paths) + "): `strata trust` shows it."
	}
	return "This workspace brings " + strconv.Itoa(len(paths)) + " files that the user has not trusted (" + ForeignFiles(paths) + "): `strata trust` shows them."
}
