package contextmgr

import (
	"context"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// refresh updates recalled facts in place if they were edited, replaced or retired since,
// because the prompt must not show what memory no longer holds true. A failure is an
// event; the old text then stays until the next request.
func (m *Manager) refresh(ctx context.Context) {
	memory, ok := m.opt.Memory.(Refreshing)
	if !ok {
		return
	}
	ids := slices.DeleteFunc(m.win.seen(), func(id string) bool { return !strings.HasPrefix(id, factPrefix) })
	if len(ids) == 0 {
		return
	}
	bounded, cancel := context.WithTimeout(ctx, m.opt.RecallTimeout)
	defer cancel()
	now, err := memory.Current(bounded, ids)
	if err != nil {
		m.emit(FellBack{What: "recall", Why: err.Error(), To: "what was recalled stays as it was"})
		return
	}
	for _, it := range m.win.items {
		n, changed := it.note.refresh(now, m.meter, m.opt.RecallTokens)
		if !changed {
			continue
		}
		before := it.cost
		it.note = n
		m.win.remeasure(it)
		m.calibration.Rebase()
		m.emit(Recalled{Seq: it.from, IDs: n.ids, Tokens: m.calibration.Scale(it.cost) - m.calibration.Scale(before)})
		m.unsaved = true
	}
}

// factPrefix begins the id of a fact.
const factPrefix = "fact_"

// refresh returns a note with the current versions of its facts, and whether it changed.
// A line costs at most limit tokens.
func (n note) refresh(now map[string]strata.Hit, m meter, limit int) (note, bool) {
	var out note
	var lines []string
	changed := false
	for i, line := range n.lines() {
		id := n.ids[i]
		hit, believed := now[id]
		switch {
		case !strings.HasPrefix(id, factPrefix):
		case !believed:
			changed = true
			continue
		case hit.ID != id || !shows(line, hit.Text):
			changed = true
			id, line = hit.ID, recallLine(hit)
			if m.text(line) > limit {
				line = shortenLine(m, line, limit)
			}
			if line == "" || slices.Contains(out.ids, id) {
				continue
			}
		}
		out.ids = append(out.ids, id)
		lines = append(lines, line)
	}
	if !changed {
		return n, false
	}
	out.text = recallBlock(lines)
	return out, true
}

// shows reports whether a line of a note shows a text or part of it.
func shows(line, text string) bool {
	_, shown, _ := strings.Cut(line, "] ")
	shown = strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(shown, "… "), cutMark), " …")
	return strings.Contains(fence.Line(text), shown)
}
