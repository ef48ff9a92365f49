package markdown

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// SummaryPath is the path of a scope's summary.
const SummaryPath = "memory_summary.md"

// Summary is a summary of a scope's memory, grouped by theme.
type Summary struct{ Themes []SummaryTheme }

// SummaryTheme is what is known about one subject.
type SummaryTheme struct {
	Title string
	Lines []SummaryLine
}

// SummaryLine is one sentence.
type SummaryLine struct {
	Text  string
	Facts []string // ids of the facts on which it is based
}

const (
	summaryHead  = "# Summary of memory\n\n"
	summaryStamp = "<!-- strata:summary "
	summaryNote  = " Strata writes this file from the facts that each line names. A copy that you edit is left as it is. -->\n"
)

// Render returns the content of the summary's file.
func (s Summary) Render() string {
	var b strings.Builder
	for _, t := range s.Themes {
		b.WriteString("\n## " + t.Title + "\n")
		for _, l := range t.Lines {
			b.WriteString("- " + l.Text + " <!-- " + strings.Join(l.Facts, " ") + " -->\n")
		}
	}
	return summaryHead + summaryStamp + summarySum(b.String()) + summaryNote + b.String()
}

// summarySum returns a checksum that shows whether the file was edited.
func summarySum(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:16])
}

// ParseSummary parses a file written by [Summary.Render]. It returns false if a person
// wrote or edited the file.
func ParseSummary(content string) (Summary, bool) {
	rest, ok := strings.CutPrefix(content, summaryHead+summaryStamp)
	sum, body, found := strings.Cut(rest, summaryNote)
	if !ok || !found || sum != summarySum(body) {
		return Summary{}, false
	}
	var s Summary
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if title, ok := strings.CutPrefix(line, "## "); ok {
			s.Themes = append(s.Themes, SummaryTheme{Title: title})
			continue
		}
		text, facts, ok := strings.Cut(strings.TrimPrefix(line, "- "), " <!-- ")
		if !ok || len(s.Themes) == 0 {
			continue
		}
		t := &s.Themes[len(s.Themes)-1]
		t.Lines = append(t.Lines, SummaryLine{text, strings.Fields(strings.TrimSuffix(facts, "-->"))})
	}
	return s, true
}

var summaryComment = lazyregexp.New(`(?s) ?<!--.*?-->\n?`)

// ShownSummary returns what a session is shown of the file: its content without comments.
func ShownSummary(content string) string {
	var out strings.Builder
	for line := range strings.Lines(content) {
		if clean := summaryComment.ReplaceAllString(strings.TrimRight(line, "\n"), ""); clean != "" && !strings.HasPrefix(clean, summaryHead[:len(summaryHead)-2]) {
			out.WriteString(clean + "\n")
		}
	}
	return out.String()
}

// Facts returns the ids of all facts on which the summary is based.
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

// Supported returns the summary without lines based on a fact that is not current, and
// without themes that have no lines left.
func (s Summary) Supported(current func(fact string) bool) Summary {
	var out Summary
	for _, t := range s.Themes {
		lines := slices.DeleteFunc(slices.Clone(t.Lines), func(l SummaryLine) bool {
			return slices.ContainsFunc(l.Facts, func(f string) bool { return !current(f) })
		})
		if len(lines) > 0 {
			out.Themes = append(out.Themes, SummaryTheme{t.Title, lines})
		}
	}
	return out
}
