// Package saved tells what an agent saved by a tool of its own in a conversation, so that
// it is not extracted from the same turns again.
package saved

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
)

// minRepeated is the share of a fact's words that a text must hold for the fact to
// be a repetition of it.
const minRepeated = 0.8

// Texts are the words of each text that an agent itself saved in some turns.
type Texts []map[string]bool

// In collects what the agent saved by a tool of its own in these turns; isSave tells
// those tools. Suppressing a whole turn because something in it was saved would lose what
// else it says; so only what repeats a saved text is left out.
func In(turns []strata.Turn, isSave func(tool string) bool) Texts {
	var out Texts
	for i, t := range turns {
		for _, c := range t.Calls {
			if isSave(c.Name) && !failed(turns[i+1:], c) {
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
		if t.CallID == c.ID && (t.Tool == "" || t.Tool == c.Name) {
			return t.Failed
		}
	}
	return false
}

// Without returns the candidates that repeat nothing of what was saved.
func (s Texts) Without(cs []strata.Candidate) []strata.Candidate {
	return slices.DeleteFunc(cs, s.Has)
}

// Has reports whether a candidate repeats something that was saved.
func (s Texts) Has(c strata.Candidate) bool {
	return slices.ContainsFunc(s, func(saved map[string]bool) bool { return text.Grounding(c.Content, saved) >= minRepeated })
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
