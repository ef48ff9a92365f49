package contextmgr

import (
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// The tags of the blocks that the manager adds to a conversation. Text inside a block
// cannot end it: see [fenced].
const (
	tagRecall  = "recalled-memory"
	tagSummary = "conversation-summary"
	tagNote    = "context-note"
)

// fenced encloses a text in tags. The text must come from package internal/secrets/fence,
// which makes tags in it harmless.
func fenced(tag, attributes, text string) string {
	if attributes != "" {
		attributes = " " + attributes
	}
	return "<" + tag + attributes + ">\n" + strings.TrimSpace(text) + "\n</" + tag + ">"
}

// blocks matches whole blocks of the manager, including one that lost its end.
var blocks = lazyregexp.New(`(?s)<recalled-memory>.*?(?:</recalled-memory>|$)|<context-note>.*?(?:</context-note>|$)|<conversation-summary[^>]*>.*?(?:</conversation-summary>|$)`)

// withoutBlocks returns what somebody said without the blocks that were added when it was
// sent, so that recalled memory is not learned again.
func withoutBlocks(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	return blocks.ReplaceAllString(s, "")
}

// oneLine returns a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
