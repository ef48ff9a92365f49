package session

import (
	_ "embed"
	"strings"

	"github.com/strata-memory/strata/internal/lazyregexp"
)

// guidance is the text with marks: a sentence that is about a tool without naming it begins
// with the tool's name in braces.
//
//go:embed prompts/guidance.md
var guidance string

// GuidanceFor returns [Guidance] without the sentences that are about tools which are not
// offered, and without the lists that such a sentence introduces.
func GuidanceFor(offered func(tool string) bool) string {
	var lines []string
	dropping := false // a list without its introduction
	for _, line := range strings.Split(strings.TrimSpace(guidance), "\n") {
		if dropping = dropping && strings.HasPrefix(line, "- "); dropping {
			continue
		}
		var kept []string
		for _, sentence := range strings.SplitAfter(line, ". ") {
			if names := toolName.FindStringSubmatch(sentence); names == nil || offered(names[1]) {
				kept = append(kept, sentence)
			} else {
				dropping = strings.HasSuffix(sentence, ":")
			}
		}
		left := strings.TrimRight(strings.Join(kept, ""), " ")
		if left != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, left)
		}
	}
	return toolMark.ReplaceAllString(strings.Join(lines, "\n"), "")
}

// GuidanceAlone is [GuidanceFor] where no block of memory follows: what that would hold is
// told by the tool memory_context.
func GuidanceAlone(offered func(tool string) bool) string {
	return withoutBlock.Replace(GuidanceFor(offered))
}

var (
	// toolName is a tool that a sentence is about.
	toolName = lazyregexp.New("[`{](memory_\\w+)[`}]")
	// toolMark is one that it does not name.
	toolMark = lazyregexp.New(`\{memory_\w+\}`)

	withoutBlock = strings.NewReplacer("stands in the memory block below", "is told by `memory_context`", "the memory block", "memory")
)

// Guidance returns the built-in text that explains to a model how to use memory: what
// to save and what not, to say what was used, and who is right in a conflict.
func Guidance() string { return GuidanceFor(func(string) bool { return true }) }
