package output

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/ops"
)

// ingested writes what became of a transcript: its facts, the conversations, and what
// was left out.
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

// ingestedAll sums up what became of several.
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
