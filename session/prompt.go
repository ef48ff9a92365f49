package session

import (
	_ "embed"
	"strings"
)

//go:embed prompts/guidance.md
var guidance string

// Guidance returns the built-in text that explains to a model how to use memory: what
// to save and what not, to say what was used, and who is right in a conflict.
func Guidance() string { return strings.TrimSpace(guidance) }
