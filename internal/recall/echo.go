package recall

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/recall/question"
)

// dropEchoes drops turns that add nothing to the question or to memory: questions without
// a word beyond those of this one, and calls of memory's own tools with their results. A
// search keeps them.
func (f *finder) dropEchoes(among []*candidate) []*candidate {
	if q := f.req.Query; q.Search || q.All {
		return among
	}
	asked := dedupKey(f.req.Query.Text)
	return slices.DeleteFunc(among, func(c *candidate) bool {
		t := c.item.Turn
		return t != nil && (ofMemoryTool(t) || f.repeatsQuestion(t, asked))
	})
}

// repeatsQuestion reports whether a turn asks the same as the question. In an automatic
// recall, a turn with the same text as the question repeats it too. key is the dedupKey
// of the question.
func (f *finder) repeatsQuestion(t *strata.Turn, key string) bool {
	if f.req.Query.Automatic && dedupKey(t.Text) == key {
		return true
	}
	if !question.Asks(t.Text) {
		return false
	}
	beyond := func(term string) bool { return !slices.Contains(f.query.terms, term) }
	return !slices.ContainsFunc(contentTerms(t.Text), beyond)
}

// ofMemoryTool reports whether a turn is the result of one of memory's own tools, or
// consists only of calls of them.
func ofMemoryTool(t *strata.Turn) bool {
	if t.Role == strata.RoleTool {
		return isMemoryTool(t.Tool)
	}
	other := func(c strata.ToolCall) bool { return !isMemoryTool(c.Name) }
	return len(t.Calls) > 0 && strings.TrimSpace(t.Text) == "" && !slices.ContainsFunc(t.Calls, other)
}

// isMemoryTool reports whether a tool is one of memory's own. Clients may put the
// name of the server before it, as in "mcp__strata__memory_recall".
func isMemoryTool(name string) bool {
	if i := strings.LastIndex(name, "__"); i >= 0 {
		name = name[i+len("__"):]
	}
	return strings.HasPrefix(name, "memory_") || name == "remember"
}
