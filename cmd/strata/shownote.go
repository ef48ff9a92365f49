package main

import (
	"io"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/ops"
)

// showNoted writes "added  notes/project_deploys.md  project · How we deploy  (a new note)".
func (a *app) showNoted(w io.Writer, n ops.Noted) error {
	st := a.styleFor(w)
	parts := []string{st.strong(would(n.DryRun, done(n.Decision))), clean(n.Path)}
	parts = append(parts, about(n.Scope, n.Name))
	if n.Reason != "" {
		parts = append(parts, st.faint("("+clean(n.Reason)+")"))
	}
	for _, note := range n.Notes {
		a.note("%s", note)
	}
	return show(w, "%s\n", strings.Join(parts, gap))
}

// showDocuments lists files.
func (a *app) showDocuments(w io.Writer, list []ops.Document) error {
	if len(list) == 0 {
		a.note("no notes; strata remember makes one")
		return nil
	}
	t := table{header: []string{"PATH", "SCOPE", "MODIFIED", "TITLE", "WHEN IT MATTERS"}, elastic: 4}
	for _, d := range list {
		text := clean(d.Description)
		switch {
		case d.ShadowedBy != "":
			text = "(hidden by that of " + d.ShadowedBy + ") " + text
		case d.Problem != "":
			text = "(" + clean(d.Problem) + ") " + text
		}
		t.add(clean(d.Path), d.Scope, when(d.ModifiedAt), cut(clean(d.Name), 60), text)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showDocument writes the text of a file. What else there is to know of it are
// notes, so that the text can be sent on.
func (a *app) showDocument(w io.Writer, d ops.Document) error {
	a.note("%s of %s, version %d, %s", d.Path, d.Scope, d.Generation, when(d.ModifiedAt))
	if d.ShadowedBy != "" {
		a.note("hidden by the note of %s", d.ShadowedBy)
	}
	if len(d.Redacted) > 0 {
		a.note("holds a secret, which is not shown: %s", strings.Join(d.Redacted, ", "))
	}
	if d.Problem != "" {
		a.note("%s", d.Problem)
	}
	return show(w, "%s", endLine(cleanLines(d.Content)))
}

// endLine ends a text with one line break, if there is a text.
func endLine(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// showDailyLogs lists the logs of days.
func (a *app) showDailyLogs(w io.Writer, list []ops.DailyLog) error {
	if len(list) == 0 {
		a.note("no daily logs")
		return nil
	}
	t := table{header: []string{"DAY", "BYTES", "SCOPE", "PATH"}, elastic: 3}
	for _, l := range list {
		t.add(l.Day, strconv.FormatInt(l.Bytes, 10), l.Scope, clean(l.Path))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showDailyText writes the logs of a day, each after a note of whose it is.
func (a *app) showDailyText(w io.Writer, list []ops.DailyLog) error {
	for _, l := range list {
		a.note("%s of %s", l.Path, l.Scope)
		if err := show(w, "%s", endLine(cleanLines(l.Content))); err != nil {
			return err
		}
	}
	return nil
}

// showDailyChange lists the logs that were moved or removed.
func (a *app) showDailyChange(w io.Writer, c ops.DailyChange) error {
	for _, f := range c.Skipped {
		a.note("%s of %s was left: %s", f.Path, f.Scope, f.Reason)
	}
	if len(c.Logs) == 0 {
		a.note("there is no such log")
		return nil
	}
	t := table{elastic: 3}
	for _, l := range c.Logs {
		t.add(would(c.DryRun, c.Change), l.Day, l.Scope, clean(l.Path))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showHeartbeat lists rules.
func (a *app) showHeartbeat(w io.Writer, rules []ops.HeartbeatRule) error {
	if len(rules) == 0 {
		a.note("no rules; HEARTBEAT.md holds them, such as \"- every 30m: look at the build\"")
		return nil
	}
	t := table{header: []string{"WHEN", "WHAT", "SCOPE", "WHERE"}, elastic: 1}
	for _, r := range rules {
		var times []string
		if r.Every != "" {
			times = append(times, "every "+r.Every)
		}
		if r.At != "" {
			times = append(times, "at "+r.At)
		}
		if times == nil {
			times = []string{"always"}
		}
		t.add(clean(strings.Join(times, " ")), clean(r.Text), r.Scope, clean(r.Path)+":"+strconv.Itoa(r.Line))
	}
	return t.write(w, width(w), a.styleFor(w))
}
