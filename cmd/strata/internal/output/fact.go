package output

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// saved writes "added  fact_01J…  user · pets · global  (nothing like it known)  dec_4W6Y0AB".
func (p *Page) saved(s ops.Saved) {
	p.notes(s.Notes)
	p.fields(p.done(s.DryRun, Done(s.Decision)), id.Short(s.ID), Join(string(s.Type), s.Category, p.Scope(s.Scope)), p.reason(replayed(s.Replayed, s.Reason)), p.by(s.DecisionID))
}

// by formats the id of a decision, with which it can be shown and undone.
func (p *Page) by(decision string) string { return p.Faint(id.Short(decision)) }

// replayed adds to a reason that an earlier call made the decision.
func replayed(was bool, reason string) string {
	if was {
		return "replayed, this call did nothing: " + reason
	}
	return reason
}

// reason returns a reason in brackets; empty if there is none.
func (p *Page) reason(reason string) string {
	if reason == "" {
		return ""
	}
	return p.Faint("(" + terminal.Clean(reason) + ")")
}

// Facts lists facts.
func (p *Page) Facts(facts []ops.Fact) {
	t := table.Table{Header: []string{"ID", "TYPE", "CATEGORY", "SCOPE", "RECORDED", "TEXT"}, Elastic: 5, TextFirst: true, Kinds: map[int]bool{1: true}}
	for _, f := range facts {
		text := terminal.Clean(f.Text)
		if !f.Current {
			text = "(retired) " + text
		}
		t.Add(id.Short(f.ID), string(f.Type), terminal.Clean(f.Category), p.Scope(f.Scope), p.when(f.RecordedAt), text)
	}
	p.list(t, "no facts")
}

// versions shows the newest version of a fact, then earlier ones.
func (p *Page) versions(f ops.FactVersions) {
	if len(f.Versions) == 0 {
		return
	}
	last := f.Versions[len(f.Versions)-1]
	var r table.Record
	r.Add("fact", last.ID)
	r.Add("text", last.Text)
	if !last.Current {
		r.Add("retired", p.exactlySet(last.RetiredAt))
	}
	r.Add("type", string(last.Type))
	r.Add("category", last.Category)
	r.Add("scope", last.Scope)
	if last.Entity != "" {
		r.Add("slot", last.Entity+" / "+last.Attribute)
	}
	r.Add("tags", strings.Join(last.Tags, ", "))
	r.Add("sources", strings.Join(last.Sources, ", "))
	r.Add("origin", string(last.Origin))
	r.Add("valid from", p.exactlySet(last.ValidFrom))
	r.Add("valid to", p.exactlySet(last.ValidTo))
	r.Add("recorded", p.exactly(last.RecordedAt))
	r.Add("supersedes", last.Supersedes)
	r.Add("superseded by", last.SupersededBy)
	r.Add("standing", last.Standing)
	r.Add("accesses", strconv.Itoa(last.Accesses))
	for i := len(f.Versions) - 2; i >= 0; i-- {
		v := f.Versions[i]
		r.Add(fmt.Sprintf("version %d", v.Generation), fmt.Sprintf("%s  (until %s)", v.Text, p.whenSet(v.RetiredAt)))
	}
	p.Record(r)
}

func (p *Page) categories(categories []upkeep.Category) {
	t := table.Table{Header: []string{"FACTS", "CATEGORY", "PINNED", "SCOPE"}, Elastic: 1}
	for _, c := range categories {
		pinned := ""
		if c.Pinned {
			pinned = "pinned"
		}
		t.Add(strconv.FormatInt(c.Facts, 10), terminal.Clean(c.Name), pinned, c.Scope)
	}
	p.list(t, "no categories")
}

// categoryChange writes "renamed  our animals  12 facts  global".
func (p *Page) categoryChange(c upkeep.CategoryChange) {
	p.fields(p.Strong(c.Change), terminal.Clean(c.Name), Count(c.Facts, "fact"), c.Scope)
}
