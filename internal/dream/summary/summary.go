// Package summary maintains the summary of a scope: the file memory_summary.md, which a
// model writes from facts.
//
// Every line ends in a comment that names the facts it is based on. Thus lines that no
// longer hold can be removed without a model, a request to forget finds what is based on
// a fact, and a theme whose facts still hold stays even if the model omits it. The file
// also tells which text was written, so that a person's edits are recognized and kept.
package summary

import (
	"slices"
	"strconv"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/documents/markdown"
	"github.com/strata-memory/strata/internal/text/token"
)

// The types of a summary; see [markdown.Summary].
type (
	Summary = markdown.Summary
	Theme   = markdown.SummaryTheme
	Line    = markdown.SummaryLine
)

// Key returns the name by which a line refers to a version of a fact. Later versions have
// other keys.
func Key(f strata.Fact) string { return f.ID + "@" + strconv.FormatInt(f.Generation, 10) }

// idOf returns the id of the fact in a key.
func idOf(key string) string {
	id, _, _ := strings.Cut(key, "@")
	return id
}

// keeping adds to a summary the themes of the earlier one none of whose facts it cites.
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

// fit shortens a summary to a number of tokens, measured as sessions are shown it. It
// removes the last line of the longest theme until the summary fits, but leaves each
// theme a line. It returns false if that is still too long.
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
