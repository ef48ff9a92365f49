package contextmgr

import (
	"errors"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/llm"
)

// checkRequest reports a request that does not fit or that a protocol refuses.
func checkRequest(m *Manager, req llm.Request) error {
	if cost := m.calibration.Scale(m.meter.request(req)); cost > m.budget() {
		return fmt.Errorf("the request costs %d of %d", cost, m.budget())
	}
	return checkRoles(req.Messages)
}

// checkRoles reports what OpenAI or the templates of Ollama's models refuse.
func checkRoles(messages []llm.Message) error {
	if len(messages) > 0 && messages[0].Role == strata.RoleSystem {
		messages = messages[1:]
	}
	if len(messages) == 0 {
		return errors.New("no message")
	}
	if messages[0].Role != strata.RoleUser {
		return fmt.Errorf("begins with %s", messages[0].Role)
	}
	var open []string // calls without a result
	for i, m := range messages {
		if m.Role == strata.RoleTool {
			at := slices.Index(open, m.CallID)
			if at < 0 {
				return fmt.Errorf("message %d: a result for call %q, which is not open", i, m.CallID)
			}
			open = slices.Delete(open, at, at+1)
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d: calls %v have no result", i, open)
		}
		if m.Role != strata.RoleUser && m.Role != strata.RoleAssistant {
			return fmt.Errorf("message %d: role %q", i, m.Role)
		}
		if i > 0 && messages[i-1].Role == m.Role {
			return fmt.Errorf("message %d: two of %s in a row", i, m.Role)
		}
		for _, c := range m.Calls {
			if c.ID == "" || slices.Contains(open, c.ID) {
				return fmt.Errorf("message %d: call id %q", i, c.ID)
			}
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls %v have no result at the end", open)
	}
	if messages[len(messages)-1].Role == strata.RoleAssistant {
		return errors.New("ends with an answer")
	}
	return nil
}
