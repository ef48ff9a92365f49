package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/ops"
)

// showSnapshot shows what a session was told, below a line that names it.
func (a *app) showSnapshot(w io.Writer, s ops.Snapshot) error {
	head := about(s.Session, fmt.Sprintf("generation %d", s.Generation), when(s.CreatedAt))
	text := cleanLines(strings.TrimRight(s.Text, "\n"))
	if text == "" {
		text = "(empty)"
	}
	return show(w, "%s\n%s\n", a.styleFor(w).strong(head), text)
}

// showClosed says what was closed.
func (a *app) showClosed(w io.Writer, c ops.Closed) error {
	for _, n := range c.Notes {
		a.note("%s", n)
	}
	st := a.styleFor(w)
	what := "closed"
	if c.Already {
		what = "closed before"
	}
	return show(w, "%s%s%s%s%s\n", st.strong(what), gap, clean(c.ID), gap,
		st.faint("("+about(count(c.Turns, "turn"), timeOf(c.ClosedAt))+")"))
}

// showLearnings lists lessons.
func (a *app) showLearnings(w io.Writer, list []ops.Learning) error {
	if len(list) == 0 {
		a.note("no lessons")
		return nil
	}
	t := table{header: []string{"LAST", "TIMES", "KIND", "TOOL", "SCOPE", "SESSION", "TEXT"}, elastic: 6}
	for _, l := range list {
		text := clean(l.Text)
		if l.Context != "" {
			text += " (" + clean(l.Context) + ")"
		}
		t.add(when(l.LastAt), strconv.FormatInt(l.Count, 10), string(l.Kind), clean(l.Tool), l.Scope, clean(l.Session), text)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showLearnt says what was learnt, and whether it was known.
func (a *app) showLearnt(w io.Writer, l ops.Learnt) error {
	for _, n := range l.Notes {
		a.note("%s", n)
	}
	st := a.styleFor(w)
	known := "new"
	if l.Count > 1 {
		known = fmt.Sprintf("%d times since %s", l.Count, when(l.FirstAt))
	}
	return show(w, "%s%s%s%s%s%s%s\n", st.strong("learnt"), gap, l.ID, gap, about(string(l.Kind), l.Tool), gap, st.faint("("+known+")"))
}
