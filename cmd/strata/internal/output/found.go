package output

import (
	"fmt"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/ops"
)

// pipedPassage is how wide the best passage of a section is where the output is
// no terminal, in columns.
const pipedPassage = 240

// found writes "0.91  My cat's name is Whiskerino  tier 2 · evidence 0.84 · words .48 ·
// fact · global · 2026-03-01" for a fact or turn. A section or a long turn has two
// lines: where it is, and its best passage. On a terminal the words that matched are bold.
func (p *Page) found(f ops.Found) {
	p.notes(f.Notes)
	t := table.Table{Elastic: 1, Faint: map[int]bool{2: true}, Below: make(map[int]string), Marks: make(map[int]table.Marker)}
	columns := pipedPassage
	if n := terminal.Width(p.w); n > 0 {
		columns = max(table.LeastElastic, n-len(Score(0))-len(table.Gap))
	}
	for i, h := range f.Hits {
		for _, n := range h.Notes {
			p.note("%s: %s", h.ID, n)
		}
		m := table.NewMarker(h.Why.Terms)
		t.Marks[i] = m
		if h.Section != nil || h.Match != nil {
			t.Below[i] = m.Passage(bestPassage(h), columns)
		}
		t.Add(Score(h.Score), title(h), Join(fmt.Sprintf("tier %d", h.Tier), "evidence "+Score(h.Evidence), whyOf(h),
			string(h.Kind), h.Scope, h.At.UTC().Format(time.DateOnly), age(time.Since(h.At))))
	}
	p.list(t, "nothing found")
	if f.Next > 0 {
		p.note("there is more: add --offset %d", f.Next)
	}
	if f.Cursor != "" {
		p.note("there is more: add --cursor %s", f.Cursor)
	}
}

// thought writes an answer, and below one that a model wrote the memories that it cites.
func (p *Page) thought(t ops.Thought) {
	for line := range strings.Lines(t.Answer) {
		p.Printf("%s\n", terminal.Clean(strings.TrimSuffix(line, "\n")))
	}
	if t.Model != "" {
		for _, c := range t.Citations {
			p.Printf("%s\n", p.Faint(terminal.Clean(fmt.Sprintf("[%d] %s", c.N, Join(c.Address, c.Scope, c.At.UTC().Format(time.DateOnly))))))
		}
	}
	p.notes(t.Notes)
}

// age says how old a memory is that may be out of date for its age: more than 90 days.
func age(since time.Duration) string {
	if days := int(since.Hours() / 24); days > 90 {
		return Thousands(days) + " days old"
	}
	return ""
}

// title is what a hit is shown by: its text, who said a long turn, or the place of the
// section, as "notes/project_deploys.md:12  Deploys › Rollback".
func title(h ops.Hit) string {
	switch {
	case h.Section != nil:
		out := fmt.Sprintf("%s:%d", terminal.Clean(h.Section.Path), h.Section.Line)
		if trail := headings(h); trail != "" {
			out += table.Gap + trail
		}
		return out
	case h.Kind == strata.KindTurn:
		who := h.Speaker
		if who == "" {
			who = string(h.Role)
		}
		out := fmt.Sprintf("[%s %s#%d]", who, h.Session, h.Seq)
		if h.Match == nil {
			out += " " + h.Text
		}
		return terminal.Clean(out)
	case h.Match != nil:
		return terminal.Clean(text.Head(h.Text, pipedPassage))
	}
	return terminal.Clean(h.Text)
}

// bestPassage is the passage of a long hit that matches best, or all of a short one.
func bestPassage(h ops.Hit) string {
	if h.Match == nil {
		return h.Text
	}
	return h.Text[h.Match.Start-h.Offset : h.Match.End-h.Offset]
}

// headings are those above a section, or the name of its note.
func headings(h ops.Hit) string {
	var parts []string
	for _, p := range h.Section.Headings {
		parts = append(parts, terminal.Clean(p))
	}
	if len(parts) == 0 && h.Section.Name != "" {
		return terminal.Clean(h.Section.Name)
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

// trace shows one question with its hits.
func (p *Page) trace(tr ops.Trace) {
	var r table.Record
	r.Add("trace", tr.ID)
	r.Add("query", tr.Query)
	r.Add("scope", tr.Scope)
	r.Add("session", tr.Session)
	r.Add("asked", When(tr.At))
	r.Add("took", time.Duration(tr.Took).Round(10*time.Microsecond).String())
	p.Record(r)
	if len(tr.Hits) == 0 {
		return
	}
	t := table.Table{Header: []string{"SCORE", "ID", "WHY"}, Elastic: 2}
	for _, h := range tr.Hits {
		t.Add(Score(h.Score), h.ID, Join(fmt.Sprintf("tier %d", h.Tier), strata.Why(h.Why).String()))
	}
	p.Table(t)
}

// expanded shows turns word for word, each below a line that names it.
func (p *Page) expanded(e ops.Expanded) {
	if len(e.Turns) == 0 {
		p.note("no turns")
		return
	}
	for i, t := range e.Turns {
		if i > 0 {
			p.Printf("\n")
		}
		head := Join(fmt.Sprintf("#%d", t.Seq), string(t.Role), t.Speaker, t.Tool, When(t.At))
		if t.Length > 0 {
			head += fmt.Sprintf(" · bytes %d to %d of %d", t.Offset, t.Offset+len(t.Text), t.Length)
		}
		if t.Score > 0 {
			head += " · score " + Score(t.Score)
		}
		text := terminal.CleanLines(t.Text)
		if t.Forgotten {
			text = "(forgotten)"
		}
		p.Printf("%s\n%s\n", p.Strong(head), text)
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
