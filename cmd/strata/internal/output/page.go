package output

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/memorytool"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
	"github.com/strata-memory/strata/internal/profile"
)

// A Page writes text for people, fitted to the screen. After a write error it writes no
// more.
type Page struct {
	printer *Printer
	w       io.Writer
	st      terminal.Style
	width   int  // columns of the screen; 0 without one
	ascii   bool // the locale has only ASCII
	now     time.Time
	err     error
}

// Page returns a page that writes to w, with the width and the colors of w.
func (p *Printer) Page(w io.Writer) *Page {
	return &Page{
		printer: p, w: w, st: p.Style(w), width: terminal.Width(w, p.Getenv), ascii: !terminal.HasUTF8(p.Getenv), now: p.now(),
	}
}

// now returns the time that relative dates refer to.
func (p *Printer) now() time.Time {
	if p.Now == nil {
		return time.Now()
	}
	return p.Now()
}

// Err returns the first write error.
func (p *Page) Err() error { return p.err }

// Strong returns text in bold.
func (p *Page) Strong(text string) string { return p.st.Strong(text) }

// Faint returns text in the style of explanations.
func (p *Page) Faint(text string) string { return p.st.Faint(text) }

// Printf writes formatted lines. It wraps a line that is longer than the screen between
// words, and indents the continuation by two more columns.
func (p *Page) Printf(format string, args ...any) {
	p.write(fmt.Sprintf(format, args...), len(table.Gap))
}

// write writes lines, and wraps long ones with the given hanging indent.
func (p *Page) write(text string, hang int) {
	if p.err != nil {
		return
	}
	text = p.letters(text)
	if p.width > 0 {
		text = terminal.Fold(text, p.width, hang)
	}
	_, p.err = io.WriteString(p.w, text)
}

// letters replaces letters that the screen lacks. Without a screen, text from memory
// stays as it is.
func (p *Page) letters(text string) string {
	switch {
	case !p.ascii:
		return text
	case p.width == 0:
		return terminal.Ornaments(text)
	}
	return terminal.ASCII(text)
}

// fields writes a line of fields, separated by gaps, leaving out empty ones.
func (p *Page) fields(fields ...string) {
	var given []string
	for _, f := range fields {
		if f != "" {
			given = append(given, f)
		}
	}
	p.Printf("%s\n", strings.Join(given, table.Gap))
}

// Table writes a table, fitted to the screen.
func (p *Page) Table(t table.Table) {
	if p.err != nil {
		return
	}
	if p.ascii {
		t.ASCII = true
		t.Header = operation.Each(t.Header, p.letters)
		t.Rows = operation.Each(t.Rows, func(cells []string) []string { return operation.Each(cells, p.letters) })
		for row, below := range t.Below {
			t.Below[row] = p.letters(below)
		}
	}
	p.err = t.Write(p.w, p.width, p.st)
}

// list writes a table, or a note if it has no rows.
func (p *Page) list(t table.Table, none string) {
	if len(t.Rows) == 0 {
		p.note("%s", none)
		return
	}
	p.Table(t)
}

// Record writes everything about one thing.
func (p *Page) Record(r table.Record) {
	if p.err == nil {
		p.err = r.Write(p.w, p.width, p.st)
	}
}

func (p *Page) note(format string, args ...any) { p.printer.Note(format, args...) }

func (p *Page) notes(notes []string) {
	for _, n := range notes {
		p.note("%s", n)
	}
}

