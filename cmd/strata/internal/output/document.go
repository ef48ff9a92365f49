package output

import (
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/memorytool"
)

// noted writes "added  notes/project_deploys.md  project · How we deploy  (a new note)  dec_4W6Y0AB".
func (p *Page) noted(n ops.Noted) {
	p.notes(n.Notes)
	p.fields(p.done(n.DryRun, Done(n.Decision)), terminal.Clean(n.Path), Join(p.Scope(n.Scope), n.Name), p.reason(replayed(n.Replayed, n.Reason)), p.by(n.DecisionID))
}

// merged writes word by word what a proposal changes in a note. A new note has nothing to
// compare with.
func (p *Page) merged(m ops.Moved) {
	if m.Before != "" && m.Before != m.After {
		p.Printf("\n%s", ended(changed(m.Before, m.After, p.st, around)))
	}
}

// Documents lists notes and other files.
func (p *Page) Documents(list []ops.Document) {
	t := table.Table{Header: []string{"PATH", "SCOPE", "MODIFIED", "TITLE", "WHEN IT MATTERS"}, Elastic: 4}
	if p.width > 0 {
		t.Header, t.Elastic, t.TextFirst, t.Below = t.Header[:4], 3, true, make(map[int]string)
	}
	for _, d := range list {
		text := terminal.Clean(d.Description)
		switch {
		case d.ShadowedBy != "":
			text = "(hidden by that of " + d.ShadowedBy + ") " + text
		case d.SameAs != "":
			text = "(says the same as " + terminal.Clean(d.SameAs) + ") " + text
		case d.Foreign:
			text = "(" + notTrusted + ") " + text
		case d.Problem != "":
			text = "(" + terminal.Clean(d.Problem) + ") " + text
		}
		cells := []string{terminal.Clean(d.Path), p.Scope(d.Scope), p.when(d.ModifiedAt), terminal.Cut(terminal.Clean(d.Name), 60), text}
		if p.width > 0 {
			cells[3] = terminal.Clean(cmp.Or(d.Name, d.Path))
			if text != cells[3] {
				t.Below[len(t.Rows)] = text
			}
		}
		t.Add(cells[:len(t.Header)]...)
	}
	p.list(t, "no notes; strata remember makes one")
}

// document writes the text of a file. Everything else about it is in notes, so that the
// text can be piped.
func (p *Page) document(d ops.Document) {
	p.note("%s of %s, version %d, %s", d.Path, d.Scope, d.Generation, p.when(d.ModifiedAt))
	if d.ShadowedBy != "" {
		p.note("hidden by the note of %s", d.ShadowedBy)
	}
	if len(d.Redacted) > 0 {
		p.note("holds a secret, which is not shown: %s", strings.Join(d.Redacted, ", "))
	}
	if d.Foreign {
		p.note("%s", foreignNote)
	}
	if d.Problem != "" {
		p.note("%s", d.Problem)
	}
	p.whole(d.Content)
}

// whole writes a text word for word, ending with one line break unless it is empty. On a
// screen it wraps the lines between words.
func (p *Page) whole(text string) {
	text = terminal.CleanLines(text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if p.width == 0 && p.err == nil {
		_, p.err = io.WriteString(p.w, text) // a program may read the output
		return
	}
	p.write(text, 0)
}

// answer writes an answer of the memory tool as a model gets it, including tabs.
func (p *Page) answer(a memorytool.Answer) {
	parts := strings.Split(a.String(), "\t")
	for i := range parts {
		parts[i] = terminal.CleanLines(parts[i])
	}
	p.Printf("%s\n", strings.Join(parts, "\t"))
}

func (p *Page) dailyLogs(list []ops.DailyLog) {
	t := table.Table{Header: []string{"DAY", "BYTES", "SCOPE", "PATH"}, Elastic: 3}
	for _, l := range list {
		t.Add(l.Day, strconv.FormatInt(l.Bytes, 10), p.Scope(l.Scope), terminal.Clean(l.Path))
	}
	p.list(t, "no daily logs")
}

// dailyText writes the logs of a day, each after a note that says who owns it.
func (p *Page) dailyText(list []ops.DailyLog) {
	for _, l := range list {
		p.note("%s of %s", l.Path, l.Scope)
		p.whole(l.Content)
	}
}

// dailyChange lists the logs that were moved or removed.
func (p *Page) dailyChange(c ops.DailyChange) {
	for _, f := range c.Skipped {
		p.note("%s of %s was left: %s", f.Path, f.Scope, f.Reason)
	}
	t := table.Table{Elastic: 3}
	for _, l := range c.Logs {
		t.Add(would(c.DryRun, c.Change), l.Day, l.Scope, terminal.Clean(l.Path))
	}
	p.list(t, "there is no such log")
	for _, d := range c.Decisions {
		p.fields("  by", p.by(d))
	}
}

func (p *Page) heartbeat(rules []ops.HeartbeatRule) {
	t := table.Table{Header: []string{"WHEN", "WHAT", "SCOPE", "WHERE"}, Elastic: 1}
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
		t.Add(terminal.Clean(strings.Join(times, " ")), terminal.Clean(r.Text), p.Scope(r.Scope), terminal.Clean(r.Path)+":"+strconv.Itoa(r.Line))
	}
	p.list(t, `no rules; HEARTBEAT.md holds them, such as "- every 30m: look at the build"`)
}

func (p *Page) skills(list []ops.Skill) {
	t := table.Table{Header: []string{"SKILL", "STATUS", "LEARNT", "OPENED", "SCOPE", "WHEN IT IS OF USE"}, Elastic: 5, Kinds: map[int]bool{1: true}}
	for _, s := range list {
		text, learnt, opened := terminal.Clean(s.Description), "", "never"
		if s.OpenedAt != nil {
			opened = p.when(*s.OpenedAt)
		}
		switch {
		case s.ShadowedBy != "":
			text = "(hidden by that of " + s.ShadowedBy + ") " + text
		case s.Problem != "":
			text = "(" + terminal.Clean(s.Problem) + ") " + text
		}
		if s.Learnt > 0 {
			learnt = strconv.Itoa(s.Learnt) + "×"
		}
		status := string(s.Status)
		if s.Foreign {
			status = notTrusted
		}
		t.Add(s.Name, status, learnt, opened, p.Scope(s.Scope), text)
	}
	p.list(t, "no skills; a tool that fails and then works proposes one, and strata skill promote makes one of a note")
}

// skill writes the text of a skill. Everything else about it is in notes, so that the
// text can be piped.
func (p *Page) skill(s ops.SkillText) {
	p.note("%s of %s, %s", s.Path, s.Scope, s.Status)
	if s.Foreign {
		p.note("%s", foreignNote)
	}
	if s.Learnt > 0 {
		p.note("learnt in %s", Count(s.Learnt, "session"))
	}
	if s.Problem != "" {
		p.note("%s", s.Problem)
	}
	p.whole(s.Content)
}
