package fence

import (
	"regexp"
	"strings"
)

// shown are the names of tags between which programs put what they know into a
// conversation: this one's, and those of agents and of other memories.
var shown = []string{
	"recalled-memory", "conversation-summary", "context-note", "strata-memory", "memory-data", "session-memory",
	"memory", "memories", "memory-context", "relevant-memories", "relevant-memory", "recalled-memories", "user-memories", "user-memory",
	"retrieved-memories", "long-term-memory", "core-memory", "memory-blocks", "supermemory-context", "mem0-memories", "claude-mem-context",
	"system-reminder", "environment-context", "user-instructions", "local-command-stdout", "local-command-stderr", "local-command-caveat",
}

// blocks matches whole blocks between such tags, also one that lost its end.
var blocks = func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, name := range shown {
		name = strings.ReplaceAll(name, "-", "[-_]")
		out = append(out, regexp.MustCompile(`(?is)<`+name+`(?:\s[^>]*)?>.*?(?:</`+name+`(?:\s[^>]*)?>|$)`))
	}
	return out
}()

// Without returns what somebody said without the blocks that programs added to it,
// such as memory that was recalled: it was not said.
func Without(s string) string {
	if !strings.Contains(s, "<") {
		return s
	}
	for _, b := range blocks {
		s = b.ReplaceAllString(s, "")
	}
	return s
}
