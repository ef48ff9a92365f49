package session

import (
	_ "embed"
	"strings"

	"github.com/strata-memory/strata/internal/lazyregexp"
)

//go:embed prompts/guidance.md
var guidance string

// GuidanceFor returns [Guidance] without the sentences that name tools which are not
// offered.
func GuidanceFor(offered func(tool string) bool) string {
	var lines []string
	for _, line := range strings.Split(Guidance(), "\n") {
		var kept []string
		for _, sentence := range strings.SplitAfter(line, ". ") {
			if names := toolName.FindStringSubmatch(sentence); names == nil || offered(names[1]) {
				kept = append(kept, sentence)
			}
		}
		lines = append(lines, strings.TrimRight(strings.Join(kept, ""), " "))
	}
	return strings.Join(lines, "\n")
}

// toolName is a tool that a sentence tells of.
var toolName = lazyregexp.New("`(memory_\\w+)`")

// Guidance returns the built-in text that explains to a model how to use memory: what
// to save and what not, to say what was used, and who is right in a conflict.
func Guidance() string { return strings.TrimSpace(guidance) }
