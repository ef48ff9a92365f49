package markdown

import (
	"path"
	"slices"
	"strings"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text/lazyregexp"
)

// class tells what wrote a line.
type class int

const (
	human    class = iota
	marker         // begins or ends the index
	entry          // of the index
	head           // the heading of a generated block
	item           // line of a generated block or of a daily log
	learning       // of a learnings file
)

const (
	indexBegin = "<!-- strata:index -->"
	indexEnd   = "<!-- /strata:index -->"
	blockMark  = " <!-- strata:block -->"

	// The second lines of learnings.
	contextLine = "  Context: "
	correction  = "  Correction: "
)

// codesOf returns the concatenated codes in a closing marker of the index, and false for
// other lines. Earlier versions stored the codes of all entries there; now each entry has
// its own.
func codesOf(line string) (codes string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "<!-- /strata:index ")
	if !ok {
		return "", false
	}
	rest, ok = strings.CutSuffix(rest, "-->")
	codes = strings.TrimSuffix(rest, " ")
	if !ok || codes == rest && rest != "" || strings.Trim(codes, "0123456789abcdef") != "" {
		return "", false
	}
	return codes, true
}

// itemLine is a line of a block:
//
//   - text <!-- decision code -->
//
// The code is the hash of the text as it was written.
type itemLine struct{ text, decision, code string }

// itemLineOf parses a line without its end.
func itemLineOf(line string) (l itemLine, ok bool) {
	line, starts := strings.CutPrefix(line, "- ")
	line, ends := strings.CutSuffix(line, " -->")
	at := strings.LastIndex(line, " <!-- ")
	if !starts || !ends || at < 0 || strings.IndexByte(line, '\n') >= 0 {
		return l, false
	}
	l.text = line[:at]
	l.decision, l.code, ok = strings.Cut(line[at+len(" <!-- "):], " ")
	ok = ok && isDecision(l.decision) && len(l.code) == 6 && strings.Trim(l.code, "0123456789abcdef") == ""
	return l, ok
}

var (
	entryLine = lazyregexp.New(`^- \[((?:\\.|[^\]\\])*)\]\(([^()\s]+\.md)\)(?:: .*?)?(?: <!-- [0-9a-f]{6} -->)?$`)

	learningHead = lazyregexp.New(`^- \[\d{4}-\d\d-\d\d \d\d:\d\d\] (?:×\d+ since \d{4}-\d\d-\d\d \d\d:\d\d )?(?:(\*\*[^*]+\*\*: .*)|Original:.*)$`)
)

// classify returns the class of each line of the file at a path.
func classify(p string, lines []string) []class {
	out := make([]class, len(lines))
	switch kind := strata.KindOfPath(p); {
	case kind == strata.DocumentIndex:
		code := fenced(lines)
		classifyBlocks(lines, code, out)
		classifyIndex(lines, code, out)
	case kind == strata.DocumentDaily:
		for i, line := range lines {
			if l, ok := dailyLineOf(trimEOL(line)); ok && l.decision != "" {
				out[i] = item
			}
		}
	case path.Dir(p) == "learnings":
		classifyLearnings(lines, out)
	case p == SummaryPath:
		if _, ok := ParseSummary(strings.Join(lines, "")); ok {
			for i := range out {
				out[i] = item
			}
		}
	case hasRegions(p):
		classifyRegions(lines, out)
	}
	return out
}

// classifyBlocks finds generated blocks: headings with their mark, and items whose text
// is as it was written. Lines that a person changed or wrote count as human.
func classifyBlocks(lines []string, code []bool, out []class) {
	for i, line := range lines {
		line = trimEOL(line)
		if code[i] || !strings.HasSuffix(line, "-->") {
			continue
		}
		if strings.HasPrefix(line, "## ") && strings.HasSuffix(line, blockMark) {
			out[i] = head
		} else if isItem(line) {
			out[i] = item
		}
	}
}

func isItem(line string) bool {
	l, ok := itemLineOf(line)
	return ok && hashOfLine(l.text) == l.code
}

// region is the index in a file, given by the numbers of the lines with its markers; -1
// for a missing marker.
type region struct{ begin, end int }

// regions finds the markers of the index and pairs them where possible.
func regions(lines []string, code []bool) []region {
	var out []region
	for i, line := range lines {
		line = strings.TrimSpace(line)
		if code[i] || !strings.HasPrefix(line, "<!-- ") {
			continue
		}
		last := len(out) - 1
		_, isEnd := codesOf(line)
		switch {
		case line == indexBegin:
			out = append(out, region{i, -1})
		case !isEnd:
		case last >= 0 && out[last].end < 0:
			out[last].end = i
		default:
			out = append(out, region{-1, i})
		}
	}
	return out
}

