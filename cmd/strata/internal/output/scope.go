package output

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/table"
	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/base/id"
	"github.com/strata-memory/strata/internal/ops"
	"github.com/strata-memory/strata/internal/ops/operation"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

func (p *Page) scopes(scopes []ops.ScopeRow) {
	if len(scopes) == 0 {
		p.note("nothing is kept yet")
	}
	for _, s := range scopes {
		p.Printf("%s\n", s.Scope)
	}
}

// scopeState shows where the user is and what memory holds there.
func (p *Page) scopeState(s ops.ScopeState) {
	p.notes(s.Notes)
	var r table.Record
	r.Add("workspace", OrNone(s.Workspace))
	r.Add("root", s.Root)
	r.Add("identity", identity(s))
	r.Add("agent", s.Agent)
	r.Add("home", s.Home)
	p.Record(r)
	for _, t := range s.Scopes {
		p.Printf("\n%s\n", p.Strong(t.Scope))
		p.Record(scopeRecord(t))
	}
}

// identity says what identifies the workspace.
func identity(s ops.ScopeState) string {
	if s.Key == "" {
		return s.Identity
	}
	return s.Identity + ", kept by the home for " + s.Key
}

// scopeRecord returns everything about one scope.
func scopeRecord(t ops.ScopeThere) table.Record {
	var r table.Record
	r.Add("files", OrNone(t.Directory))
	r.Add("away", t.Away)
	r.Add("holds", fmt.Sprintf("%s, %s, %s, %s in %s", Count(t.Notes, "note"), Count(t.Documents, "file"), Count(t.Facts, "fact"),
		Count(t.Turns, "turn"), Count(t.Sessions, "session")))
	var open []string
	for _, o := range []struct {
		n           int64
		noun, state string
	}{
		{t.Pending, "decision", "without its files yet"},
		{t.Proposals, "proposal", "to accept"},
		{t.Shadowed, "note", "hidden by a deeper scope"},
		{t.Broken, "file", "with a problem"},
		{t.Foreign, "file", "not trusted"},
	} {
		if o.n > 0 {
			open = append(open, Count(o.n, o.noun)+" "+o.state)
		}
	}
	r.Add("open", strings.Join(open, ", "))
	for _, f := range t.Skipped {
		r.Add("left out", f.Path+": "+f.Reason)
	}
	history := t.Commit
	if history != "" {
		history += "  " + t.Subject
	}
	r.Add("history", strings.TrimSpace(history+"  "+t.History))
	return r
}

// stats shows counts of what scopes own.
func (p *Page) stats(s upkeep.Stats) {
	t := table.Table{Header: []string{"SCOPE", "FACTS", "RETIRED", "CATEGORIES", "TURNS", "SESSIONS", "DECISIONS", "FORGOTTEN", "WAITING"}}
	for _, row := range s.Scopes {
		cells := []string{row.Scope}
		for _, n := range []int64{
			row.Facts, row.Retired, row.Categories, row.Turns, row.Sessions, row.Decisions, row.Tombstones, row.Pending + row.Unembedded,
		} {
			cells = append(cells, strconv.FormatInt(n, 10))
		}
		t.Add(cells...)
	}
	p.Table(t)
	p.use(s)
	p.note("%s on disk, embedder %s", terminal.Bytes(s.Bytes), OrNone(s.Embedder))
	if s.Archived > 0 {
		p.note("%s in %s", Count(s.Archived, "archived session"), terminal.Bytes(s.ArchiveBytes))
	}
	if s.Model.Calls+s.Model.Refused > 0 {
		p.note("models were asked %s today, %d tokens; %d calls were refused for the limits of a day", Count(int(s.Model.Calls), "time"), s.Model.Tokens, s.Model.Refused)
	}
	if s.DiskBudget > 0 {
		p.note("%s of a budget of %s on disk are used; the oldest archived sessions go beyond it", terminal.Bytes(s.Bytes+s.ArchiveBytes), terminal.Bytes(s.DiskBudget))
	}
	p.nextModel(s.Next)
}

// nextModel notes the progress of a switch to another embedding model.
func (p *Page) nextModel(n *upkeep.NextModel) {
	switch {
	case n == nil:
	case n.Ready:
		p.note("embedder %s is to follow: %d of %d memories are done", n.Model, n.Done, n.Total)
	default:
		p.note("embedder %s is to follow: %d of %d memories are done, but it is not at hand here", n.Model, n.Done, n.Total)
	}
}

// outside shows what doctor found about the files of memory.
func (p *Page) outside(c upkeep.Checkup) {
	const most = 20
	for i, f := range c.Loose {
		switch {
		case i == most:
			p.note("and %d more, which -o json lists", len(c.Loose)-most)
		case i < most && c.Mended:
			p.note("%s could be used by others: %s is now %s", terminal.Clean(f.Path), f.Mode, f.Want)
		case i < most:
			p.note("%s can be used by others: %s should be %s; strata doctor --repair mends it", terminal.Clean(f.Path), f.Mode, f.Want)
		}
	}
	for _, dir := range c.Unfinished {
		if c.Mended {
			p.note("%s, which a killed restore left, is removed", terminal.Clean(dir))
			continue
		}
		p.note("%s was left by a killed restore; strata doctor --repair or the next restore removes it", terminal.Clean(dir))
	}
}

// health shows what needs attention.
func (p *Page) health(list []upkeep.Concern) {
	t := table.Table{Header: []string{"CONCERN", "COUNT", "SCOPE", "COMMAND", "DETAIL"}, Elastic: 4}
	for _, c := range list {
		t.Add(c.Kind, strconv.Itoa(c.Count), p.Scope(c.Scope), terminal.Clean(c.Command), terminal.Clean(c.Detail))
	}
	p.list(t, "nothing needs your attention")
}

