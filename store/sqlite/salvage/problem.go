package salvage

import (
	"fmt"

	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/store/sqlite/check"
)

// RepairSalvage is the command that makes a new home of what can be read.
const RepairSalvage = "strata salvage NEWHOME"

// Problems reports what cannot be read: pages first, then the rows that are lost with
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
	for _, l := range s.Lost {
		out = append(out, store.Problem{Kind: "lost_row", Scope: l.Scope, Ref: l.ID, Repair: repair,
			Detail: "the " + l.Noun + " cannot be read: its row in table " + l.Table + " is lost"})
	}
	return out
}

// place says what a page is part of.
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

// gap says between which rows those are that are lost.
func (d Damage) gap() string {
	switch {
	case !d.Authority || d.oneRow || d.after == 0 && d.before == 0:
		return ""
	case d.before == 0:
		return fmt.Sprintf(" (the rows numbered from %d on)", d.after+1)
	}
	return fmt.Sprintf(" (rows numbered %d to %d)", d.after+1, d.before-1)
}

// Problems reports what could be read and not be kept.
func (b *Built) Problems() []store.Problem {
	var out []store.Problem
	for _, l := range b.Left {
		if l.changed {
			out = append(out, store.Problem{Kind: "damaged_" + l.Table, Scope: l.Scope, Ref: l.ID,
				Detail: "the " + l.Noun + " is not what was written: its row in table " + l.Table + " has changed by itself"})
			continue
		}
		out = append(out, store.Problem{Kind: "row_not_kept", Scope: l.Scope, Ref: l.ID,
			Detail: "the " + l.Noun + " in table " + l.Table + " can be read, and says nothing without what is lost"})
	}
	return out
}
