package output

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// decisions lists decisions, each about a fact or a file.
func (p *Page) decisions(list []ops.Decision) {
	if p.width > 0 {
		p.decisionTexts(list)
		return
	}
	t := table.Table{Header: []string{"ID", "DECIDED", "DECISION", "ABOUT", "SCOPE", "CHANGE AND REASON"}, Elastic: 5}
	for _, d := range list {
		t.Add(id.Short(d.ID), p.when(d.DecidedAt), doneBy(d), about(d), p.Scope(d.Scope), reasonOf(d))
	}
	p.list(t, "no decisions")
}

// decisionTexts lists the texts that were decided on, and below each the decision.
func (p *Page) decisionTexts(list []ops.Decision) {
	t := table.Table{TextFirst: true, Kinds: map[int]bool{1: true}}
	for _, d := range list {
		text, reason := textOf(d), terminal.Clean(d.Reason)
		if text == "" {
			text, reason = reason, ""
		}
		t.Add(text, doneBy(d), reason, id.Short(d.ID), p.when(d.DecidedAt), about(d), p.Scope(d.Scope))
	}
	p.list(t, "no decisions")
}

// textOf returns the text of a decision on one line: what changed in it, or its
// beginning.
func textOf(d ops.Decision) string {
	if line := oneLine(d); line != "" {
		return line
	}
	before, after := d.Texts()
	return terminal.Cut(terminal.Clean(bodyOf(cmp.Or(after, before))), mostShown)
}

// about names the fact or file that a decision is about.
func about(d ops.Decision) string { return terminal.Clean(id.Short(d.FactID) + d.Path) }

// doneBy says what a decision did: [Done], or that a file was renamed.
func doneBy(d ops.Decision) string {
	if d.Renamed() {
		return "renamed"
	}
	return Done(d.Decision)
}

// undone says what each decision undid.
func (p *Page) undone(u ops.Undone) {
	for _, d := range u.Decisions {
		was := Done(d.Undid)
		if d.Renamed() {
			was = "renamed"
		}
		p.fields(p.done(u.DryRun, "undone"), id.Short(d.Reverts), Join(p.Scope(d.Scope), about(d.Decision)), p.reason("it was "+was))
		if d.Waits {
			p.fields("  then", "what comes of it shows when the newer one is undone")
			continue
		}
		p.lineOf(d.Decision)
		p.fields("  by", would(u.DryRun, doneBy(d.Decision)), id.Short(d.ID))
	}
	for _, decision := range u.Forgotten {
		p.fields("passed over", id.Short(decision), "its text was forgotten")
	}
	if u.Stopped != "" {
		p.fields("stopped", terminal.Clean(u.Stopped))
	}
}

func (p *Page) decision(d ops.Decision) {
	var r table.Record
	r.Add("decision", strings.TrimSpace(would(d.DryRun, doneBy(d))+"  "+d.ID))
	r.Add("reason", d.Reason)
	r.Add("fact", d.FactID)
	r.Add("file", d.Path)
	r.Add("scope", d.Scope)
	r.Add("rules", strings.Join(d.Rules, " > "))
	r.Add("confidence", Score(d.Confidence))
	r.Add("origin", string(d.Origin))
	r.Add("agent", d.Agent)
	r.Add("session", d.Session)
	r.Add("request", d.RequestID)
	if d.Replayed {
		r.Add("replayed", "this call did nothing")
	}
	r.Add("reverts", d.Reverts)
	r.Add("reverted by", d.RevertedBy)
	if !d.DryRun {
		r.Add("decided", p.exactly(d.DecidedAt))
	}
	r.Add("set aside", d.SetAside)
	for _, n := range d.Notes {
		r.Add("note", n)
	}
	p.Record(r)
	p.change(d)
}

