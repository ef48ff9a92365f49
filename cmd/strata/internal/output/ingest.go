package output

import (
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/ops"
)

// ingested writes what became of a transcript.
func (p *Page) ingested(in ops.Ingested) {
	for _, f := range in.Facts {
		p.saved(f)
	}
	p.Printf("%s  %s of %s, session %s\n", p.Strong(would(in.DryRun, "took in")), Count(in.Added, "new turn"), Count(in.Turns, "message"),
		terminal.Clean(in.Session))
}
