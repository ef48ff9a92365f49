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

// printTable writes an operation's output for people.
func (a *app) printTable(w io.Writer, out any) error {
	switch out := out.(type) {
	case ops.Saved:
		return a.showSaved(w, out)
	case ops.Batch:
		for _, s := range out.Decisions {
			if err := a.showSaved(w, s); err != nil {
				return err
			}
		}
		return nil
	case ops.Found:
		return a.showFound(w, out)
	case ops.Expanded:
		return a.showExpanded(w, out)
	case ops.Noted:
		return a.showNoted(w, out)
	case ops.Moved:
		for _, n := range out.Decisions {
			if err := a.showNoted(w, n); err != nil {
				return err
			}
		}
		return nil
	case ops.Documents:
		return a.showDocuments(w, out.Documents)
	case ops.Document:
		return a.showDocument(w, out)
	case ops.Checkpoint:
		return a.showCheckpoint(w, out)
	case ops.History:
		return a.showHistory(w, out)
	case ops.DailyLogs:
		return a.showDailyLogs(w, out.Logs)
	case ops.DailyText:
		return a.showDailyText(w, out.Logs)
	case ops.DailyChange:
		return a.showDailyChange(w, out)
	case ops.Heartbeat:
		return a.showHeartbeat(w, out.Rules)
	case ops.Synced:
		return a.showSynced(w, out)
	case ops.ScopeState:
		return a.showScopeState(w, out)
	case ops.Facts:
		return a.showFacts(w, out.Facts)
	case ops.FactVersions:
		return a.showVersions(w, out)
	case ops.Categories:
		return a.showCategories(w, out)
	case ops.Decisions:
		return a.showDecisions(w, out.Decisions)
	case ops.Decision:
		return a.showDecision(w, out)
	case ops.Forgotten:
		return a.showForgotten(w, out)
	case ops.Sessions:
		return a.showSessions(w, out.Sessions)
	case ops.Turns:
		return a.showTurns(w, out.Turns)
	case ops.Ledger:
		return show(w, "written  %s of session %s\n", count(out.Turns, "turn"), clean(out.Session))
	case ops.Snapshot:
		return a.showSnapshot(w, out)
	case ops.Closed:
		return a.showClosed(w, out)
	case ops.Learnings:
		return a.showLearnings(w, out.Learnings)
	case ops.Learnt:
		return a.showLearnt(w, out)
	case ops.Traces:
		return a.showTraces(w, out.Traces)
	case ops.Trace:
		return a.showTrace(w, out)
	case ops.Scopes:
		return a.showScopes(w, out.Scopes)
	case ops.Stats:
		return a.showStats(w, out)
	case ops.Checkup:
		return a.showCheckup(w, out)
	case ops.Embedded:
		if out.Next != "" {
			a.note("%s is still to follow; its server did not make every vector", clean(out.Next))
		}
		if out.Model == "" {
			return show(w, "there is nothing to embed yet\n")
		}
		return show(w, "embedded  by %s; %s waiting\n", clean(out.Model), count(out.Waiting, "passage"))
	case ops.Reindexed:
		if out.Waiting > 0 {
			a.note("the embedder did not make every vector: %s keep theirs until it does", count(out.Waiting, "passage"))
		}
		return show(w, "reindexed  %s, %s in %s\n", count(out.Passages, "passage"), count(out.Vectors, "vector"), count(out.Scopes, "scope"))
	case ops.Exported:
		return show(w, "exported  %s, %s, %s, %s, %s of %s\n", count(out.Facts, "fact version"), count(out.Turns, "turn"),
			count(out.Sessions, "session"), count(out.Learnings, "learning"), count(out.Decisions, "decision"), count(out.Scopes, "scope"))
	case ops.Imported:
		return show(w, "%s  %s, %s, %s; %d known already, %d rejected, %d of history left out\n", would(out.DryRun, "imported"),
			count(out.Facts, "fact"), count(out.Turns, "turn"), count(out.Learnings, "learning"), out.Known, out.Rejected, out.Skipped)
	case initOutput:
		for _, warning := range out.Warnings {
			a.note("%s", warning)
		}
		return show(w, "%s", out)
	case configOutput, versionOutput:
		return show(w, "%s", out)
	}
	return &strata.Error{Code: strata.CodeInternal, Message: fmt.Sprintf("no table for %T", out)}
}

// show is Fprintf without its count.
func show(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintf(w, format, args...)
	return err
}

// would turns what was done into what a dry run would do.
func would(dryRun bool, done string) string {
	if dryRun {
		return "would be " + done
	}
	return done
}