// shownMisplaced is how many misplaced facts people are shown.
const shownMisplaced = 5

// checkup shows what doctor found.
func (p *Page) checkup(c upkeep.Checkup) {
	p.nextModel(c.Next)
	for _, path := range c.Copies {
		if filepath.Base(filepath.Dir(path)) == "backups" {
			p.note("%s is a backup that was made by itself", terminal.Clean(path))
			continue
		}
		p.note("%s holds the memory as it was before this version of Strata changed its database; remove it when all is well", terminal.Clean(path))
	}
	for _, f := range c.Misplaced[:min(len(c.Misplaced), shownMisplaced)] {
		p.note("%s is about a project and lies in %s: %s; %s, in its directory, moves it", id.Short(f.ID), f.Scope, terminal.Quote(terminal.Clean(f.Text)), f.Move)
	}
	if more := len(c.Misplaced) - shownMisplaced; more > 0 {
		p.note("and %d more facts, which strata doctor -o json lists", more)
	}
	if c.Foreign > 0 {
		p.note("%s that you have not trusted came with a repository: strata trust shows them", Count(c.Foreign, "file"))
	}
	for _, w := range c.GivenUp {
		p.note("facts could not be extracted from session %s: %s; strata extractor retry %s has it read again",
			terminal.Clean(w.Session), terminal.Clean(w.Error), terminal.Clean(w.Session))
	}
	for _, what := range c.Workspace {
		p.note("%s", terminal.Clean(what))
	}
	p.outside(c)
	p.agents(c.Agents)
	if len(c.Problems) == 0 {
		p.Printf("clean  %s, %s, %s\n", Count(c.Scopes, "scope"), Count(c.Facts, "fact"), Count(c.Turns, "turn"))
		return
	}
	t := table.Table{Header: []string{"PROBLEM", "SCOPE", "REF", "REPAIR", "DETAIL"}, Elastic: 4}
	for _, problem := range c.Problems {
		t.Add(problem.Kind, p.Scope(problem.Scope), terminal.Clean(problem.Ref), OrNone(problem.Repair), terminal.Clean(problem.Detail))
	}
	p.Table(t)
}

// agents shows what keeps connected agents from using this memory.
func (p *Page) agents(list []upkeep.Agent) {
	for _, a := range list {
		switch {
		case a.Repair != "":
			p.note("%s does not get at this memory: %s (%s); %s mends it", a.Name, terminal.Clean(a.Fault), terminal.Clean(a.File), a.Repair)
		case a.Fault != "":
			p.note("%s does not get at this memory: %s (%s)", a.Name, terminal.Clean(a.Fault), terminal.Clean(a.File))
		}
	}
}

// embedder describes the current embedder.
func (p *Page) embedder(e upkeep.Embedder) {
	if e.Problem != "" {
		p.note("%s is not used: %s; strata embedder import FILE takes it in again, strata embedder remove does without",
			terminal.Clean(e.File), terminal.Clean(e.Problem))
	}
	if e.Next != nil {
		p.nextModel(e.Next)
		p.note("strata embed makes its vectors now")
	}
	words := "the words of the program"
	if e.Words > 0 {
		words = fmt.Sprintf("%s of %s", Count(e.Words, "word"), terminal.Clean(e.File))
	}
	switch {
	case e.Model == "":
		p.Printf("there are no vectors yet\n")
	case !e.Ready:
		p.Printf("embedded  by %s, which is not at hand\n", terminal.Clean(e.Model))
	default:
		p.Printf("embedded  by %s\n", terminal.Clean(e.Model))
	}
	p.Printf("built in  %s: %s\n", e.Builtin, words)
}

// removedWords says what became of imported words.
func (p *Page) removedWords(r upkeep.RemovedWords) {
	if !r.Removed {
		p.note("the built-in embedder has the words of the program already")
	}
	p.embedder(r.Embedder)
}

// embedded says how many vectors are done.
func (p *Page) embedded(e upkeep.Embedded) {
	if e.Next != "" {
		p.note("%s is still to follow; its server did not make every vector", terminal.Clean(e.Next))
	}
	if e.Model == "" {
		p.Printf("there is nothing to embed yet\n")
		return
	}
	p.Printf("embedded  by %s; %s waiting\n", terminal.Clean(e.Model), Count(e.Waiting, "passage"))
}

// reindexed says what was rebuilt.
func (p *Page) reindexed(r upkeep.Reindexed) {
	if r.Waiting > 0 {
		p.note("the embedder did not make every vector: %s keep theirs until it does", Count(r.Waiting, "passage"))
	}
	p.Printf("reindexed  %s, %s in %s\n", Count(r.Passages, "passage"), Count(r.Vectors, "vector"), Count(r.Scopes, "scope"))
}

// backups lists the backups that the home keeps.
func (p *Page) backups(list []operation.Backup) {
	t := table.Table{Header: []string{"TIME", "SIZE", "FILE"}}
	for _, b := range list {
		t.Add(p.when(b.Time), terminal.Bytes(b.Size), terminal.Clean(b.File))
	}
	p.list(t, "no backups")
}

// backup says which one was made.
func (p *Page) backup(b operation.Backup) {
	p.Printf("written   %s: %s\n", terminal.Clean(b.File), terminal.Bytes(b.Size))
	for _, name := range b.Removed {
		p.Printf("removed   %s\n", terminal.Clean(name))
	}
}
