package salvage

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/internal/sqlite/check"
	"github.com/strata-memory/strata/internal/sqlite/pages"
	"github.com/strata-memory/strata/store"
)

// RepairSalvage is the command that makes a new home from what can be read.
const RepairSalvage = "strata salvage NEWHOME"

// Problems reports what cannot be read: first the pages, then the rows lost with
// them.
func (s *Survey) Problems() []store.Problem {
	var out []store.Problem
	repair := check.RepairIndex
	if !s.Intact() {
		repair = RepairSalvage
	}
	for _, d := range s.Damages {
		if len(out) == check.Most {
			break
		}
		kind, loss := "damaged_index", "nothing is lost: it held only what is derived"
		if d.Authority {
			kind, loss = "damaged_page", "what it held of memory itself is lost"
			if d.oneRow {
				loss = "one row of memory itself is lost"
			}
		}
		out = append(out, store.Problem{Kind: kind, Ref: fmt.Sprint("page ", d.Page), Repair: repair,
			Detail: fmt.Sprintf("page %d %s cannot be read (%s); %s%s", d.Page, d.place(), d.Reason, loss, d.gap())})
	}
	out = append(out, SchemaProblems(s.Differing)...)
	for _, l := range s.Lost {
		out = append(out, store.Problem{Kind: "lost_row", Scope: l.Scope, Ref: l.ID, Repair: repair,
			Detail: "the " + l.noun() + " cannot be read: its row in table " + l.Table + " is lost"})
	}
	return out
}

// SchemaProblems reports tables, indexes and triggers whose stored statements have
// changed.
func SchemaProblems(differing []string) (out []store.Problem) {
	for _, made := range differing {
		out = append(out, store.Problem{Kind: "damaged_schema", Ref: made, Repair: check.RepairIndex,
			Detail: "the database has " + made + " otherwise than it was made: its definition has changed by itself; no row is lost by that"})
	}
	return out
}

// noun returns what the row is, with its path if it is a file, because an id tells
// people nothing.
func (l LostRow) noun() string {
	if path, ok := l.known["path"].(string); ok && l.Table == "document" {
		return "copy of the file " + path
	}
	return l.Noun
}

// Said reports the lines of SQLite's check of a database whose pages can all be
// read, one problem for each.
func (s *Survey) Said(f *pages.File, lines []string) (out []store.Problem) {
	for _, line := range strings.Split(strings.Join(lines, "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "***") { // the heading of a list
			out = append(out, s.said(f, line))
		}
	}
	return out
}

var (
	pageIn  = regexp.MustCompile(`(?i)\bpage (\d+)`)
	indexIn = regexp.MustCompile(`\bindex (\w+)`)
)

// said reports one line. Indexes, derived data and the order of pages can be
// rebuilt; anything else must come from a backup.
func (s *Survey) said(f *pages.File, line string) store.Problem {
	d := Damage{}
	if m := pageIn.FindStringSubmatch(line); m != nil {
		d.Page, _ = strconv.ParseInt(m[1], 10, 64)
	}
	d.Table, d.Index, d.Authority = s.treeOf(f.Root(d.Page), indexIn.FindStringSubmatch(line))
	p := store.Problem{Kind: "damage", Detail: line}
	if d.Page != 0 {
		p.Ref = fmt.Sprint("page ", d.Page)
	}
	for _, derived := range []string{"index", "Tree ", "Page ", "Freelist", "Main freelist", "Outstanding page"} {
		if strings.Contains(line, derived) {
			p.Repair = check.RepairIndex
		}
	}
	if d.Table == "" {
		return p
	}
	what := strings.TrimPrefix(d.place(), "of ")
	if d.Page != 0 {
		what = fmt.Sprintf("page %d %s", d.Page, d.place())
	}
	p.Detail = what + " is not in order (" + line + "); its rows can be read, and may not be what was written"
	if !d.Authority {
		p.Kind, p.Repair = "damaged_index", check.RepairIndex
		p.Detail = what + " is not in order (" + line + "); nothing is lost: it held only what is derived"
	}
	return p
}

// treeOf returns the tree with a root, or else the index whose name is the second
// element of named.
func (s *Survey) treeOf(root int64, named []string) (table, index string, authoritative bool) {
	for _, t := range s.schema.tables {
		if root != 0 && t.root == root {
			return t.name, "", t.class == authority
		}
		for _, i := range t.indexes {
			if root != 0 && i.root == root || len(named) > 1 && i.name == named[1] {
				return t.name, i.name, false
			}
		}
	}
	return "", "", false
}

// place says which part of the database a page belongs to.
func (d Damage) place() string {
	switch {
	case d.Page == 1 && d.Table != "":
		return "with which the database and table " + d.Table + " begin"
	case d.Page == 1:
		return "with which the database begins"
	case d.Index != "":
		return "of index " + d.Index + " of table " + d.Table
	case d.Table != "":
		return "of table " + d.Table
	}
	return "of the database"
}

// gap says between which rows the lost ones lie.
func (d Damage) gap() string {
	switch {
	case !d.Authority || d.oneRow || d.after == 0 && d.before == 0:
		return ""
	case d.before == 0:
		return fmt.Sprintf(" (the rows numbered from %d on)", d.after+1)
	}
	return fmt.Sprintf(" (rows numbered %d to %d)", d.after+1, d.before-1)
}

// Problems reports what could be read but not kept.
func (b *Built) Problems() []store.Problem {
	var out []store.Problem
	for _, l := range b.Left {
		if l.changed {
			out = append(out, store.Problem{Kind: "damaged_" + l.Table, Scope: l.Scope, Ref: l.ID,
				Detail: "the " + l.Noun + " is not what was written: its row in table " + l.Table + " has changed by itself"})
			continue
		}
		out = append(out, store.Problem{Kind: "row_not_kept", Scope: l.Scope, Ref: l.ID,
			Detail: "the " + l.noun() + " in table " + l.Table + " can be read, and says nothing without what is lost"})
	}
	return out
}
