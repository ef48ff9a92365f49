package markdown

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/strata-memory/strata/internal/secrets/fence"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// linesOf returns the lines of a text with their ends. Joined, they are the
// text.
func linesOf(content string) []string {
	if content == "" {
		return nil
	}
	lines := strings.SplitAfter(content, "\n")
	if n := len(lines) - 1; lines[n] == "" {
		lines = lines[:n]
	}
	return lines
}

// trimEOL returns a line without its line end.
func trimEOL(line string) string { return strings.TrimRight(line, "\r\n") }

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// lineEndOf returns the line end of a text's first line.
func lineEndOf(content string) string {
	first, _ := cutLine(content)
	if strings.HasSuffix(strings.TrimSuffix(first, "\n"), "\r") {
		return "\r\n"
	}
	return "\n"
}

// codeFence matches the line that opens or closes a block of code.
var codeFence = lazyregexp.New("^ {0,3}(`{3,}|~{3,})(.*)$")

// fenced reports for each line whether it is in a closed code block. A block that is not
// closed does not count.
func fenced(lines []string) []bool {
	out := make([]bool, len(lines))
	open, mark := -1, ""
	for i, line := range lines {
		if !strings.Contains(line, "```") && !strings.Contains(line, "~~~") {
			continue
		}
		m := codeFence.FindStringSubmatch(trimEOL(line))
		switch {
		case m == nil:
		case open < 0:
			if m[1][0] == '~' || !strings.Contains(m[2], "`") {
				open, mark = i, m[1]
			}
		case m[1][0] == mark[0] && len(m[1]) >= len(mark) && isBlank(m[2]):
			for j := open; j <= i; j++ {
				out[j] = true
			}
			open = -1
		}
	}
	return out
}

// MaxItem is the maximum length in characters of the text of a generated line. Longer
// text is truncated.
const MaxItem = 2_000

// escapeMarkers returns text from memory in a form that is safe in a generated line: on one
// line, without characters that hide or turn text, and with nothing that could
// close a comment, open a tag or block of code, or pose as a marker.
func escapeMarkers(s string, limit int) string {
	s = strings.ReplaceAll(fence.Line(s), "-->", "--›")
	return fence.Cut(s, limit)
}

// hashOfLine returns a short hash of the text of a generated line. If the hash of a line
// differs from its code, a person changed the line.
func hashOfLine(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:3])
}

// collapseSpace joins lines with "\n", without blank lines at the ends or several in a
// row.
func collapseSpace(lines []string) string {
	var b strings.Builder
	gap := false
	for _, line := range lines {
		line = trimEOL(line)
		if isBlank(line) {
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte('\n')
		}
		gap = false
		b.WriteString(line + "\n")
	}
	return b.String()
}