// done says what a decision did, for the beginning of a line.
func done(op strata.Op) string {
	switch op {
	case strata.OpAdd:
		return "added"
	case strata.OpUpdate:
		return "updated"
	case strata.OpSupersede:
		return "replaced"
	case strata.OpDelete:
		return "deleted"
	case strata.OpNoop:
		return "unchanged"
	case strata.OpReject:
		return "rejected"
	case strata.OpForget:
		return "forgotten"
	}
	return string(op)
}

// count writes a number with its noun: "1 scope", "2 scopes".
func count[N int | int64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// score shows a score.
func score(s float64) string { return fmt.Sprintf("%.2f", s) }

// when shows a time to the minute, in UTC so that the same memory reads the
// same everywhere.
func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") }

// about joins the parts that are not empty: "user · pets".
func about(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, clean(p))
		}
	}
	return strings.Join(out, " · ")
}

// showSaved writes "added  fact_01J…  user · pets  (nothing like it known)".
func (a *app) showSaved(w io.Writer, s ops.Saved) error {
	st := a.styleFor(w)
	parts := []string{st.strong(would(s.DryRun, done(s.Decision)))}
	if s.ID != "" {
		parts = append(parts, s.ID)
	}
	if what := about(string(s.Type), s.Category); what != "" {
		parts = append(parts, what)
	}
	if s.Reason != "" {
		parts = append(parts, st.faint("("+clean(s.Reason)+")"))
	}
	for _, n := range s.Notes {
		a.note("%s", n)
	}
	return show(w, "%s\n", strings.Join(parts, gap))
}

// showFacts lists facts; the scope is shown where there are several.
func (a *app) showFacts(w io.Writer, facts []ops.Fact) error {
	if len(facts) == 0 {
		a.note("no facts")
		return nil
	}
	t := table{header: []string{"ID", "TYPE", "CATEGORY", "SCOPE", "RECORDED", "TEXT"}, elastic: 5}
	for _, f := range facts {
		text := clean(f.Text)
		if !f.Current {
			text = "(retired) " + text
		}
		t.add(f.ID, string(f.Type), clean(f.Category), f.Scope, when(f.RecordedAt), text)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showCategories lists categories.
func (a *app) showCategories(w io.Writer, c ops.Categories) error {
	if len(c.Categories) == 0 {
		a.note("no categories")
		return nil
	}
	t := table{header: []string{"FACTS", "CATEGORY", "SCOPE"}, elastic: 1}
	for _, c := range c.Categories {
		t.add(strconv.FormatInt(c.Facts, 10), clean(c.Name), c.Scope)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showScopes lists scopes.
func (a *app) showScopes(w io.Writer, scopes []ops.ScopeRow) error {
	if len(scopes) == 0 {
		a.note("nothing is kept yet")
	}
	for _, s := range scopes {
		if err := show(w, "%s\n", s.Scope); err != nil {
			return err
		}
	}
	return nil
}

// showSessions lists conversations.
func (a *app) showSessions(w io.Writer, sessions []ops.Session) error {
	if len(sessions) == 0 {
		a.note("no sessions")
		return nil
	}
	t := table{header: []string{"SESSION", "KIND", "TURNS", "STARTED", "CLOSED", "SCOPE"}}
	for _, s := range sessions {
		closed := "open"
		if s.ClosedAt != nil {
			closed = when(*s.ClosedAt)
		}
		t.add(clean(s.ID), string(s.Kind), strconv.FormatInt(s.Turns, 10), when(s.StartedAt), closed, s.Scope)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showTurns lists what was said.
func (a *app) showTurns(w io.Writer, turns []ops.Turn) error {
	if len(turns) == 0 {
		a.note("no turns")
		return nil
	}
	t := table{header: []string{"SEQ", "AT", "WHO", "TEXT"}, elastic: 3}
	for _, turn := range turns {
		who := turn.Speaker
		if who == "" {
			who = string(turn.Role)
		}
		text := clean(turn.Text)
		for _, c := range turn.Calls {
			text = strings.TrimSpace(text + " (calls " + clean(c.Name) + ")")
		}
		if n := len(turn.Images); n > 0 {
			text = strings.TrimSpace(text + " (" + count(n, "image") + ")")
		}
		if turn.Failed {
			text = "(failed) " + text
		}
		if turn.Forgotten {
			text = "(forgotten)"
		}
		t.add(strconv.FormatInt(turn.Seq, 10), when(turn.At), clean(who), text)
	}
	return t.write(w, width(w), a.styleFor(w))
}