// classifyIndex finds the markers of the index and the lines between them that are
// unchanged: the code at the end of each matches the rest. If the closing marker is
// missing, lines right after the opening marker that look like entries count as such.
func classifyIndex(lines []string, code []bool, out []class) {
	found := regions(lines, code)
	codes := make(map[string]bool)
	for _, r := range found {
		if r.end >= 0 {
			addCodes(codes, lines[r.end])
		}
	}
	from := 0
	for _, r := range found {
		if r.begin >= 0 {
			out[r.begin] = marker
			from = r.begin + 1
		}
		if r.end < 0 {
			for i := from; i < len(lines) && !code[i] && out[i] == human && entryLine.MatchString(trimEOL(lines[i])); i++ {
				out[i] = entry
			}
			continue
		}
		out[r.end] = marker
		for i := from; i < r.end; i++ {
			if !code[i] && out[i] == human && isEntry(trimEOL(lines[i]), codes) {
				out[i] = entry
			}
		}
		from = r.end + 1
	}
}

func addCodes(codes map[string]bool, line string) {
	found, _ := codesOf(line)
	for ; len(found) >= 6; found = found[6:] {
		codes[found[:6]] = true
	}
}

func isEntry(line string, codes map[string]bool) bool {
	plain, code := cutCode(line)
	return strings.HasPrefix(line, "- [") && (code != "" && code == hashOfLine(plain) || codes[hashOfLine(line)])
}

// cutCode splits a line of the index into the text and the code at its end, which is ""
// if there is none.
func cutCode(line string) (plain, code string) {
	rest, ok := strings.CutSuffix(line, " -->")
	at := strings.LastIndex(rest, " <!-- ")
	if !ok || at < 0 {
		return line, ""
	}
	code = rest[at+len(" <!-- "):]
	if len(code) != 6 || strings.Trim(code, "0123456789abcdef") != "" {
		return line, ""
	}
	return rest[:at], code
}

// classifyLearnings finds the learnings of a learnings file, in the form that
// package learnings writes.
func classifyLearnings(lines []string, out []class) {
	for i := 0; i < len(lines); i++ {
		m := learningHead.FindStringSubmatch(trimEOL(lines[i]))
		if m == nil {
			continue
		}
		isError := m[1] != ""
		second := i+1 < len(lines)
		switch {
		case isError && second && strings.HasPrefix(lines[i+1], contextLine),
			!isError && second && strings.HasPrefix(lines[i+1], correction):
			out[i], out[i+1] = learning, learning
			i++
		case isError:
			out[i] = learning
		}
	}
}

// Human returns the content of a file without its generated parts: the index and blocks
// of MEMORY.md, the lines of decisions in daily logs, the learnings in learnings files,
// and the dreams in the diary. It normalizes line ends and blank lines of such files, so
// that two versions are equal if people wrote the same. Other files are returned
// unchanged.
func Human(path, content string) string {
	if !hasGenerated(path) {
		return content
	}
	lines := linesOf(strings.TrimPrefix(content, byteOrder))
	classes := classify(path, lines)
	kept := make([]string, 0, len(lines))
	for i, line := range lines {
		if classes[i] == human {
			kept = append(kept, line)
		}
	}
	return collapseSpace(kept)
}

// hasGenerated reports whether files at this path have generated parts.
func hasGenerated(p string) bool {
	kind := strata.KindOfPath(p)
	return kind == strata.DocumentIndex || kind == strata.DocumentDaily || path.Dir(p) == "learnings" || p == SummaryPath || hasRegions(p)
}

// WithGenerated returns content with its generated parts as they are in another version
// of the file. It replaces the runs of generated lines one by one, whatever people wrote
// between and around them. If the two versions do not have as many of these runs, because
// a person edited the markers, content is returned unchanged.
func WithGenerated(path, content, version string) string {
	if !hasGenerated(path) {
		return content
	}
	isHuman := func(r run) bool { return !r.generated }
	was, is := runsOf(path, content), slices.DeleteFunc(runsOf(path, version), isHuman)
	var out strings.Builder
	for _, r := range was {
		if r.generated {
			if len(is) == 0 {
				return content
			}
			r, is = is[0], is[1:]
		}
		out.WriteString(r.text)
	}
	if len(is) > 0 {
		return content
	}
	return out.String()
}

// run is a sequence of lines that are either all human or all generated.
type run struct {
	text      string
	generated bool
}

func runsOf(path, content string) []run {
	lines := linesOf(content)
	var out []run
	for i, c := range classify(path, lines) {
		if last := len(out) - 1; last >= 0 && out[last].generated == (c != human) {
			out[last].text += lines[i]
		} else {
			out = append(out, run{lines[i], c != human})
		}
	}
	return out
}
