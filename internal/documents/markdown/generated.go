package markdown

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// Paths of the files of learnings, and of the rules for what an agent does unasked.
const (
	ErrorsPath      = "learnings/errors.md"
	CorrectionsPath = "learnings/corrections.md"
	HeartbeatPath   = "HEARTBEAT.md"
)

// Parts is a set of generated parts of a scope's files.
type Parts uint8

const (
	// PartIndex is MEMORY.md: the index of notes, and the blocks of extracted and of
	// promoted facts.
	PartIndex Parts = 1 << iota
	// PartLearnings are the files of learnings.
	PartLearnings
	// PartDreams is the diary of dreams and the archive of promotions in MEMORY.md.
	PartDreams

	AllParts = PartIndex | PartLearnings | PartDreams
)

// PartOf returns the generated part that becomes stale when the document at a path
// changes, or 0.
func PartOf(path string) Parts {
	switch {
	case path == ErrorsPath || path == CorrectionsPath:
		return PartLearnings
	case hasRegions(path):
		return PartDreams
	case strings.HasPrefix(path, strata.ProjectPrefix):
		return 0
	}
	switch strata.KindOfPath(path) {
	case strata.DocumentNote, strata.DocumentIndex:
		return PartIndex
	}
	return 0
}

// GeneratedFrom returns the path of the file whose generated part becomes stale when the
// document at a path changes, or "".
func GeneratedFrom(path string) string {
	switch PartOf(path) {
	case PartIndex:
		return strata.IndexPath
	case PartLearnings, PartDreams:
		return path
	}
	return ""
}

// IsRendered reports whether decisions are rendered into the file at a path.
func IsRendered(path string) bool {
	kind := strata.KindOfPath(path)
	return kind == strata.DocumentIndex || kind == strata.DocumentDaily || PartOf(path)&(PartLearnings|PartDreams) != 0
}

// Begun returns the initial content of a file, without generated parts.
func Begun(path string) string {
	if day, ok := DayOf(path); ok {
		return DailyTitle(day)
	}
	switch path {
	case DreamsPath:
		return "# Dreams\n"
	case ArchivedPath:
		return "# What gave way in MEMORY.md\n"
	}
	return Starter(path)
}

// IsBegun reports whether the content of a file without generated parts is empty or the
// initial content.
func IsBegun(path, human string) bool {
	human = strings.TrimSpace(human)
	if human == "" {
		return true
	}
	_, day, _, daily := ParseDailyPath(path)
	return daily && human == "# "+day ||
		path == strata.IndexPath && human == strings.TrimSpace(Human(path, Starter(path))) ||
		hasRegions(path) && human == strings.TrimSpace(Begun(path))
}

// IsStarter reports whether nobody has written into a file: it is empty or as Strata
// created it.
func IsStarter(path, content string) bool {
	text := strings.TrimSpace(content)
	return text == "" || text == strings.TrimSpace(Starter(path))
}

// SameHuman reports whether people wrote the same in two versions of a file, given as
// returned by [Human]. It ignores blank lines and forgotten lines.
func SameHuman(now, was string) bool {
	return now == was || slices.Equal(saidLines(now), saidLines(was))
}

func saidLines(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "" || l == strata.ForgottenText
	})
}
