package output

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// dreamt reports the outcome of a request to dream.
func (p *Page) dreamt(d upkeep.Dreamt) {
	if len(d.Dreams) == 0 {
		p.note("nothing is remembered here yet")
	}
	for _, run := range d.Dreams {
		switch {
		case run.Dream == nil:
			p.fields(p.Strong("awake"), run.Scope, run.Gate, p.Faint("("+run.Reason+"; "+run.Hint+")"))
		case run.Repeated:
			p.fields(p.Strong("unchanged"), run.Scope, id.Short(run.Dream.ID), p.Faint("(it dreamt this minute)"))
		default:
			p.fields(p.Strong("dreamt"), run.Scope, id.Short(run.Dream.ID), dreamCounts(*run.Dream))
			p.dreamItems(run.Dream.Items)
		}
		if run.Waiting != "" {
			p.note("the files of %s do not follow yet: %s", run.Scope, terminal.Clean(run.Waiting))
		}
	}
}

// dreamCounts says in a few words what a dream did.
func dreamCounts(d upkeep.Dream) string {
	if d.Failure != "" {
		return "failed: " + terminal.Clean(d.Failure)
	}
	out := fmt.Sprintf("%d promoted, %d archived, %d left", d.Promoted, d.Archived, d.Left)
	for _, c := range []struct {
		n    int
		what string
	}{{d.Merged, "merged"}, {d.Settled, "settled"}, {d.Asked, "asked"}, {d.Tagged, "tagged"}} {
		if c.n > 0 {
			out += fmt.Sprintf(", %d %s", c.n, c.what)
		}
	}
	return out
}

// dreamItems says what a dream did with memories.
func (p *Page) dreamItems(items []upkeep.DreamItem) {
	t := table.Table{Header: []string{"OUTCOME", "SCORE", "RECALLS", "WHY", "MEMORY"}, Elastic: 4}
	for _, it := range items {
		text := it.Text
		if text == "" {
			text = it.Memory
		}
		score, recalls := Score(it.Score), strconv.Itoa(it.Recalls)
		if it.With != "" {
			score, recalls = "", ""
			it.Reason = besides[strata.DreamOutcome(it.Outcome)] + cmp.Or(it.WithText, it.With)
		}
		t.Add(it.Outcome, score, recalls, terminal.Clean(it.Reason), terminal.Clean(text))
	}
	if len(t.Rows) > 0 {
		p.Table(t)
	}
}

// besides says how the other fact of an item relates to the first.
var besides = map[strata.DreamOutcome]string{
	strata.DreamMerged: "into: ", strata.DreamSettled: "said later: ", strata.DreamQuestioned: "or: ",
}

// dreams lists dreams.
func (p *Page) dreams(list []upkeep.Dream) {
	t := table.Table{Header: []string{"DREAM", "AT", "BEGUN", "PROMOTED", "ARCHIVED", "LEFT", "MERGED", "SETTLED", "ASKED", "SCOPE"}}
	for _, d := range list {
		trigger := d.Trigger
		if d.Failure != "" {
			trigger += ", failed"
		}
		t.Add(id.Short(d.ID), p.when(d.StartedAt), trigger, strconv.Itoa(d.Promoted), strconv.Itoa(d.Archived), strconv.Itoa(d.Left),
			strconv.Itoa(d.Merged), strconv.Itoa(d.Settled), strconv.Itoa(d.Asked), d.Scope)
	}
	p.list(t, "no dreams yet")
}

// dream shows one dream.
func (p *Page) dream(d upkeep.Dream) {
	p.fields(p.Strong(id.Short(d.ID)), d.Scope, p.when(d.StartedAt), d.Trigger, dreamCounts(d))
	p.dreamItems(d.Items)
	if !d.Followed {
		p.note("its files do not follow yet")
	}
}

// dreamStatus says how far scopes are from their next dream.
func (p *Page) dreamStatus(list []upkeep.DreamState) {
	t := table.Table{Header: []string{"SCOPE", "LAST", "PROMOTIONS", "NEXT"}}
	for _, s := range list {
		last, next := "never", "when it is looked next"
		if s.Last != nil {
			last = p.when(s.Last.StartedAt)
			if s.Last.Failure != "" {
				last += ", failed"
			}
		}
		switch {
		case s.Dreaming:
			next = "under way"
		case s.Gate != "":
			next = s.Gate + ": " + s.Reason
		}
		t.Add(s.Scope, last, strconv.Itoa(s.Promotions), terminal.Clean(next))
	}
	p.list(t, "no scopes")
}

// use reports how scopes are used.
func (p *Page) use(s upkeep.Stats) {
	if !slices.ContainsFunc(s.Scopes, func(row upkeep.ScopeStats) bool { return row.Asked+len(row.Tags) > 0 || row.LastDream != nil }) {
		return
	}
	p.Printf("\n")
	t := table.Table{Header: []string{"SCOPE", fmt.Sprintf("ASKED IN %d DAYS", s.Days), "PROMOTED", "LAST DREAM", "ABOUT"}}
	for _, row := range s.Scopes {
		var tags []string
		for _, c := range row.Tags[:min(len(row.Tags), 5)] {
			tags = append(tags, c.Tag)
		}
		last := "never"
		if row.LastDream != nil {
			last = p.when(*row.LastDream)
		}
		t.Add(row.Scope, strconv.Itoa(row.Asked), strconv.FormatInt(row.Promotions, 10), last, strings.Join(tags, ", "))
	}
	p.Table(t)
}

// questions lists the open questions, each with its two facts.
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

// answered reports the outcome of an answer.
func (p *Page) answered(a upkeep.Answered) {
	if a.Retired == "" {
		p.fields(p.Strong("kept"), "both", p.Faint("("+id.Short(a.ID)+")"))
		return
	}
	p.fields(p.Strong("kept"), id.Short(a.Kept), "in place of "+id.Short(a.Retired), id.Short(a.Decision))
}
