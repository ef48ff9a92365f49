package contextmgr

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// The prompts are files, so that they can be read and reviewed as prose.
var (
	//go:embed prompts/extract.md
	promptExtract string
	//go:embed prompts/repair.md
	promptRepair string
	//go:embed prompts/summarize.md
	promptSummarize string
	//go:embed prompts/recall.md
	promptRecall string
	//go:embed prompts/warning.md
	promptWarning string
	//go:embed prompts/facts.schema.json
	factsSchema string
)

// schema is the JSON schema of extracted facts.
func schema() json.RawMessage { return json.RawMessage(factsSchema) }

// echoes reports whether an answer repeats a line of the instructions: a model
// that does so did not follow them.
func echoes(answer, instructions string) bool {
	for line := range strings.Lines(instructions) {
		if line = strings.TrimSpace(line); len(line) >= 40 && strings.Contains(answer, line) {
			return true
		}
	}
	return false
}
