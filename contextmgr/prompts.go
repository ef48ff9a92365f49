package contextmgr

import _ "embed"

// The prompts are files, so that they can be read and reviewed as prose.
var (
	//go:embed prompts/summarize.md
	promptSummarize string
	//go:embed prompts/recall.md
	promptRecall string
	//go:embed prompts/warning.md
	promptWarning string
)
