package contextmgr

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// The tags of the blocks that the manager adds to a conversation. Nothing
// inside a block can end it: see [inert].
const (
	tagRecall  = "recalled-memory"
	tagSummary = "conversation-summary"
	tagNote    = "context-note"
)

// fenced puts a text between tags. The text must come from package
// internal/secrets/fence.
func fenced(tag, attributes, text string) string {
	if attributes != "" {
		attributes = " " + attributes
	}
	return "<" + tag + attributes + ">\n" + strings.TrimSpace(text) + "\n</" + tag + ">"
}

// blocks matches whole blocks of ours, also one that lost its end.
var blocks = lazyregexp.New(`(?s)<recalled-memory>.*?(?:</recalled-memory>|$)|<context-note>.*?(?:</context-note>|$)|<conversation-summary[^>]*>.*?(?:</conversation-summary>|$)`)

// withoutBlocks returns what somebody said, without the blocks that were added
// when it was sent: a memory that is recalled must not be learned again.
func withoutBlocks(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return blocks.ReplaceAllString(s, "")
}

// oneLine returns a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
