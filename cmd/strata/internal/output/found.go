package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

const (
	// pipedPassage is the width of the best passage of a long text without a screen, in
	// columns.
	pipedPassage = 240
	// passageLines bounds the lines that a passage takes on a screen.
	passageLines = 5
)

// found writes hits: the text, and below it its kind, scope, date and id: "My cat's name
// is Whiskerino", "fact · global · yesterday · fact_4W6Y0AB". Of a long text it shows the
// passage that matches best. On a terminal the words that matched are bold. It explains
// each hit if that was asked for. Agents read this as well as people, so texts are made
// harmless as everywhere.
func (p *Page) found(f ops.Found) {
	p.notes(f.Notes)
	t := table.Table{TextFirst: true, Kinds: map[int]bool{1: true}, Faint: make(map[int]bool), Apart: map[int]bool{6: true}, Marks: make(map[int]table.Marker)}
	for c := 2; c <= 6; c++ {
		t.Faint[c] = true
	}
	columns := pipedPassage
	if p.width > 0 {
		columns = passageLines * p.width
	}
	for i, h := range f.Hits {
		for _, n := range h.Notes {
			p.note("%s: %s", id.Short(h.ID), n)
		}
		t.Marks[i] = table.NewMarker(h.Why.Terms)
		text := fence.Line(h.Text)
		if h.Section != nil || h.Match != nil {
			text = t.Marks[i].Passage(fence.Line(bestPassage(h)), columns)
		}
		why := ""
		if p.printer.Why {
			why = Join("score "+Score(h.Score), fmt.Sprintf("tier %d", h.Tier), "evidence "+Score(h.Evidence), whyOf(h))
		}
		t.Add(text, string(h.Kind), place(h), p.Scope(h.Scope), p.old(h.At), factID(h), why)
	}
	p.list(t, "nothing found")
	if f.Next > 0 {
		p.note("there is more: add --offset %d", f.Next)
	}
	if f.Cursor != "" {
		p.note("there is more: add --cursor %s", f.Cursor)
	}
}

// old says when a hit was recorded and, in a pipe, that it may be out of date.
func (p *Page) old(at time.Time) string {
	if p.width > 0 {
		return p.when(at)
	}
	return Join(p.day(at), age(p.now.Sub(at)))
}

// factID returns the id of a fact; empty for other hits, which are found by their place.
func factID(h ops.Hit) string {
	if h.Kind != strata.KindFact {
		return ""
	}
	return id.Short(h.ID)
}

// thought writes an answer, followed by the memories that it cites if a model wrote it.
func (p *Page) thought(t ops.Thought) {
	for line := range strings.Lines(t.Answer) {
		p.Printf("%s\n", terminal.Clean(strings.TrimSuffix(line, "\n")))
	}
	if t.Model != "" {
		for _, c := range t.Citations {
			p.Printf("%s\n", p.Faint(terminal.Clean(fmt.Sprintf("[%d] %s", c.N, Join(c.Address, p.Scope(c.Scope), p.day(c.At))))))
		}
	}
	p.notes(t.Notes)
}

// age says how old a memory is if it is more than 90 days, and so may be out of date.
func age(since time.Duration) string {
	if days := int(since.Hours() / 24); days > 90 {
		return Thousands(days) + " days old"
	}
	return ""
}

// place says where a hit that is not a fact comes from: a section by its file, line and
// headings, as "notes/project_deploys.md:12 Deploys › Rollback", a turn by its speaker
// and session. It omits the name of a note if that is all the note says.
func place(h ops.Hit) string {
	switch {
	case h.Section != nil:
		return strings.TrimSpace(fmt.Sprintf("%s:%d %s", terminal.Clean(h.Section.Path), h.Section.Line, headings(h)))
	case h.Kind == strata.KindTurn:
		who := h.Speaker
		if who == "" {
			who = string(h.Role)
		}
		return terminal.Clean(fmt.Sprintf("%s %s#%d", who, h.Session, h.Seq))
	}
	return ""
}

// bestPassage returns the passage of a long hit that matches best, or all of a short one.
func bestPassage(h ops.Hit) string {
	if h.Match == nil {
		return h.Text
	}
	return h.Text[h.Match.Start-h.Offset : h.Match.End-h.Offset]
}

// headings returns the headings above a section, or the name of its note.
func headings(h ops.Hit) string {
	var parts []string
	for _, p := range h.Section.Headings {
		parts = append(parts, terminal.Clean(p))
	}
	if name := h.Section.Name; len(parts) == 0 && name != strings.TrimSpace(h.Text) {
		return terminal.Clean(name)
	}
	return strings.Join(parts, " › ")
}

// whyOf lists the parts of a hit's score. The parent of a fact is its category,
// that of a turn its session, that of a section its file.
func whyOf(h ops.Hit) string {
	parent := "category"
	switch h.Kind {
	case strata.KindTurn:
		parent = "session"
	case strata.KindSection:
		parent = "file"
	}
	return strings.ReplaceAll(strata.Why(h.Why).String(), "parent ", parent+" ")
}

// trace shows a query with its hits.
func (p *Page) trace(tr ops.Trace) {
	var r table.Record
	r.Add("trace", tr.ID)
	r.Add("query", tr.Query)
	r.Add("scope", tr.Scope)
	r.Add("session", tr.Session)
	r.Add("asked", p.exactly(tr.At))
	r.Add("took", time.Duration(tr.Took).Round(10*time.Microsecond).String())
	p.Record(r)
	if len(tr.Hits) == 0 {
		return
	}
	t := table.Table{Header: []string{"SCORE", "ID", "WHY"}, Elastic: 2}
	for _, h := range tr.Hits {
		t.Add(Score(h.Score), id.Short(h.ID), Join(fmt.Sprintf("tier %d", h.Tier), strata.Why(h.Why).String()))
	}
	p.Table(t)
}

// expanded shows turns word for word, each below a header.
func (p *Page) expanded(e ops.Expanded) {
	if len(e.Turns) == 0 {
		p.note("no turns")
		return
	}
	for i, t := range e.Turns {
		if i > 0 {
			p.Printf("\n")
		}
		head := Join(fmt.Sprintf("#%d", t.Seq), string(t.Role), t.Speaker, t.Tool, p.when(t.At))
		if t.Length > 0 {
			head += fmt.Sprintf(" · bytes %d to %d of %d", t.Offset, t.Offset+len(t.Text), t.Length)
		}
		if t.Score > 0 {
			head += " · score " + Score(t.Score)
		}
		text := t.Text
		if t.Forgotten {
			text = "(forgotten)"
		}
		p.Printf("%s\n", p.Strong(head))
		p.whole(text + "\n")
		for _, n := range t.Notes {
			p.note("#%d: %s", t.Seq, n)
		}
		if t.Rest != "" && t.Rest != e.Next {
			p.note("#%d goes on: --after %s without --query", t.Seq, t.Rest)
		}
	}
	if e.Next != "" {
		p.note("there is more: add --after %s", e.Next)
	}
}
