package contextmgr

import (
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/extract/saved"
	"github.com/strata-memory/strata/internal/fence"
)

// forExtraction returns turns as they are read for extraction: without the blocks that
// were added when they were sent, and without what memory's own tools returned,
// so that nothing that was recalled is learned as new.
func (m *Manager) forExtraction(turns []strata.Turn) []strata.Turn {
	var out []strata.Turn
	for _, t := range standing(turns, m.withdrawn) {
		if t.Forgotten || t.Role == strata.RoleTool && m.isMemoryTool(t.Tool) {
			continue
		}
		t.Text = fence.Without(t.Text)
		out = append(out, t)
	}
	return out
}

func (m *Manager) isMemoryTool(name string) bool {
	return slices.Contains(m.opt.MemoryTools, name) || slices.Contains(m.opt.SaveTools, name)
}

// savedByTools is what the agent itself saved in these turns by a tool of its own.
func (m *Manager) savedByTools(turns []strata.Turn) saved.Texts {
	return saved.In(turns, func(tool string) bool { return slices.Contains(m.opt.SaveTools, tool) })
}
