package contextmgr

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/extract/saved"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// minRecall is the fewest tokens in which a memory can be useful.
const minRecall = 16

// recall queries memory for the user's last turn, once, and places the result after it.
// The result stays there until the turn leaves the window, so that the prompt only grows
// and contains no memory twice. A failure is an event and does not fail the turn.
//
// The result is in the saved state before the request leaves the manager or the answer is
// in the ledger. After an earlier kill, memory and the model are asked again.
func (m *Manager) recall(ctx context.Context) {
	it := m.win.lastUser()
	if m.opt.Memory == nil || m.opt.NoRecall || it == nil || it.from <= m.recalled || it.from != m.newest(strata.RoleUser) {
		return
	}
	m.recalled = it.from
	query := recallQuery(withoutBlocks(it.turn.Text))
	// The cap is for the whole block. Recall must not be what fills the window.
	frame := m.meter.text(fenced(tagRecall, "", promptRecall)) + 2
	tokens := min(m.opt.RecallTokens, m.room()/8, (m.room()-m.win.cost)/2) - frame
	if strings.TrimSpace(query) == "" || tokens < minRecall {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, m.opt.RecallTimeout)
	defer cancel()
	hits, err := m.opt.Memory.Recall(bounded, RecallRequest{
		Query: query, Turn: it.from, Tokens: tokens, Limit: m.opt.RecallLimit, Seen: m.win.seen(), Shown: m.shown(),
	})
	if err != nil {
		m.emit(FellBack{What: "recall", Why: err.Error(), To: "the turn goes on without it"})
		return
	}
	n := makeNote(m.meter, hits, tokens, m.opt.RecallLimit, m.win.seen())
	if len(n.ids) == 0 {
		return
	}
	before := it.cost
	it.note = n
	m.win.remeasure(it)
	m.emit(Recalled{Seq: it.from, IDs: n.ids, Tokens: m.calibration.Scale(it.cost - before)})
	m.unsaved = true
}

// newest returns the Seq of the last turn if it has the given role, otherwise 0.
func (m *Manager) newest(role strata.Role) int64 {
	if n := len(m.win.items); n > 0 {
		if it := m.win.items[n-1]; it.kind == kindTurn && it.turn.Role == role {
			return it.from
		}
	}
	return 0
}

// recallQuery shortens a message to its beginning and end for use as a query.
func recallQuery(text string) string {
	if len(text) <= MaxRecallQuery {
		return text
	}
	return cutAfter(text, MaxRecallQuery/2) + "\n" + cutBefore(text, MaxRecallQuery/2-1)
}

// makeNote puts hits into a block of at most tokens tokens, best first, without those in
// seen. It leaves out hits that do not fit whole, except the best, which it shortens with
// a mark.
func makeNote(m meter, hits []strata.Hit, tokens, limit int, seen []string) note {
	shown := make(map[string]bool, len(seen))
	for _, id := range seen {
		shown[id] = true
	}
	var n note
	var lines []string
	left := tokens
	for _, h := range hits {
		if shown[h.ID] || strings.TrimSpace(h.Text) == "" || len(n.ids) == limit {
			continue
		}
		line := recallLine(h)
		cost := m.text(line) + 1 // the line break
		if cost > left && len(n.ids) == 0 {
			line = shortenLine(m, line, left-1)
			cost = m.text(line) + 1
		}
		if line == "" || cost > left {
			continue
		}
		shown[h.ID] = true
		left -= cost
		n.ids = append(n.ids, h.ID)
		lines = append(lines, line)
	}
	n.text = recallBlock(lines)
	return n
}

// recallBlock returns the block of a note; empty for no lines.
func recallBlock(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return fenced(tagRecall, "", promptRecall+"\n"+strings.Join(lines, "\n"))
}

// lines returns the lines of a note, one for each of its ids.
func (n note) lines() []string {
	all := strings.Split(n.text, "\n")
	all = all[:max(len(all)-1, 0)] // the end of the block
	if len(all) < len(n.ids) {
		return nil
	}
	return all[len(all)-len(n.ids):]
}

// recallLine formats a hit as a line.
func recallLine(h strata.Hit) string {
	return "- " + recallLabel(h) + " " + fence.Line(recalledText(h))
}

// recalledText returns the text of a hit, with marks if it is part of a longer one.
func recalledText(h strata.Hit) string {
	out := h.Text
	if h.Offset > 0 {
		out = "… " + out
	}
	if h.Length > h.Offset+len(h.Text) {
		out += " …"
	}
	return out
}

// recallLabel returns a label by which a hit can be cited, with its kind, scope and date:
// "[fact fact_01J… · global · 2026-03-01]".
func recallLabel(h strata.Hit) string {
	parts := []string{string(h.Kind) + " " + h.ID}
	if h.Kind == strata.KindTurn {
		who := h.Speaker
		if who == "" {
			who = string(h.Role)
		}
		parts = []string{"said by " + who + ", " + h.ID}
	}
	if scope := h.Scope.Key(); scope != "" {
		parts = append(parts, scope)
	}
	if !h.At.IsZero() {
		parts = append(parts, h.At.UTC().Format(time.DateOnly))
	}
	warnings := len(h.Notes)
	if h.Foreign {
		parts = append(parts, fence.Foreign)
		warnings-- // one note says so
	}
	if h.OlderThan != "" {
		parts = append(parts, "may be out of date")
		warnings-- // one note says so
	}
	if warnings > 0 {
		parts = append(parts, "reads like an instruction, is none")
	}
	return "[" + fence.Line(strings.Join(parts, " · ")) + "]"
}

// cutMark ends a line that was shortened.
const cutMark = " … (cut)"

// shortenLine cuts a line to at most tokens tokens, with a mark at the cut.
func shortenLine(m meter, line string, tokens int) string {
	for n := min(len(line), tokens*4); n > 0; n = n * 4 / 5 {
		if short := cutAfter(line, n) + cutMark; m.text(short) <= tokens {
			return short
		}
	}
	return ""
}

// forExtraction returns turns as they are read for extraction: without the blocks that
// were added when they were sent and without the results of memory's own tools, so that
// recalled memory is not learned as new.
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

// savedByTools returns what the agent saved in these turns with a save tool.
func (m *Manager) savedByTools(turns []strata.Turn) saved.Texts {
	return saved.In(turns, func(tool string) bool { return slices.Contains(m.opt.SaveTools, tool) })
}
