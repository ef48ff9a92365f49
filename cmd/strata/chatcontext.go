package main

import (
	"context"
	"fmt"
	"io"
)

// context shows what the window is filled with.
func (r *chatRun) context(_ context.Context, _ string) error {
	c := contextOf(r.agent.Report())
	return r.show("context", c, func(w io.Writer) error {
		t := table{faint: map[int]bool{2: true}, elastic: 2}
		add := func(what string, n int, why string) {
			t.add(what, fmt.Sprintf("%8s", thousands(n)), why)
		}
		add("system prompt", c.System, "")
		add("tools", c.Tools, "")
		add("snapshot of memory", c.Snapshot, fmt.Sprintf("generation %d", c.Generation))
		for _, p := range c.Parts {
			why := ""
			if p.Total > p.Shown {
				why = fmt.Sprintf("%d of %d shown", p.Shown, p.Total)
			}
			name := p.Kind
			if p.Name != "" {
				name += " " + p.Name
			}
			add("  "+clean(name), p.Tokens, why)
		}
		add("summary", c.Summary, coveredText(c.Covered))
		add("recalled memory", c.Recalled, "")
		add("turns", c.Turns, fmt.Sprintf("the last is turn %d", c.Last))
		add("free", c.Free, fmt.Sprintf("of %s; %s more are kept for the answer", thousands(c.Budget), thousands(c.Window-c.Budget)))
		if err := t.write(w, width(w), r.view.st); err != nil {
			return err
		}
		return show(w, "%s  %s  session %s\n", gauge(r.agent.Usage()), clean(c.Model), c.Session)
	})
}

func coveredText(covered int64) string {
	if covered == 0 {
		return ""
	}
	return fmt.Sprintf("for the turns up to %d", covered)
}
