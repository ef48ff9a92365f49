package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
)

// pipedPassage is how wide the best passage of a section is where the output is
// no terminal, in columns.
const pipedPassage = 240

// showFound writes "0.91  My cat's name is Whiskerino  tier 2 · words .48" for a
// fact or turn. A section has two lines: where it stands, and its best passage.
// On a terminal the words that matched are bold.
func (a *app) showFound(w io.Writer, f ops.Found) error {
	for _, n := range f.Notes {
		a.note("%s", n)
	}
	if len(f.Hits) == 0 {
		a.note("nothing found")
		return nil
	}
	t := table{elastic: 1, faint: map[int]bool{2: true}, below: make(map[int]string), marks: make(map[int]marker)}
	indent := len(score(0)) + len(gap)
	columns := pipedPassage
	if n := width(w); n > 0 {
		columns = max(leastElastic, n-indent)
	}
	for i, h := range f.Hits {
		for _, n := range h.Notes {
			a.note("%s: %s", h.ID, n)
		}
		m := newMarker(h.Why.Terms)
		t.marks[i] = m
		if h.Section != nil {
			t.below[i] = m.passage(h.Text, columns)
		}
		t.add(score(h.Score), title(h), about(fmt.Sprintf("tier %d", h.Tier), whyOf(h)))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// title is what a hit is shown by: its text, or where the section stands, as
// "notes/project_deploys.md:12  Deploys › Rollback".
func title(h ops.Hit) string {
	switch {
	case h.Section != nil:
		out := fmt.Sprintf("%s:%d", clean(h.Section.Path), h.Section.Line)
		if trail := headings(h); trail != "" {
			out += gap + trail
		}
		return out
	case h.Kind == strata.KindTurn:
		who := h.Speaker
		if who == "" {
			who = "turn"
		}
		return clean(fmt.Sprintf("[%s %s#%d] %s", who, h.Session, h.Seq, h.Text))
	}
	return clean(h.Text)
}

// headings are those that a section stands under, or the name of its note.
func headings(h ops.Hit) string {
	var parts []string
	for _, p := range h.Section.Headings {
		parts = append(parts, clean(p))
	}
	if len(parts) == 0 && h.Section.Name != "" {
		return clean(h.Section.Name)
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
