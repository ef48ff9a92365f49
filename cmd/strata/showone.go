package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/ops"
)

// pairs are labels with values, printed below each other. Pairs without a value
// are left out.
type pairs struct{ table }

// add appends a pair.
func (p *pairs) add(label, value string) {
	if value != "" {
		p.rows = append(p.rows, []string{label, clean(value)})
	}
}

// write prints the pairs. Values are never cut: this is where they are read in
// full.
func (p *pairs) write(w io.Writer, st style) error {
	p.elastic, p.faint = 1, map[int]bool{0: true}
	return p.table.write(w, 0, st)
}

// showVersions shows the newest version of a fact, then the former ones.
func (a *app) showVersions(w io.Writer, f ops.FactVersions) error {
	if len(f.Versions) == 0 {
		return nil
	}
	last := f.Versions[len(f.Versions)-1]
	var p pairs
	p.add("fact", last.ID)
	p.add("text", last.Text)
	if !last.Current {
		p.add("retired", timeOf(last.RetiredAt))
	}
	p.add("type", string(last.Type))
	p.add("category", last.Category)
	p.add("scope", last.Scope)
	if last.Entity != "" {
		p.add("slot", last.Entity+" / "+last.Attribute)
	}
	p.add("tags", strings.Join(last.Tags, ", "))
	p.add("sources", strings.Join(last.Sources, ", "))
	p.add("origin", string(last.Origin))
	p.add("valid from", timeOf(last.ValidFrom))
	p.add("recorded", when(last.RecordedAt))
	p.add("supersedes", last.Supersedes)
	p.add("superseded by", last.SupersededBy)
	p.add("accesses", strconv.Itoa(last.Accesses))
	for i := len(f.Versions) - 2; i >= 0; i-- {
		v := f.Versions[i]
		p.add(fmt.Sprintf("version %d", v.Generation), fmt.Sprintf("%s  (until %s)", v.Text, timeOf(v.RetiredAt)))
	}
	return p.write(w, a.styleFor(w))
}

