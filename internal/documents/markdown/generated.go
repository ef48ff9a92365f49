package markdown

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
)

// The files of learnings, and that of rules for what an agent does by itself.
const (
	ErrorsPath      = "learnings/errors.md"
	CorrectionsPath = "learnings/corrections.md"
	HeartbeatPath   = "HEARTBEAT.md"
)

// Parts are generated parts of the files of a scope.
type Parts uint8

const (
	// PartIndex is MEMORY.md: the index of notes, the block of what was extracted
	// and the blocks of what was promoted.
	PartIndex Parts = 1 << iota
	// PartLearnings are the files of learnings.
	PartLearnings
	// PartDreams are the diary of dreams and what gave way in MEMORY.md.
	PartDreams

	AllParts = PartIndex | PartLearnings | PartDreams
)

// PartOf is the generated part that a change of the document at a path leaves
// dirty; 0 for none.
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

// GeneratedFrom is the file with the generated part that a change of the
// document at a path leaves dirty; empty for none.
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

// Begun is what a file says that nobody has written into yet, apart from what is
// generated in it.
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

// IsBegun reports whether what stands in a file apart from what is generated is what
// it is begun with, if anything.
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

// IsStarter reports whether a file says nothing of anybody: it is empty or as
// Strata made it.
func IsStarter(path, content string) bool {
	text := strings.TrimSpace(content)
	return text == "" || text == strings.TrimSpace(Starter(path))
}

// SameHuman reports whether people wrote the same in two versions of a file, of
// which [Human] is given: but for empty lines and lines that were forgotten.
func SameHuman(now, was string) bool {
	return now == was || slices.Equal(saidLines(now), saidLines(was))
}

func saidLines(s string) []string {
	return slices.DeleteFunc(strings.Split(s, "\n"), func(l string) bool {
		l = strings.TrimSpace(l)
		return l == "" || l == strata.ForgottenText
	})
}
