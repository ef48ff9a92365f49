package markdown

import (
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// Limits of an entry in characters. Longer text is truncated.
const (
	MaxTitle = 120
	MaxHook  = 200
)

// Entry is one line of the index: a note, its path in the scope's directory, and when it
// matters.
type Entry struct {
	Title, Path, Hook string
	// At is when the note was last changed; zero means unknown. It is shown only in
	// prompts; see [PromptIndex].
	At time.Time
}

// ByPath merges two lists of entries and sorts them by path.
func ByPath(a, b []Entry) []Entry {
	out := slices.Concat(a, b)
	slices.SortStableFunc(out, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// Line returns the entry as written in the index, without its code.
func (e Entry) Line() string {
	title := escapeMarkers(e.Title, MaxTitle)
	if title == "" {
		title = escapeMarkers(stem(e.Path), MaxTitle)
	}
	s := "- [" + escape(title) + "](" + escapePath(e.Path) + ")"
	if hook := escapeMarkers(e.Hook, MaxHook); hook != "" {
		s += ": " + hook
	}
	return s
}

// escape escapes the characters that would end the title of a link.
func escape(title string) string {
	if !strings.ContainsAny(title, `\[]`) {
		return title
	}
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`).Replace(title)
}

// escapePath escapes a path as the target of a link. Non-ASCII letters stay readable.
func escapePath(p string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(p) {
		if c := p[i]; c <= ' ' || c == 0x7f || strings.IndexByte(`()<>%\"`, c) >= 0 {
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
			continue
		}
		b.WriteByte(p[i])
	}
	return b.String()
}

// PutIndex returns MEMORY.md with an index of these entries in order. Duplicate paths and
// invalid ones are ignored. PutIndex only replaces lines that it wrote and that are
// unchanged; it never moves or changes text that people wrote, whatever happened to the
// markers. A line inside the index that a person changed stays as the entry of its note.
// If there are no markers, the index is added at the end of the text under the first
// heading; if there are no entries either, nothing changes.
func PutIndex(content string, entries []Entry) string {
	lines := linesOf(content)
	code := fenced(lines)
	classes := classify(strata.IndexPath, lines)
	found := regions(lines, code)
	if len(found) == 0 && len(entries) == 0 {
		return content
	}
	eol := lineEndOf(content)
	if len(found) == 0 {
		at := indexPlace(lines, classes)
		return insertBlock(lines, at, indexBlock(entries, nil), eol, content)
	}

	main := mainRegion(found)
	block := indexBlock(entries, named(lines, classes, main))
	var out []string
	if main.begin < 0 { // only the end marker is left: the index goes before it
		main.begin = main.end
	}
	shut := main.end
	if main.end < 0 { // only the start marker is left: the index ends after its entries
		for shut = main.begin; shut+1 < len(lines) && classes[shut+1] == entry; shut++ {
		}
	}
	for i, line := range lines {
		if i == main.begin {
			out = append(out, block[:len(block)-1]...)
		}
		if classes[i] != marker && classes[i] != entry {
			out = append(out, line)
		}
		if i == shut {
			out = append(out, block[len(block)-1])
		}
	}
	return joinLines(out, eol, content)
}

// mainRegion returns the region that keeps its place: the first one with both markers,
// else the first with a start marker, else the first.
func mainRegion(found []region) region {
	for _, r := range found {
		if r.begin >= 0 && r.end >= 0 {
			return r
		}
	}
	for _, r := range found {
		if r.begin >= 0 {
			return r
		}
	}
	return found[0]
}

// named returns the paths in lines that people wrote inside the index.
func named(lines []string, classes []class, r region) map[string]bool {
	out := make(map[string]bool)
	if r.begin < 0 || r.end < 0 {
		return out
	}
	for i := r.begin + 1; i < r.end; i++ {
		if classes[i] != human {
			continue
		}
		if m := entryLine.FindStringSubmatch(trimEOL(lines[i])); m != nil {
			out[m[2]] = true
		}
	}
	return out
}

// indexBlock returns the markers and the lines between them, except for those of the
// paths in except.
func indexBlock(entries []Entry, except map[string]bool) []string {
	block := []string{indexBegin}
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		p := escapePath(e.Path)
		if strata.ValidatePath(e.Path) != nil || seen[p] || except[p] {
			continue
		}
		seen[p] = true
		line := e.Line()
		block = append(block, line+" <!-- "+hashOfLine(line)+" -->")
	}
	return append(block, indexEnd)
}

// indexPlace returns the index of the line before which to insert a new index, which is
// at the end of the text under the first heading.
func indexPlace(lines []string, classes []class) int {
	src := masked(lines, classes, true)
	headings := 0
	at := len(lines)
	for _, b := range blocks(src) {
		if b.level > 0 {
			if headings++; headings == 2 {
				at = b.line
				break
			}
		}
	}
	for i := range at {
		if classes[i] == head {
			at = i
			break
		}
	}
	for at > 0 && isBlank(lines[at-1]) {
		at--
	}
	return at
}

// insertBlock inserts lines before the line at, separated by blank lines unless these
// would divide a paragraph.
func insertBlock(lines []string, at int, block []string, eol, content string) string {
	before := at == 0 || isBlank(lines[at-1])
	after := at == len(lines) || isBlank(lines[at])
	var out []string
	out = append(out, lines[:at]...)
	if !before && after {
		out = append(out, "")
	}
	out = append(out, block...)
	if before && !after {
		out = append(out, "")
	}
	out = append(out, lines[at:]...)
	return joinLines(out, eol, content)
}

// joinLines joins lines, some of which may lack a line end. The last line ends as it did
// in content.
func joinLines(out []string, eol, content string) string {
	var b strings.Builder
	for i, line := range out {
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") && (i < len(out)-1 || strings.HasSuffix(content, "\n") || generated(line)) {
			b.WriteString(eol)
		}
	}
	return b.String()
}

func generated(line string) bool { return strings.HasSuffix(line, "-->") }