// showDecisions lists decisions.
func (a *app) showDecisions(w io.Writer, list []ops.Decision) error {
	if len(list) == 0 {
		a.note("no decisions")
		return nil
	}
	t := table{header: []string{"ID", "DECIDED", "DECISION", "ABOUT", "REASON"}, elastic: 4}
	for _, d := range list {
		t.add(d.ID, when(d.DecidedAt), done(d.Decision), clean(d.FactID+d.Path), clean(d.Reason)) // one of the two
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showDecision shows one decision.
func (a *app) showDecision(w io.Writer, d ops.Decision) error {
	var p pairs
	p.add("decision", strings.TrimSpace(would(d.DryRun, done(d.Decision))+"  "+d.ID))
	p.add("reason", d.Reason)
	p.add("fact", d.FactID)
	p.add("file", d.Path)
	if d.FileBefore != nil {
		p.add("before", d.FileBefore.Content)
	}
	if d.FileAfter != nil {
		p.add("after", d.FileAfter.Content)
	}
	if d.Before != nil {
		p.add("before", d.Before.Text)
	}
	if d.After != nil {
		p.add("after", d.After.Text)
	}
	p.add("scope", d.Scope)
	p.add("rules", strings.Join(d.Rules, " > "))
	p.add("confidence", strconv.FormatFloat(d.Confidence, 'f', 2, 64))
	p.add("origin", string(d.Origin))
	p.add("agent", d.Agent)
	p.add("session", d.Session)
	p.add("request", d.RequestID)
	p.add("reverts", d.Reverts)
	p.add("reverted by", d.RevertedBy)
	if !d.DryRun {
		p.add("decided", when(d.DecidedAt))
	}
	p.add("set aside", d.SetAside)
	for _, n := range d.Notes {
		p.add("note", n)
	}
	return p.write(w, a.styleFor(w))
}

// showForgotten says what went and what still stands.
func (a *app) showForgotten(w io.Writer, f ops.Forgotten) error {
	st := a.styleFor(w)
	err := show(w, "%s%s%s%s%s\n", st.strong(would(f.DryRun, "forgotten")), gap, f.ID, gap,
		st.faint(fmt.Sprintf("(%s, %s, %s, %s)", count(f.Versions, "version"), count(f.Decisions, "decision"),
			count(len(f.Turns), "turn"), count(f.Traces, "trace"))))
	if err != nil {
		return err
	}
	if f.Commits > 0 {
		if err := show(w, "rewritten%s%s of the history\n", gap, count(f.Commits, "commit")); err != nil {
			return err
		}
	}
	for _, id := range f.Remaining {
		if err := show(w, "remains%s%s\n", gap, clean(id)); err != nil {
			return err
		}
	}
	if f.Incomplete != "" {
		a.note("%s", f.Incomplete)
	}
	for _, n := range f.Notes {
		a.note("%s", n)
	}
	return nil
}

// showTraces lists what was asked.
func (a *app) showTraces(w io.Writer, list []ops.Trace) error {
	if len(list) == 0 {
		a.note("no traces")
		return nil
	}
	t := table{header: []string{"ID", "AT", "HITS", "QUERY"}, elastic: 3}
	for _, tr := range list {
		t.add(tr.ID, when(tr.At), strconv.Itoa(len(tr.Hits)), clean(tr.Query))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showTrace shows one question with its hits.
func (a *app) showTrace(w io.Writer, tr ops.Trace) error {
	var p pairs
	p.add("trace", tr.ID)
	p.add("query", tr.Query)
	p.add("scope", tr.Scope)
	p.add("session", tr.Session)
	p.add("asked", when(tr.At))
	p.add("took", time.Duration(tr.Took).Round(10*time.Microsecond).String())
	if err := p.write(w, a.styleFor(w)); err != nil || len(tr.Hits) == 0 {
		return err
	}
	t := table{header: []string{"SCORE", "ID", "WHY"}, elastic: 2}
	for _, h := range tr.Hits {
		t.add(score(h.Score), h.ID, about(fmt.Sprintf("tier %d", h.Tier), strata.Why(h.Why).String()))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showStats counts what scopes own.
func (a *app) showStats(w io.Writer, s ops.Stats) error {
	t := table{header: []string{"SCOPE", "FACTS", "RETIRED", "CATEGORIES", "TURNS", "SESSIONS", "DECISIONS", "FORGOTTEN", "WAITING"}}
	for _, row := range s.Scopes {
		cells := []string{row.Scope}
		for _, n := range []int64{
			row.Facts, row.Retired, row.Categories, row.Turns, row.Sessions, row.Decisions, row.Tombstones, row.Pending + row.Unembedded,
		} {
			cells = append(cells, strconv.FormatInt(n, 10))
		}
		t.add(cells...)
	}
	if err := t.write(w, width(w), a.styleFor(w)); err != nil {
		return err
	}
	a.note("%s on disk, embedder %s", bytesOf(s.Bytes), orNone(s.Embedder))
	a.noteNext(s.Next)
	return nil
}

// noteNext tells of an embedding model that is to follow.
func (a *app) noteNext(n *ops.NextModel) {
	switch {
	case n == nil:
	case n.Ready:
		a.note("embedder %s is to follow: %d of %d memories are done", n.Model, n.Done, n.Total)
	default:
		a.note("embedder %s is to follow: %d of %d memories are done, but it is not at hand here", n.Model, n.Done, n.Total)
	}
}

// showCheckup shows what doctor found.
func (a *app) showCheckup(w io.Writer, c ops.Checkup) error {
	a.noteNext(c.Next)
	for _, path := range c.Copies {
		a.note("%s holds the memory as it was before this version of Strata changed its database; remove it when all is well", clean(path))
	}
	if len(c.Problems) == 0 {
		return show(w, "clean  %s, %s, %s\n", count(c.Scopes, "scope"), count(c.Facts, "fact"), count(c.Turns, "turn"))
	}
	t := table{header: []string{"PROBLEM", "SCOPE", "REF", "REPAIR", "DETAIL"}, elastic: 4}
	for _, p := range c.Problems {
		t.add(p.Kind, p.Scope, clean(p.Ref), orNone(p.Repair), clean(p.Detail))
	}
	return t.write(w, width(w), a.styleFor(w))
}

// timeOf shows a time that may be missing.
func timeOf(t *time.Time) string {
	if t == nil {
		return ""
	}
	return when(*t)
}

// orNone shows that there is nothing.
func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// bytesOf shows a size in binary units.
func bytesOf(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}

// showExpanded shows turns word for word, each below a line that names it.
func (a *app) showExpanded(w io.Writer, e ops.Expanded) error {
	if len(e.Turns) == 0 {
		a.note("no turns")
		return nil
	}
	st := a.styleFor(w)
	for i, t := range e.Turns {
		if i > 0 {
			if err := show(w, "\n"); err != nil {
				return err
			}
		}
		head := about(fmt.Sprintf("#%d", t.Seq), string(t.Role), t.Speaker, t.Tool, when(t.At))
		if t.Length > 0 {
			head += fmt.Sprintf(" · bytes %d to %d of %d", t.Offset, t.Offset+len(t.Text), t.Length)
		}
		if t.Score > 0 {
			head += " · score " + score(t.Score)
		}
		text := cleanLines(t.Text)
		if t.Forgotten {
			text = "(forgotten)"
		}
		if err := show(w, "%s\n%s\n", st.strong(head), text); err != nil {
			return err
		}
		for _, n := range t.Notes {
			a.note("#%d: %s", t.Seq, n)
		}
		if t.Rest != "" && t.Rest != e.Next {
			a.note("#%d goes on: --after %s without --query", t.Seq, t.Rest)
		}
	}
	if e.Next != "" {
		a.note("there is more: add --after %s", e.Next)
	}
	return nil
}
