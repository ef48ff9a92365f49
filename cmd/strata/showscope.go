package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/strata-memory/strata/ops"
)

// showCheckpoint says what was recorded, directory by directory.
func (a *app) showCheckpoint(w io.Writer, c ops.Checkpoint) error {
	for _, f := range c.LeftOut {
		a.note("%s was left out: %s", f.Path, f.Reason)
	}
	t := table{elastic: 3}
	for _, r := range c.Commits {
		if r.OID == "" {
			t.add("skipped", "", r.Scope, clean(r.Reason))
			continue
		}
		t.add("recorded", r.OID[:7], r.Scope, clean(r.Subject)+"  ("+count(r.Files, "file")+")")
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showHistory lists commits, then the changes.
func (a *app) showHistory(w io.Writer, h ops.History) error {
	if h.Note != "" {
		a.note("%s", h.Note)
	}
	if len(h.Commits) == 0 {
		a.note("nothing is recorded yet in the history of %s; strata checkpoint does it", h.Scope)
	}
	st := a.styleFor(w)
	t := table{elastic: 3}
	for _, c := range h.Commits {
		t.add(c.ShortOID, when(c.At), clean(c.Author), clean(c.Subject))
	}
	if err := t.write(w, width(w), st); err != nil || h.Diff == "" {
		return err
	}
	var out strings.Builder
	out.WriteByte('\n')
	for line := range strings.Lines(cleanLines(h.Diff)) {
		text := strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(text, "+") && !strings.HasPrefix(text, "+++"):
			text = st.paint("32", text)
		case strings.HasPrefix(text, "-") && !strings.HasPrefix(text, "---"):
			text = st.paint("31", text)
		case strings.HasPrefix(text, "@@"):
			text = st.faint(text)
		}
		out.WriteString(text + "\n")
	}
	return show(w, "%s", out.String())
}

// showSynced lists what was done to files by hand.
func (a *app) showSynced(w io.Writer, s ops.Synced) error {
	for _, f := range s.Skipped {
		a.note("%s of %s is not taken in: %s", f.Path, f.Scope, f.Reason)
	}
	for _, f := range s.Away {
		a.note("the files of %s are not at hand: %s", f.Scope, f.Reason)
	}
	if len(s.Changes) == 0 {
		return show(w, "unchanged  %s\n", count(s.Scopes, "scope"))
	}
	t := table{elastic: 3}
	if s.DryRun {
		t.elastic = 2
	}
	for _, c := range s.Changes {
		path := clean(c.Path)
		if c.Problem != "" {
			path += "  (" + clean(c.Problem) + ")"
		}
		if s.DryRun {
			t.add(would(true, done(c.Decision)), c.Scope, path)
			continue
		}
		t.add(done(c.Decision), c.DecisionID, c.Scope, path)
	}
	return t.write(w, width(w), a.styleFor(w))
}

// showScopeState shows where the user stands and what is there.
func (a *app) showScopeState(w io.Writer, s ops.ScopeState) error {
	for _, n := range s.Notes {
		a.note("%s", n)
	}
	st := a.styleFor(w)
	var p pairs
	p.add("workspace", orNone(s.Workspace))
	p.add("root", s.Root)
	p.add("identity", identity(s))
	p.add("agent", s.Agent)
	p.add("home", s.Home)
	if err := p.write(w, st); err != nil {
		return err
	}
	for _, t := range s.Scopes {
		if err := show(w, "\n%s\n", st.strong(t.Scope)); err != nil {
			return err
		}
		if err := scopePairs(t).write(w, st); err != nil {
			return err
		}
	}
	return nil
}

// identity says what the id of the workspace rests on.
func identity(s ops.ScopeState) string {
	if s.Key == "" {
		return s.Identity
	}
	return s.Identity + ", kept by the home for " + s.Key
}

// scopePairs are what there is to say of one scope.
func scopePairs(t ops.ScopeThere) *pairs {
	p := new(pairs)
	p.add("files", orNone(t.Directory))
	p.add("away", t.Away)
	holds := fmt.Sprintf("%s, %s, %s, %s in %s", count(t.Notes, "note"), count(t.Documents, "file"), count(t.Facts, "fact"),
		count(t.Turns, "turn"), count(t.Sessions, "session"))
	p.add("holds", holds)
	var open []string
	for _, n := range []struct {
		n    int64
		what string
	}{
		{t.Pending, "decision"}, {t.Proposals, "proposal"}, {t.Shadowed, "note"}, {t.Broken, "file"},
	} {
		if n.n > 0 {
			open = append(open, count(n.n, n.what)+map[string]string{
				"decision": " without its files yet", "proposal": " to accept", "note": " hidden by a deeper scope", "file": " with a problem",
			}[n.what])
		}
	}
	p.add("open", strings.Join(open, ", "))
	for _, f := range t.Skipped {
		p.add("left out", f.Path+": "+f.Reason)
	}
	history := t.Commit
	if history != "" {
		history += "  " + t.Subject
	}
	p.add("history", strings.TrimSpace(history+"  "+t.History))
	return p
}
