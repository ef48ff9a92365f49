package output

import (
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/fence"
	"github.com/strata-memory/strata/internal/id"
	"github.com/strata-memory/strata/ops"
)

// known lists the facts about a subject, or the categories where none was named.
func (p *Page) known(k ops.Known) {
	if len(k.Facts) == 0 && (k.Subject == "" || k.Category != "") {
		if k.Category != "" && len(k.Categories) > 0 {
			p.note("no such fact is in a category %s; the categories are:", terminal.Clean(k.Category))
		}
		t := table.Table{Header: []string{"FACTS", "CATEGORY", "SCOPE"}, Elastic: 1}
		for _, c := range k.Categories {
			t.Add(strconv.FormatInt(c.Facts, 10), terminal.Clean(c.Name), p.Scope(c.Scope))
		}
		p.list(t, "nothing is known yet")
		return
	}
	t := table.Table{Header: []string{"ID", "TYPE", "CATEGORY", "SCOPE", "RECORDED", "TEXT"}, Elastic: 5, TextFirst: true, Kinds: map[int]bool{1: true}}
	for _, f := range k.Facts {
		for _, n := range f.Notes {
			p.note("%s: %s", id.Short(f.ID), n)
		}
		t.Add(id.Short(f.ID), string(f.Type), terminal.Clean(f.Category), p.Scope(f.Scope), p.when(f.At), fence.Line(f.Text))
	}
	p.list(t, "nothing is known of it; strata recall also looks through notes and conversations")
	if k.Cursor != "" {
		p.note("%d of %s; for more add --cursor %s", len(k.Facts), Count(int64(k.Total), "fact"), k.Cursor)
	}
}

// context writes the text as it goes into a prompt.
func (p *Page) context(c ops.Context) {
	p.whole(strings.TrimRight(c.Text, "\n") + "\n")
}
