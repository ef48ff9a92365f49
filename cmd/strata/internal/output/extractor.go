package output

import (
	"strconv"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/ops/upkeep"
)

// extractorStatus counts what waits for its facts.
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

// waiting lists sessions that wait for their facts, each with what would be kept of it.
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

// leftOut lists what nothing is remembered of, and why.
func (p *Page) leftOut(list []upkeep.NotExtracted) {
	for _, l := range list {
		p.fields("  left out", terminal.Clean(l.Text), p.reason(l.Reason))
	}
}

// extracted says what became of sessions that were read for their facts.
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

// revived says what became of sessions that were given up.
func (p *Page) revived(r upkeep.Revived) {
	for _, w := range r.Sessions {
		p.fields(p.Strong(would(r.DryRun, r.Change)), "session "+terminal.Clean(w.Session), terminal.Clean(w.Scope), string(w.Extractor), p.reason(w.Error))
	}
	if len(r.Sessions) == 0 {
		p.Printf("no session was given up\n")
	}
}
