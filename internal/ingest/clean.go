package ingest

import (
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// fromMemory replaces the result of a memory tool.
const fromMemory = "[what memory returned is not kept again]"

// recallTools holds the suffixes of the names of tools that return the content of a
// memory, Strata's and others.
var recallTools = []string{
	"memory_recall", "memory_search", "memory_expand", "memory_history", "search_memory", "search_memories", "get_memory", "get_memories",
	"recall_memory", "retrieve_memory", "retrieve_memories", "read_graph", "search_nodes", "open_nodes", "archival_memory_search", "conversation_search",
}

// clean returns a message in the form in which it is kept, or why it is not kept. It
// removes blocks of memory and notes that a program inserted, and the results of memory
// tools.
func clean(t strata.Turn) (strata.Turn, string) {
	if t.Role == strata.RoleTool {
		if recalls(t.Tool) {
			t.Text = fromMemory
		}
	} else if said := strings.TrimSpace(fence.Without(t.Text)); said != t.Text {
		if said == "" && strings.TrimSpace(t.Text) != "" && len(t.Calls) == 0 {
			return t, LeftShown
		}
		t.Text = said
	}
	if t.Text == "" && len(t.Calls) == 0 && t.Role != strata.RoleTool {
		return t, LeftEmpty
	}
	if strata.ValidateName("speaker", t.Speaker) != nil {
		t.Speaker = ""
	}
	if t.Role != strata.RoleAssistant {
		t.Calls = nil
	}
	t.Calls = slices.DeleteFunc(t.Calls, func(c strata.ToolCall) bool { return strings.TrimSpace(c.Name) == "" })
	t.Calls = t.Calls[:min(len(t.Calls), strata.MaxCalls)]
	whole := t
	whole.Session = "any"
	if whole.Validate() != nil {
		return t, LeftWrong
	}
	return t, ""
}

func recalls(tool string) bool {
	return slices.ContainsFunc(recallTools, func(name string) bool { return strings.HasSuffix(tool, name) })
}
