package output

import (
	"cmp"
	"strings"

	"github.com/strata-memory/strata/cmd/strata/internal/terminal"
	"github.com/strata-memory/strata/internal/ops/upkeep"
)

// What to call files that came with a repository, in lists and for a single one.
const (
	notTrusted  = "not trusted"
	foreignNote = "it came with the repository and is not trusted: strata trust shows and accepts it"
)

// trusted shows files that came with a repository: the text of each, or what changed in
// it.
func (p *Page) trusted(t upkeep.Trusted) {
	if len(t.Files) == 0 {
		p.Printf("nothing here %s\n", map[bool]string{false: "came with a repository that you have not trusted", true: "is trusted"}[t.Revoke])
		return
	}
	for _, f := range t.Files {
		what := "new"
		if f.Changed {
			what = "changed"
		}
		switch {
		case t.DryRun && t.Revoke, !t.DryRun && !t.Revoke:
			what = "trusted"
		case !t.DryRun:
			what = "not trusted"
		}
		p.Printf("%s  %s  %s\n", p.st.Strong(terminal.Clean(f.Path)), p.Scope(f.Scope), what)
		if b := f.Brought; b != nil {
			line := terminal.Clean(b.How)
			if b.Commit != "" {
				line += "  " + terminal.Clean(b.Commit[:min(len(b.Commit), 7)]) + "  " + terminal.Clean(b.Author)
			}
			if b.At != nil {
				line += "  " + p.when(*b.At)
			}
			p.Printf("  came by  %s\n", line)
		}
		if len(f.Threats) > 0 {
			p.Printf("  %s\n", p.st.Red("reads like instructions: "+terminal.Clean(strings.Join(f.Threats, ", "))))
		}
		if !t.DryRun || t.Revoke {
			continue
		}
		text := terminal.CleanLines(f.Text)
		if f.Changed {
			text = changed(f.Before, f.Text, p.st, around)
		}
		for line := range strings.Lines(cmp.Or(text, "(empty)")) {
			p.Printf("  | %s\n", strings.TrimRight(line, "\r\n"))
		}
		if f.Cut {
			p.Printf("  | … the file goes on\n")
		}
		p.Printf("\n")
	}
}
