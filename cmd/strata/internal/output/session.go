package output

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
)

func (p *Page) sessions(sessions []ops.Session) {
	t := table.Table{Header: []string{"SESSION", "KIND", "TURNS", "STARTED", "CLOSED", "SCOPE"}}
	for _, s := range sessions {
		closed := "open"
		if s.ClosedAt != nil {
			closed = p.whenSet(s.ClosedAt)
		}
		t.Add(terminal.Clean(id.Short(s.ID)), string(s.Kind), strconv.FormatInt(s.Turns, 10), p.when(s.StartedAt), closed, p.Scope(s.Scope))
	}
	p.list(t, "no sessions")
}

func (p *Page) turns(turns []ops.Turn) {
	t := table.Table{Header: []string{"SEQ", "AT", "WHO", "TEXT"}, Elastic: 3, TextFirst: true}
	for _, turn := range turns {
		who := turn.Speaker
		if who == "" {
			who = string(turn.Role)
		}
		text := terminal.Clean(turn.Text)
		for _, c := range turn.Calls {
			text = strings.TrimSpace(text + " (calls " + terminal.Clean(c.Name) + ")")
		}
		if n := len(turn.Images); n > 0 {
			text = strings.TrimSpace(text + " (" + Count(n, "image") + ")")
		}
		if turn.Failed {
			text = "(failed) " + text
		}
		if turn.Forgotten {
			text = "(forgotten)"
			if turn.Text == strata.PrunedText {
				text = "(pruned)"
			}
			if turn.Text == strata.ArchivedText {
				text = "(archived)"
			}
		}
		t.Add(p.seq(turn.Seq), p.when(turn.At), terminal.Clean(who), text)
	}
	p.list(t, "no turns")
}

// seq is the number of a turn in its session.
func (p *Page) seq(n int64) string {
	if p.width == 0 {
		return strconv.FormatInt(n, 10)
	}
	return "#" + strconv.FormatInt(n, 10)
}

// timeline shows the sizes of a session's turns, and what left the window.
func (p *Page) timeline(line ops.Timeline) {
	p.Printf("%s\n", p.Strong(Join(terminal.Clean(line.ID), Count(line.Turns, "turn"), Count(line.Tokens, "token"))))
	if line.Flushed > 0 {
		p.Printf("facts were saved up to turn %d\n", line.Flushed)
	}
	for _, s := range line.Spans {
		p.Printf("turns %d to %d left the window, %s: %s; strata expand %s --from %d --to %d opens them\n",
			s.From, s.To, Count(s.Tokens, "token"), s.Kind, terminal.Clean(line.ID), s.From, s.To)
	}
	t := table.Table{Header: []string{"SEQ", "AT", "WHO", "TOKENS"}}
	for _, m := range line.Marks {
		t.Add(strconv.FormatInt(m.Seq, 10), p.when(m.At), string(m.Role), strconv.FormatInt(m.Tokens, 10))
	}
	p.list(t, "no turns")
	p.notes(line.Notes)
}

// snapshot shows the snapshot of a session, below a header.
func (p *Page) snapshot(s ops.Snapshot) {
	text := strings.TrimRight(s.Text, "\n")
	if text == "" {
		text = "(empty)"
	}
	p.Printf("%s\n", p.Strong(Join(s.Session, fmt.Sprintf("generation %d", s.Generation), p.when(s.CreatedAt))))
	p.whole(text + "\n")
}

// pruned lists the sessions that lost their turns, and those that were skipped.
func (p *Page) pruned(out ops.Pruned) {
	p.notes(out.Notes)
	t := table.Table{Header: []string{"SESSION", "SCOPE", "TURNS", "BYTES", "CLOSED"}, Elastic: 0}
	for _, s := range out.Sessions {
		t.Add(terminal.Clean(s.ID), s.Scope, strconv.FormatInt(s.Turns, 10), strconv.FormatInt(s.Bytes, 10), p.when(s.ClosedAt))
	}
	done := "pruned"
	if out.Archived {
		done = "archived"
	}
	p.list(t, "no session is to be "+done)
	for _, s := range out.Skipped {
		p.note("%s is left: %s", s.ID, s.Reason)
	}
	if len(out.Sessions) > 0 {
		if out.DryRun {
			done = "would be " + done
		}
		p.note("%s %s: %d bytes, %d are left", Count(len(out.Sessions), "session"), done, out.Freed, out.Left)
	}
}

// repaired lists the sessions that had to be repaired.
func (p *Page) repaired(out ops.Repaired) {
	t := table.Table{Header: []string{"SESSION", "SCOPE", "PROBLEM", "DETAIL"}, Elastic: 3}
	for _, s := range out.Sessions {
		t.Add(terminal.Clean(s.ID), s.Scope, string(s.Problem), terminal.Clean(s.Detail))
	}
	p.list(t, "every session is as it should be")
	if out.DryRun && len(out.Sessions) > 0 {
		p.note("nothing was changed")
	}
}

func (p *Page) closed(c ops.Closed) {
	p.notes(c.Notes)
	what := "closed"
	if c.Already {
		what = "closed before"
	}
	p.fields(p.Strong(what), terminal.Clean(c.ID), p.reason(Join(Count(c.Turns, "turn"), p.whenSet(c.ClosedAt))))
}

func (p *Page) learnings(list []ops.Learning) {
	t := table.Table{Header: []string{"LAST", "TIMES", "KIND", "TOOL", "SCOPE", "SESSION", "TEXT"}, Elastic: 6, TextFirst: true, Kinds: map[int]bool{2: true}}
	for _, l := range list {
		text := terminal.Clean(l.Text)
		if l.Context != "" {
			text += " (" + terminal.Clean(l.Context) + ")"
		}
		t.Add(p.when(l.LastAt), strconv.FormatInt(l.Count, 10), string(l.Kind), terminal.Clean(l.Tool), p.Scope(l.Scope), terminal.Clean(l.Session), text)
	}
	p.list(t, "no learnings")
}

// learnt says what was learned, and whether it was already known.
func (p *Page) learnt(l ops.Learnt) {
	p.notes(l.Notes)
	known := "new"
	if l.Count > 1 {
		known = fmt.Sprintf("%d times since %s", l.Count, p.when(l.FirstAt))
	}
	p.fields(p.Strong("learnt"), id.Short(l.ID), Join(string(l.Kind), l.Tool), p.reason(known))
}
