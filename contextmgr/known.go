package contextmgr

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// forExtraction returns turns as they are read for extraction: without the blocks that
// were added when they were sent, and without what memory's own tools returned,
// so that nothing that was recalled is learned as new.
func (m *Manager) forExtraction(turns []strata.Turn) []strata.Turn {
	var out []strata.Turn
	for _, t := range turns {
		if t.Forgotten || t.Role == strata.RoleTool && m.isMemoryTool(t.Tool) {
			continue
		}
		t.Text = withoutBlocks(t.Text)
		out = append(out, t)
	}
	return out
}

func (m *Manager) isMemoryTool(name string) bool {
	return slices.Contains(m.opt.MemoryTools, name) || slices.Contains(m.opt.SaveTools, name)
}

// minRepeated is the share of a fact's words that a text must hold for the fact to
// be a repetition of it.
const minRepeated = 0.8

// savedTexts are the words of each text that the agent itself saved.
type savedTexts []map[string]bool

// savedByTools collects what the agent saved by a tool of its own in these turns.
// Suppressing a whole turn because something in it was saved would lose what
// else it says; so only what repeats the saved text is left out.
func (m *Manager) savedByTools(turns []strata.Turn) savedTexts {
	var out savedTexts
	for i, t := range turns {
		for _, c := range t.Calls {
			if slices.Contains(m.opt.SaveTools, c.Name) && !failed(turns[i+1:], c) {
				out = append(out, text.Vocabulary(arguments(c.Arguments)))
			}
		}
	}
	return out
}

// failed reports whether the result of a call says that it did not succeed.
func failed(after []strata.Turn, c strata.ToolCall) bool {
	for _, t := range after {
		if t.Role != strata.RoleTool {
			return false
		}
		if t.CallID == c.ID && t.Tool == c.Name {
			return t.Failed
		}
	}
	return false
}

// without returns the candidates that repeat nothing of what was saved.
func (w savedTexts) without(cs []strata.Candidate) []strata.Candidate {
	return slices.DeleteFunc(cs, func(c strata.Candidate) bool {
		return slices.ContainsFunc(w, func(saved map[string]bool) bool { return text.Grounding(c.Content, saved) >= minRepeated })
	})
}

// arguments are the texts in a call's arguments; all of it where it is no JSON.
func arguments(s string) string {
	var value map[string]any
	if json.Unmarshal([]byte(s), &value) != nil {
		return s
	}
	var out []string
	for _, v := range value {
		if s, ok := v.(string); ok {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}
