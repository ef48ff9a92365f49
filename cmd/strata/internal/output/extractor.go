package output

import (
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// extractorStatus counts the sessions whose extraction is pending.
func (p *Page) extractorStatus(s upkeep.ExtractorStatus) {
	t := table.Table{Header: []string{"EXTRACTOR", "WAITING", "READING", "RETRYING", "GIVEN UP", "TURNS"}}
	for _, c := range s.Extractors {
		cells := []string{string(c.Extractor)}
		for _, n := range []int64{c.Waiting, c.Reading, c.Retrying, c.GivenUp, c.Turns} {
			cells = append(cells, strconv.FormatInt(n, 10))
		}
		t.Add(cells...)
	}
	p.Table(t)
	for _, c := range s.Extractors {
		if c.Error != "" {
			p.note("last error of %s: %s", c.Extractor, terminal.Clean(c.Error))
		}
	}
	for _, w := range s.GivenUp {
		p.note("session %s was given up: %s; strata extractor retry %s has it read again", terminal.Clean(w.Session), terminal.Clean(w.Error), terminal.Clean(w.Session))
	}
	if !s.Model {
		p.note("no model is configured: rules alone read")
	}
}

// waiting lists sessions whose extraction is pending, each with the facts it would yield.
func (p *Page) waiting(list []upkeep.Waiting) {
	for _, w := range list {
		next := ""
		if w.RetryAt != nil {
			next = "again at " + w.RetryAt.Local().Format(time.TimeOnly)
		}
		p.fields("session "+terminal.Clean(w.Session), terminal.Clean(w.Scope), string(w.Extractor), p.Strong(w.State), Count(w.Turns, "turn"), next, p.reason(w.Error))
		for _, f := range w.Facts {
			p.fields("  would be kept", terminal.Clean(f.Text), string(f.Type), p.reason(f.Reason))
		}
		p.leftOut(w.Left)
	}
}

// leftOut lists statements that yield no fact, and why.
func (p *Page) leftOut(list []upkeep.NotExtracted) {
	for _, l := range list {
		p.fields("  left out", terminal.Clean(l.Text), p.reason(l.Reason))
	}
}

// extracted reports the outcome of an extraction from sessions.
func (p *Page) extracted(e upkeep.Extracted) {
	changed := 0
	for _, f := range e.Facts {
		text := f.Text
		if f.Decision == strata.OpReject {
			text = "a statement"
		}
		if f.Decision.Changed() {
			changed++
		}
		p.fields(p.done(e.DryRun, Done(f.Decision)), terminal.Clean(text), string(f.Type), p.reason(f.Reason), p.by(f.DecisionID))
	}
	p.leftOut(e.Left)
	p.waiting(e.Rest)
	if e.DryRun {
		p.Printf("would change  %s; %s known already, %s left out\n", Count(changed, "fact"), Count(e.Known, "statement"), Count(len(e.Left), "clause"))
		return
	}
	p.Printf("changed  %s\n", Count(changed, "fact"))
}

// revived says what became of sessions that had been given up.
func (p *Page) revived(r upkeep.Revived) {
	for _, w := range r.Sessions {
		p.fields(p.Strong(would(r.DryRun, r.Change)), "session "+terminal.Clean(w.Session), terminal.Clean(w.Scope), string(w.Extractor), p.reason(w.Error))
	}
	if len(r.Sessions) == 0 {
		p.Printf("no session was given up\n")
	}
}

// ingested reports on a transcript: its facts, the conversations, and what was left out.
func (p *Page) ingested(in ops.Ingested) {
	if in.File != "" {
		p.Printf("%s\n", p.Strong(terminal.Clean(in.File)))
	}
	for _, f := range in.Facts {
		text := f.Text
		if f.Decision == strata.OpReject {
			text = "a statement"
		}
		p.fields(p.done(in.DryRun, Done(f.Decision)), terminal.Clean(text), string(f.Type), p.reason(f.Reason), p.by(f.DecisionID))
		if f.Replaced != "" {
			p.Printf("  in place of  %s\n", terminal.Clean(f.Replaced))
		}
	}
	if more := in.Decided - int64(len(in.Facts)); more > 0 {
		p.Printf("and %s more; strata decisions lists them\n", Count(more, "decision"))
	}
	const listed = 10
	for i, s := range in.Sessions {
		if i == listed {
			p.Printf("and %s more\n", Count(len(in.Sessions)-listed, "session"))
			break
		}
		p.fields("session "+terminal.Clean(s.ID), terminal.Clean(s.Scope), Count(s.Added, "new turn")+", "+Count(s.Known, "known one"))
	}
	for _, left := range in.Left {
		p.Printf("left out  %s: %d\n", left.Reason, left.Count)
	}
	p.Printf("%s  %s of %s\n", p.Strong(would(in.DryRun, "taken in")), Count(in.Added, "turn"), Count(in.Messages, "message"))
	p.notes(in.Notes)
}

// ingestedAll summarizes several transcripts.
func (p *Page) ingestedAll(in ops.IngestedAll) {
	var added, known, decided int64
	dryRun := false
	for _, f := range in.Files {
		added, known, decided = added+f.Added, known+f.Known, decided+f.Decided
		dryRun = dryRun || f.DryRun
	}
	p.Printf("%s  %s of %s, %s; %s known already\n", p.Strong(would(dryRun, "taken in")), Count(added, "turn"), Count(len(in.Files), "transcript"),
		Count(decided, "decision"), Count(known, "turn"))
}
