// Package summary keeps the summary of a scope, the file memory_summary.md, which a model
// writes from facts.
//
// Every line names the facts that it rests on, behind it in a comment. So what is no longer
// so can be taken out without a model, forget finds what rests on a fact, and a theme of
// which facts still hold stays, whatever a model leaves out. The file says which text was
// written: one that a person edited is theirs.
package summary

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/token"
)

// Summary is what a scope's memory holds, by themes.
type Summary struct{ Themes []Theme }

// Theme is what is known of one subject.
type Theme struct {
	Title string
	Lines []Line
}

// Line is one sentence.
type Line struct {
	Text  string
	Facts []string // ids of those that it rests on
}

const (
	heading = "# Summary of memory\n\n"
	stamp   = "<!-- strata:summary "
	note    = " Strata writes this file from the facts that each line names. A copy that you edit is left as it is. -->\n"
)

// Render returns the file of the summary.
func (s Summary) Render() string {
	var b strings.Builder
	for _, t := range s.Themes {
		b.WriteString("\n## " + t.Title + "\n")
		for _, l := range t.Lines {
			b.WriteString("- " + l.Text + " <!-- " + strings.Join(l.Facts, " ") + " -->\n")
		}
	}
	return heading + stamp + sumOf(b.String()) + note + b.String()
}

// sumOf is by what the file tells that it was not edited.
func sumOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:16])
}

// Parse reads a file that Render wrote; false for one that a person wrote or edited.
func Parse(content string) (Summary, bool) {
	rest, ok := strings.CutPrefix(content, heading+stamp)
	sum, body, found := strings.Cut(rest, note)
	if !ok || !found || sum != sumOf(body) {
		return Summary{}, false
	}
	var s Summary
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			s.Themes = append(s.Themes, Theme{Title: title})
			continue
		}
		text, facts, ok := strings.Cut(strings.TrimPrefix(line, "- "), " <!-- ")
		if !ok || len(s.Themes) == 0 {
			continue
		}
		t := &s.Themes[len(s.Themes)-1]
		t.Lines = append(t.Lines, Line{text, strings.Fields(strings.TrimSuffix(facts, "-->"))})
	}
	return s, true
}

var comment = regexp.MustCompile(`(?s) ?<!--.*?-->\n?`)

// Shown returns what a session is shown of a file: its text without comments.
func Shown(content string) string {
	var out strings.Builder
	for line := range strings.Lines(content) {
		if clean := comment.ReplaceAllString(strings.TrimRight(line, "\n"), ""); clean != "" && !strings.HasPrefix(clean, heading[:len(heading)-2]) {
			out.WriteString(clean + "\n")
		}
	}
	return out.String()
}

// Facts are the ids of all facts that the summary rests on.
func (s Summary) Facts() []string {
	var out []string
	for _, t := range s.Themes {
		for _, l := range t.Lines {
			out = append(out, l.Facts...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Supported is the summary without the lines that rest on a fact that is not current, and
// without themes of which no line is left.
func (s Summary) Supported(current func(fact string) bool) Summary {
	var out Summary
	for _, t := range s.Themes {
		lines := slices.DeleteFunc(slices.Clone(t.Lines), func(l Line) bool {
			return slices.ContainsFunc(l.Facts, func(f string) bool { return !current(f) })
		})
		if len(lines) > 0 {
			out.Themes = append(out.Themes, Theme{t.Title, lines})
		}
	}
	return out
}

// keeping is the summary with the themes of an earlier one of which it cites no fact.
func (s Summary) keeping(earlier Summary) Summary {
	cited := make(map[string]bool)
	for _, f := range s.Facts() {
		cited[f] = true
	}
	for _, t := range earlier.Themes {
		if !slices.ContainsFunc(Summary{[]Theme{t}}.Facts(), func(f string) bool { return cited[f] }) {
			s.Themes = append(s.Themes, t)
		}
	}
	return s
}

// fit is the summary within a number of tokens, as a session is shown it: the last lines
// of the longest themes go, but one of each theme stays. It reports whether it fits.
func (s Summary) fit(most int) (Summary, bool) {
	out := Summary{slices.Clone(s.Themes)}
	for token.Count(Shown(out.Render())) > most {
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