// forgotten says what was forgotten and what remains.
func (p *Page) forgotten(f ops.Forgotten) {
	for i, c := range f.Candidates {
		p.fields(fmt.Sprint(i+1), terminal.Clean(id.Short(c.ID)), string(c.Kind), terminal.Clean(c.Text))
	}
	if f.ID == "" {
		return
	}
	p.fields(p.done(f.DryRun, "forgotten"), id.Short(f.ID), p.reason(fmt.Sprintf("%s, %s, %s, %s", Count(f.Versions, "version"),
		Count(f.Decisions, "decision"), Count(len(f.Turns), "turn"), Count(f.Traces, "trace"))), p.by(f.DecisionID))
	if f.Commits > 0 {
		p.fields("rewritten", Count(f.Commits, "commit")+" of the history")
	}
	for i, id := range f.Remaining {
		if i < len(f.Commands) && f.Commands[i] != "" {
			p.fields("remains", terminal.Clean(id), terminal.Clean(f.Commands[i]))
			continue
		}
		p.fields("remains", terminal.Clean(id))
	}
	if f.Incomplete != "" {
		p.note("%s", f.Incomplete)
	}
	p.notes(f.Notes)
}

// checkpoint says for each directory what was recorded.
func (p *Page) checkpoint(c ops.Checkpoint) {
	for _, f := range c.LeftOut {
		p.note("%s was left out: %s", f.Path, f.Reason)
	}
	t := table.Table{Elastic: 3}
	for _, r := range c.Commits {
		if r.OID == "" {
			t.Add("skipped", "", p.Scope(r.Scope), terminal.Clean(r.Reason))
			continue
		}
		t.Add("recorded", r.OID[:7], p.Scope(r.Scope), terminal.Clean(r.Subject)+"  ("+Count(r.Files, "file")+")")
	}
	p.Table(t)
}

// history lists commits, then the changes.
func (p *Page) history(h ops.History) {
	if h.Note != "" {
		p.note("%s", h.Note)
	}
	if len(h.Commits) == 0 {
		p.note("nothing is recorded yet in the history of %s; strata checkpoint does it", h.Scope)
	}
	t := table.Table{Elastic: 3}
	for _, c := range h.Commits {
		t.Add(c.ShortOID, p.when(c.At), terminal.Clean(c.Author), terminal.Clean(c.Subject))
	}
	p.Table(t)
	if h.Diff != "" {
		p.Printf("\n%s", p.diff(h.Diff))
	}
}

// diff colors the lines of a unified diff.
func (p *Page) diff(diff string) string {
	var out strings.Builder
	for line := range strings.Lines(terminal.CleanLines(diff)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+") && !strings.HasPrefix(text, "+++"):
			text = p.st.Green(text)
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "---"):
			text = p.st.Red(text)
		case strings.HasPrefix(text, "@@"):
			text = p.Faint(text)
		}
		out.WriteString(text + "\n")
	}
	return out.String()
}

// synced lists the hand edits of files.
func (p *Page) synced(s ops.Synced) {
	for _, f := range s.Skipped {
		p.note("%s of %s is not taken in: %s", f.Path, f.Scope, f.Reason)
	}
	for _, f := range s.Away {
		p.note("the files of %s are not at hand: %s", f.Scope, f.Reason)
	}
	if len(s.Changes) == 0 {
		p.Printf("unchanged  %s\n", Count(s.Scopes, "scope"))
		return
	}
	t := table.Table{Elastic: 3}
	for _, c := range s.Changes {
		path := terminal.Clean(c.Path)
		if c.Problem != "" {
			path += "  (" + terminal.Clean(c.Problem) + ")"
		}
		done := Done(c.Decision)
		if c.Renamed != "" {
			done, path = "renamed", terminal.Clean(c.Renamed)+" to "+path
		}
		if s.DryRun {
			t.Elastic = 2
			t.Add(would(true, done), p.Scope(c.Scope), path)
			continue
		}
		t.Add(done, id.Short(c.DecisionID), p.Scope(c.Scope), path)
	}
	p.Table(t)
}

// events writes each event as a line of its own width: the list may have no end.
func (p *Page) events(list []upkeep.Event) {
	for _, e := range list {
		p.Printf("%s\n", p.Faint(p.when(e.At))+table.Gap+e.Kind+table.Gap+Join(id.Short(e.Ref), e.Detail, p.Scope(e.Scope)))
	}
	if len(list) == 0 {
		p.note("no events")
	}
}

func (p *Page) traces(list []ops.Trace) {
	t := table.Table{Header: []string{"ID", "AT", "HITS", "QUERY"}, Elastic: 3, TextFirst: true}
	for _, tr := range list {
		t.Add(id.Short(tr.ID), p.when(tr.At), strconv.Itoa(len(tr.Hits)), terminal.Clean(tr.Query))
	}
	p.list(t, "no traces")
}
