package operation

import "github.com/strata-memory/strata"

// Toolset says which agents have an operation as a tool, or which tools an agent has.
// Each tool more costs a small model attention.
type Toolset string

// The sets of tools.
const (
	NoTools   Toolset = ""     // of an operation: it is for people and programs
	CoreTools Toolset = "core" // those that every agent has
	AllTools  Toolset = "all"  // those and the ones that few need
)

// Toolsets are the sets an agent can be given.
func Toolsets() []string { return []string{string(CoreTools), string(AllTools)} }

// ParseToolset reads the name of a set.
func ParseToolset(name string) (Toolset, error) {
	switch set := Toolset(name); set {
	case CoreTools, AllTools:
		return set, nil
	}
	return NoTools, strata.Invalid("", "no such set of tools: \""+Clip(name)+"\"", "use core or all")
}

// Has reports whether a set has the tools of another.
func (s Toolset) Has(other Toolset) bool {
	return other != NoTools && (s == other || s == AllTools)
}
