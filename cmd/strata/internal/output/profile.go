package output

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/extract"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/profile"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

const (
	profileColumns = 80 // widest line of a page, however wide the screen is
	profileMargin  = 26 // columns of these for dates and sources, on the right
)

// profileTitles are the headings of the groups other than persons and pets.
var profileTitles = map[string]string{
	"you": "You", "home": "Home", "work": "Work", "health": "Health", "tastes": "Tastes and habits", "things": "What you have and use",
	"plans": "Plans and dates", "more": "More",
}

// profile writes a page about the user: a heading for each group, a sentence for each
// fact, and next to it since when it holds and who said it where.
func (p *Page) profile(out profile.Profile) {
	if out.Facts == 0 && len(out.Rules) == 0 && len(out.Groups) == 0 {
		p.note("nothing is known about the user")
		return
	}
	title := "What memory believes about you"
	if out.Name != "" {
		title += ", " + terminal.Clean(out.Name)
	}
	p.Printf("%s\n", p.Strong(title))
	for _, g := range out.Groups {
		heading := profileTitles[g.Kind]
		if g.Subject != "" {
			heading = "Your " + terminal.Clean(g.Subject)
			if g.Name != "" {
				heading += " " + terminal.Clean(g.Name)
			}
		}
		p.Printf("\n%s\n", p.Strong(heading))
		p.profileEntries(g.Entries)
	}
	if len(out.Rules) > 0 {
		p.Printf("\n%s\n", p.Strong("Standing rules"))
		p.profileEntries(out.Rules)
	}
}

func (p *Page) profileEntries(entries []profile.Entry) {
	for _, e := range entries {
		text := extract.SecondPerson(e.Text)
		switch {
		case e.Ended:
			text = "No longer: " + text
		case e.Until != nil:
			text += " (until " + day(*e.Until) + ")"
		}
		if e.Verbatim {
			text += " (in your words)"
		}
		if kind, _, _ := strings.Cut(e.Scope, "/"); kind != "global" {
			text += " [" + kind + "]"
		}
		p.profileLine("  ", text, profileSince(e.Since, e.RecordedAt, e.Sources))
		for _, old := range e.Earlier {
			p.profileLine("    ", "until "+day(*old.Until)+": "+extract.SecondPerson(old.Text), profileSince(old.Since, old.RecordedAt, old.Sources))
		}
	}
}

// profileLine writes a text, wrapped, with the margin next to its first line, or below
// the last on a narrow screen.
func (p *Page) profileLine(indent, text, margin string) {
	text = p.letters(terminal.Clean(text))
	if p.width > 0 && p.width < profileColumns {
		p.write(indent+text+"\n", 0)
		if margin != "" {
			p.write(indent+"  "+p.Faint(margin)+"\n", 0)
		}
		return
	}
	columns := profileColumns - profileMargin - len(indent)
	for i, line := range terminal.Wrap(text, columns) {
		if i > 0 || margin == "" {
			p.Printf("%s%s\n", indent, line)
			continue
		}
		space := max(columns-terminal.Columns(line), 0)
		p.Printf("%s%s%s%s\n", indent, line, strings.Repeat(" ", space+2), p.Faint(margin))
	}
}

// profileSince formats "2026-03-03 …st-day#19": since when, and the turn that said it.
func profileSince(since *time.Time, recorded time.Time, sources []profile.Source) string {
	if since != nil {
		recorded = *since
	}
	out := day(recorded)
	if len(sources) == 0 || sources[0].Session == "" {
		return out
	}
	turn := fmt.Sprintf("#%d", sources[0].Seq)
	session := []rune(terminal.Clean(sources[0].Session))
	if most := profileMargin - 2 - len(out) - 1 - len(turn); len(session) > most {
		session = append([]rune("…"), session[len(session)-most+1:]...)
	}
	return out + " " + string(session) + turn
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// known lists the facts about a subject, or the categories if none was named.
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