// Text writes an output for people.
func (p *Printer) Text(w io.Writer, out any) error {
	page := p.Page(w)
	switch out := out.(type) {
	case ops.Saved:
		page.saved(out)
	case ops.Batch:
		for _, s := range out.Decisions {
			page.saved(s)
		}
	case ops.Found:
		page.found(out)
	case ops.Known:
		page.known(out)
	case ops.Context:
		page.context(out)
	case ops.Thought:
		page.thought(out)
	case ops.Expanded:
		page.expanded(out)
	case ops.Noted:
		page.noted(out)
	case ops.Moved:
		for _, n := range out.Decisions {
			page.noted(n)
		}
		page.merged(out)
	case upkeep.Trusted:
		page.trusted(out)
	case memorytool.Answer:
		page.answer(out)
	case ops.Documents:
		page.Documents(out.Documents)
	case ops.Document:
		page.document(out)
	case ops.Skills:
		page.skills(out.Skills)
	case ops.SkillChange:
		for _, n := range out.Decisions {
			page.noted(n)
		}
	case ops.SkillText:
		page.skill(out)
	case ops.Checkpoint:
		page.checkpoint(out)
	case ops.History:
		page.history(out)
	case ops.DailyLogs:
		page.dailyLogs(out.Logs)
	case ops.DailyText:
		page.dailyText(out.Logs)
	case ops.DailyChange:
		page.dailyChange(out)
	case ops.Heartbeat:
		page.heartbeat(out.Rules)
	case ops.Synced:
		page.synced(out)
	case ops.ScopeState:
		page.scopeState(out)
	case ops.Facts:
		if len(out.Decisions) == 0 {
			page.Facts(out.Facts)
		}
		for _, s := range out.Decisions {
			page.saved(s)
		}
	case ops.FactVersions:
		page.versions(out)
	case upkeep.Categories:
		page.categories(out.Categories)
	case upkeep.CategoryChange:
		page.categoryChange(out)
	case ops.Decisions:
		page.decisions(out.Decisions)
	case ops.Undone:
		page.undone(out)
	case ops.Decision:
		page.decision(out)
	case ops.Forgotten:
		page.forgotten(out)
	case ops.Sessions:
		page.sessions(out.Sessions)
	case ops.Pruned:
		page.pruned(out)
	case ops.Repaired:
		page.repaired(out)
	case ops.RestoredSession:
		page.Printf("restored  %s of session %s\n", Count(out.Restored, "turn"), terminal.Clean(out.ID))
	case ops.Turns:
		page.turns(out.Turns)
	case ops.Timeline:
		page.timeline(out)
	case ops.Ledger:
		page.Printf("written  %s of session %s\n", Count(out.Turns, "turn"), terminal.Clean(out.Session))
	case profile.Profile:
		page.profile(out)
	case ops.Snapshot:
		page.snapshot(out)
	case ops.Closed:
		page.closed(out)
	case ops.Learnings:
		page.learnings(out.Learnings)
	case ops.Learnt:
		page.learnt(out)
	case upkeep.Dreamt:
		page.dreamt(out)
	case upkeep.Dreams:
		page.dreams(out.Dreams)
	case upkeep.Dream:
		page.dream(out)
	case upkeep.Questions:
		page.questions(out.Questions)
	case upkeep.Answered:
		page.answered(out)
	case upkeep.DreamStatus:
		page.dreamStatus(out.Scopes)
	case ops.Traces:
		page.traces(out.Traces)
	case upkeep.Events:
		page.events(out.Events)
	case ops.Trace:
		page.trace(out)
	case ops.Scopes:
		page.scopes(out.Scopes)
	case upkeep.Stats:
		page.stats(out)
	case upkeep.Health:
		page.health(out.Concerns)
	case upkeep.Checkup:
		page.checkup(out)
	case upkeep.Backups:
		page.backups(out.Backups)
	case operation.Backup:
		page.backup(out)
	case upkeep.Embedder:
		page.embedder(out)
	case upkeep.RemovedWords:
		page.removedWords(out)
	case upkeep.Embedded:
		page.embedded(out)
	case upkeep.Reindexed:
		page.reindexed(out)
	case upkeep.Exported:
		page.Printf("exported  %s, %s, %s, %s, %s of %s\n", Count(out.Facts, "fact version"), Count(out.Turns, "turn"),
			Count(out.Sessions, "session"), Count(out.Learnings, "learning"), Count(out.Decisions, "decision"), Count(out.Scopes, "scope"))
		if out.Full {
			page.Printf("          %s, %s\n", Count(out.Files, "file"), Count(out.Vectors, "vector"))
		}
		for _, p := range out.LeftOut {
			page.Printf("left out  %s\n", terminal.Clean(strings.TrimSpace(p.Scope+" "+p.Ref+": "+p.Detail)))
		}
	case ops.Ingested:
		page.ingested(out)
	case upkeep.ExtractorStatus:
		page.extractorStatus(out)
	case upkeep.ExtractorPending:
		if len(out.Sessions) == 0 {
			page.Printf("no session waits for its facts\n")
		}
		page.waiting(out.Sessions)
	case upkeep.Extracted:
		page.extracted(out)
	case upkeep.Revived:
		page.revived(out)
	case ops.IngestedAll:
		page.ingestedAll(out)
	case upkeep.Imported:
		page.Printf("%s  %s, %s, %s; %d known already, %d rejected, %d of history left out\n", would(out.DryRun, "imported"),
			Count(out.Facts, "fact"), Count(out.Turns, "turn"), Count(out.Learnings, "learning"), out.Known, out.Rejected, out.Skipped)
	case interface{ Layout(*Page) }: // output of a command that is not an operation
		out.Layout(page)
	case fmt.Stringer: // output that is plain text
		if n, ok := out.(interface{ Notes() []string }); ok {
			page.notes(n.Notes())
		}
		page.Printf("%s", out)
	default:
		return &strata.Error{Code: strata.CodeInternal, Message: fmt.Sprintf("no table for %T", out)}
	}
	return page.err
}
