package markdown

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// DreamedBudget is the maximum total size in bytes of the blocks of promoted facts in
// MEMORY.md. It equals the part of a prompt reserved for generated blocks, so that all of
// them are included.
const DreamedBudget = PromptBytes / 4

// dreamedTitle is the beginning of the titles of blocks of promoted facts.
const dreamedTitle = "Dreamed "

// DreamedTitle returns the title of the block of facts promoted at a time.
func DreamedTitle(at time.Time) string {
	return dreamedTitle + at.UTC().Format("2006-01-02 15:04") + " UTC"
}

// DreamedText returns the text of the item of a promoted fact.
func DreamedText(text string, p strata.Promotion) string {
	const room = 80 // for what follows
	return fmt.Sprintf("%s _(score %.2f, %s, %s)_", escapeMarkers(text, MaxItem-room), p.Score, count(p.Recalls, "hit"), count(p.Days, "day"))
}

// count writes a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Block is a generated block of MEMORY.md.
type Block struct {
	Title string
	Items []Item // in the order in which they are written
}

// Size returns the number of bytes that the block takes in a file.
func (b Block) Size() int {
	if len(b.Items) == 0 {
		return 0
	}
	n := len("\n" + b.heading() + "\n\n")
	for _, it := range b.Items {
		n += len(it.blockLine()) + len("\n")
	}
	return n
}

func (b Block) heading() string { return "## " + escapeMarkers(b.Title, MaxTitle) + blockMark }

func isDreamed(heading string) bool { return strings.HasPrefix(heading, "## "+dreamedTitle) }

// PutDreamed returns MEMORY.md with exactly these blocks of promoted facts, each with its
// items in order. Existing blocks keep their places; new ones are added at the end of the
// file. Promoted items are removed from other blocks. Text that people wrote is never
// changed, and a line that a person changed replaces its item.
func PutDreamed(content string, blocks []Block) string {
	wanted := make(map[string]string) // heading by decision
	for _, b := range blocks {
		for _, it := range b.Items {
			wanted[it.Decision] = b.heading()
		}
	}
	lines := linesOf(content)
	eol := lineEndOf(content)
	classes := classify(strata.IndexPath, lines)
	gone, own := make([]bool, len(lines)), make(map[string]bool)
	above, found := "", false
	for i, line := range lines {
		line = trimEOL(line)
		l, ok := itemLineOf(line)
		switch {
		case classes[i] == head:
			above = line
			found = found || isDreamed(line)
		case classes[i] == item:
			_, promoted := wanted[l.decision]
			gone[i] = isDreamed(above) && wanted[l.decision] != above || !isDreamed(above) && promoted
			found = found || gone[i]
		case ok:
			own[l.decision] = true // a person changed it
		}
	}
	if !found && len(blocks) == 0 {
		return content
	}
	for i := range lines {
		if gone[i] && classes[i] == item {
			if h := emptyHead(classes, gone, i); h >= 0 && !isWanted(blocks, trimEOL(lines[h])) {
				gone[h] = true
			}
		}
	}
	lines = remaining(lines, gone)
	for _, b := range blocks {
		b.Items = slices.DeleteFunc(slices.Clone(b.Items), func(it Item) bool {
			return own[it.Decision] || !isDecision(it.Decision) || escapeMarkers(it.Text, MaxItem) == ""
		})
		lines = b.put(lines, eol)
	}
	return joinLines(lines, eol, content)
}

// remaining returns the lines that are not gone. Of the blank lines around removed lines,
// it keeps one.
func remaining(lines []string, gone []bool) (out []string) {
	removed := false // a line was removed since the last one kept
	for i, line := range lines {
		switch {
		case gone[i] || removed && isBlank(line) && (len(out) == 0 || isBlank(out[len(out)-1])):
			removed = true
		default:
			out, removed = append(out, line), false
		}
	}
	for removed && len(out) > 0 && isBlank(out[len(out)-1]) {
		out = out[:len(out)-1]
	}
	return out
}

func isWanted(blocks []Block, heading string) bool {
	return slices.ContainsFunc(blocks, func(b Block) bool { return len(b.Items) > 0 && b.heading() == heading })
}

// put writes the items of the block under its heading, or the whole block at the end of
// the file.
func (b Block) put(lines []string, eol string) []string {
	var want []string
	for _, it := range b.Items {
		want = append(want, it.blockLine()+eol)
	}
	classes := classify(strata.IndexPath, lines)
	from, to := -1, len(lines)
	for i := range lines {
		if classes[i] != head {
			continue
		}
		if from >= 0 {
			to = i
			break
		}
		if trimEOL(lines[i]) == b.heading() {
			from = i
		}
	}
	if from < 0 {
		if len(want) == 0 {
			return lines
		}
		if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
			lines[n-1] += eol
		}
		if n := len(lines); n > 0 && !isBlank(lines[n-1]) {
			lines = append(lines, eol)
		}
		return append(append(lines, b.heading()+eol, eol), want...)
	}
	at := from + 1 // index of the first item
	var have []string
	rest := make([]string, 0, to-from)
	for i := from + 1; i < to; i++ {
		if classes[i] == item {
			if have == nil {
				at = from + 1 + len(rest)
			}
			have = append(have, trimEOL(lines[i])+eol)
			continue
		}
		rest = append(rest, lines[i])
	}
	if slices.Equal(have, want) {
		return lines
	}
	if have == nil && len(rest) > 0 && isBlank(rest[0]) {
		at++
	}
	out := append(slices.Clone(lines[:from+1]), rest[:at-from-1]...)
	out = append(out, want...)
	return append(append(out, rest[at-from-1:]...), lines[to:]...)
}
