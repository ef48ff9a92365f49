package output

import (
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/ops/upkeep"
)

// questions lists what memory asks, each with its two facts.
func (p *Page) questions(list []upkeep.Question) {
	for _, q := range list {
		p.fields(p.Strong(id.Short(q.ID)), p.Scope(q.Scope), "which holds?", p.Faint("("+q.Reason+")"))
		for _, f := range q.Facts {
			p.fields("  "+id.Short(f.ID), p.when(f.RecordedAt), terminal.Clean(f.Text))
		}
	}
	if len(list) == 0 {
		p.note("no open questions")
		return
	}
	p.note("answer with: strata questions answer ID --keep FACT, or --keep both")
}

// answered says what became of an answer.
func (p *Page) answered(a upkeep.Answered) {
	if a.Retired == "" {
		p.fields(p.Strong("kept"), "both", p.Faint("("+id.Short(a.ID)+")"))
		return
	}
	p.fields(p.Strong("kept"), id.Short(a.Kept), "in place of "+id.Short(a.Retired), id.Short(a.Decision))
}
