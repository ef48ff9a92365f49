package memorytool

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// shownLine returns a line as the model sees it, with anything that could be taken for
// markup escaped.
func shownLine(line string) string {
	body, end := line, ""
	if strings.HasSuffix(line, "\r") {
		body, end = line[:len(line)-1], "\r"
	}
	return strings.ReplaceAll(fence.Text(body), "\n", " ") + end
}

// notes returns the warnings about the text of a file, each on a line without a number.
func (f file) notes() string {
	var b strings.Builder
	for _, note := range secrets.Notes(f.text(), f.doc.Foreign) {
		b.WriteString("\n[" + note + "]")
	}
	return b.String()
}

// longestMapped is the longest line, in bytes, in which a shown text is mapped back to
// the original.
const longestMapped = 4096

// meant returns the parts of a text that are shown as seen although the stored text
// differs: it has a tag, a link, or an invisible character there.
func meant(text, seen string) (parts []string) {
	lines, want := strings.Split(text, "\n"), strings.Split(seen, "\n")
	shown := make([]string, len(lines))
	for i, line := range lines {
		shown[i] = shownLine(line)
	}
	for i := 0; i+len(want) <= len(lines); i++ {
		if from, to, ok := span(lines[i:i+len(want)], shown[i:i+len(want)], want); ok {
			whole := strings.Join(lines[i:i+len(want)], "\n")
			parts = append(parts, whole[from:len(whole)-to])
		}
	}
	return parts
}

// span reports whether some lines, as they are shown, contain the lines of want. It
// returns how many bytes precede the match in the first line and follow it in the last.
func span(lines, shown, want []string) (before, behind int, ok bool) {
	last := len(want) - 1
	for i := 1; i < last; i++ {
		if shown[i] != want[i] {
			return 0, 0, false
		}
	}
	begin, end := strings.Index(shown[0], want[0]), len(want[last])
	switch {
	case last == 0:
		end += begin
	case !strings.HasPrefix(shown[last], want[last]):
		return 0, 0, false
	default:
		begin = len(shown[0]) - len(want[0])
		if begin < 0 || shown[0][begin:] != want[0] {
			return 0, 0, false
		}
	}
	if begin < 0 {
		return 0, 0, false
	}
	before, okBefore := shownAs(lines[0], shown[0][:begin])
	until, okUntil := shownAs(lines[last], shown[last][:end])
	return before, len(lines[last]) - until, okBefore && okUntil
}

// shownAs returns how many bytes of a line are shown as seen, from its start.
func shownAs(line, seen string) (n int, ok bool) {
	if len(line) > longestMapped {
		return 0, false
	}
	if shownLine(line) == seen {
		return len(line), true
	}
	for n = 0; n < len(line); {
		if shownLine(line[:n]) == seen {
			return n, true
		}
		_, size := utf8.DecodeRuneInString(line[n:])
		n += size
	}
	return 0, false
}

// restored replaces ‹ by < in a text that a model wrote, if the text that it saw had < in
// the original.
func restored(written, original string) string {
	if !strings.Contains(original, "<") || strings.Contains(original, "‹") {
		return written
	}
	return strings.ReplaceAll(written, "‹", "<")
}
