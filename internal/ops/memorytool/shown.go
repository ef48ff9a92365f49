package memorytool

import (
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/secrets"
	"github.com/strata-memory/strata/internal/secrets/fence"
)

// shownLine is a line of a file as the model sees it: what could be taken for markup is
// defused.
func shownLine(line string) string {
	body, end := line, ""
	if strings.HasSuffix(line, "\r") {
		body, end = line[:len(line)-1], "\r"
	}
	return strings.ReplaceAll(fence.Text(body), "\n", " ") + end
}

// notes say below a file what a reader must know of its text, each on a line without a number.
func (f file) notes() string {
	var b strings.Builder
	for _, note := range secrets.Notes(f.text(), f.doc.Foreign) {
		b.WriteString("\n[" + note + "]")
	}
	return b.String()
}

// longestMapped is the longest line in which what the model saw is looked for, in bytes.
const longestMapped = 4096

// meant returns the parts of a text that are shown as the model wrote them, where the text
// itself is another: a tag, a link, or a character that shows nothing.
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

// span returns how many bytes stand before what is wanted in the first of some lines, and
// behind it in the last, if they are shown so.
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

// shownAs returns how much of a line is shown as the beginning of what the model saw.
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

// restored returns a text that the model wrote for one that it saw, with the sign of tags
// that stood there.
func restored(written, original string) string {
	if !strings.Contains(original, "<") || strings.Contains(original, "‹") {
		return written
	}
	return strings.ReplaceAll(written, "‹", "<")
}
