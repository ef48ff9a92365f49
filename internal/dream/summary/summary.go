// Package summary keeps the summary of a scope, the file memory_summary.md, which a model
// writes from facts.
//
// Every line names the facts that it rests on, behind it in a comment. So what is no longer
// so can be taken out without a model, forget finds what rests on a fact, and a theme of
// which facts still hold stays, whatever a model leaves out. The file says which text was
// written: one that a person edited is theirs.
package summary

import (
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text/token"
)

// A summary is a file; see [document.Summary].
type (
	Summary = markdown.Summary
	Theme   = markdown.SummaryTheme
	Line    = markdown.SummaryLine
)

// Key is how a line names a version of a fact that it rests on: a fact that says something
// else later is another.
func Key(f strata.Fact) string { return f.ID + "@" + strconv.FormatInt(f.Generation, 10) }

// idOf is the id of the fact of a key.
func idOf(key string) string {
	id, _, _ := strings.Cut(key, "@")
	return id
}

// keeping is the summary with the themes of an earlier one of which it cites no fact.
func keeping(s, earlier Summary) Summary {
	cited := make(map[string]bool)
	for _, f := range s.Facts() {
		cited[f] = true
	}
	for _, t := range earlier.Themes {
		if !slices.ContainsFunc(Summary{Themes: []Theme{t}}.Facts(), func(f string) bool { return cited[f] }) {
			s.Themes = append(s.Themes, t)
		}
	}
	return s
}

// fit is the summary within a number of tokens, as a session is shown it: the last lines
// of the longest themes go, but one of each theme stays. It reports whether it fits.
func fit(s Summary, most int) (Summary, bool) {
	out := Summary{Themes: slices.Clone(s.Themes)}
	for token.Count(markdown.ShownSummary(out.Render())) > most {
		longest := 0
		for i, t := range out.Themes {
			if len(t.Lines) > len(out.Themes[longest].Lines) {
				longest = i
			}
		}
		if len(out.Themes) == 0 || len(out.Themes[longest].Lines) < 2 {
			return s, false
		}
		t := &out.Themes[longest]
		t.Lines = t.Lines[:len(t.Lines)-1]
	}
	return out, true
}
