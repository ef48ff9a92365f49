package session

import (
	"strings"

	"github.com/strata-memory/strata"
)

// Replay returns what people and the agent said to each other: the turns of
// users and assistants, without tool calls. Turns of tools and of the system
// (recalled memory, warnings) are left out, and so are turns of the assistant
// that do nothing but call tools. Numbers and ids stay, so that each turn can be
// found in the ledger. The turns given are not changed.
func Replay(turns []strata.Turn) []strata.Turn {
	var out []strata.Turn
	for _, t := range turns {
		if t.Role != strata.RoleUser && t.Role != strata.RoleAssistant {
			continue
		}
		if strings.TrimSpace(t.Text) == "" && len(t.Images) == 0 {
			continue
		}
		t.Calls = nil
		out = append(out, t)
	}
	return out
}
