package contextmgr

import (
	"strings"
	"unicode"

	"github.com/strata-memory/strata/internal/lazyregexp"
)

// The tags of the blocks that the manager adds to a conversation. Nothing
// inside a block can end it: see [inert].
const (
	tagRecall  = "recalled-memory"
	tagSummary = "conversation-summary"
	tagNote    = "context-note"
)

// fenced puts a text between tags. The text must be inert.
func fenced(tag, attributes, text string) string {
	if attributes != "" {
		attributes = " " + attributes
	}
	return "<" + tag + attributes + ">\n" + strings.TrimSpace(text) + "\n</" + tag + ">"
}

// tags finds what a reader may take for one of our tags, whatever is inside.
var tags = lazyregexp.New(`(?i)[<＜﹤‹]\s*/?\s*(?:recalled|conversation|context)[\s_-]*(?:memory|summary|note)`)

// inert returns a text that cannot close a block or open another: invisible
// characters are dropped, and the bracket before anything like one of our tags
// is replaced.
func inert(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return tags.ReplaceAllStringFunc(s, func(tag string) string {
		_, rest, _ := cutRune(tag)
		return "(" + rest
	})
}

// cutRune splits the first character off.
func cutRune(s string) (r rune, rest string, ok bool) {
	for i, first := range s {
		return first, s[i+len(string(first)):], true
	}
	return 0, "", false
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
