package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
)

// ForeignFiles says in a few words which files foreign documents are: those that every
// workspace may have by their names, the others by their number, since a name may say
// anything. It is empty where there are none.
func ForeignFiles(paths []string) string {
	named := []string{"AGENTS.md", "SOUL.md", "USER.md", HeartbeatPath, strata.IndexPath, SummaryPath, CorrectionsPath, ErrorsPath}
	var names []string
	notes, skills, others := 0, 0, 0
	for _, p := range paths {
		name := strings.TrimPrefix(p, strata.ProjectPrefix)
		switch kind := strata.KindOfPath(p); {
		case slices.Contains(named, name):
			if !slices.Contains(names, name) { // of the project, of memory, of an agent
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

// ForeignLine says in one line that a workspace brings foreign documents; empty where it
// brings none.
func ForeignLine(paths []string) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return "This workspace brings a file that the user has not trusted (" + ForeignFiles(paths) + "): `strata trust` shows it."
	}
	return "This workspace brings " + strconv.Itoa(len(paths)) + " files that the user has not trusted (" + ForeignFiles(paths) + "): `strata trust` shows them."
}
