package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/strata-memory/strata"
)

// Limits of the part of MEMORY.md that goes into a prompt.
const (
	PromptLines = 200
	PromptBytes = 25_600
	// OldAfter is the age from which a note is shown with its age.
	OldAfter = 90 * 24 * time.Hour
)

// noteLines and noteBytes are reserved for the lines that say what was omitted, one for
// each kind of text.
const (
	noteLines = 3
	noteBytes = 300
)

// budget is the number of lines and bytes still available.
type budget struct{ lines, bytes int }

func (r budget) fits(o budget) bool    { return o.lines <= r.lines && o.bytes <= r.bytes }
func (r budget) minus(o budget) budget { return budget{r.lines - o.lines, r.bytes - o.bytes} }
func (r budget) share(percent int) budget {
	return budget{r.lines * percent / 100, r.bytes * percent / 100}
}

// PromptIndex returns the part of MEMORY.md that goes into a prompt: at most
// [PromptLines] lines and [PromptBytes] bytes, with the index of these entries even if
// that in the file is stale or missing, and without marks for programs. Notes older than
// [OldAfter] at now are shown with their age. The result is not fenced.
//
// If the content is too long, 40 percent are for people's text, from its beginning; 35
// for the index, in the order of the entries; and 25 for generated blocks, first promoted
// facts and then the newest items. Unused parts go to the blocks, then to the index, then
// to people's text. A line for each of the three says how much is omitted.
func PromptIndex(content string, entries []Entry, now time.Time) string {
	_, first := frontOf(content)
	content = strings.TrimPrefix(PutIndex(strings.ToValidUTF8(content, "\uFFFD"), entries), byteOrder)
	lines := linesOf(content)
	classes := classify(strata.IndexPath, lines)
	code := fenced(lines)
	ages := agesOf(entries, now)
	p := prompt{shown: make([]bool, len(lines))}
	for i, line := range lines {
		line = strings.TrimRight(trimEOL(line), " \t")
		if i < first || classes[i] == marker || !code[i] && isComment(line) {
			line = ""
		} else {
			line = promptLine(line, classes[i], ages)
		}
		p.lines = append(p.lines, line)
		if line == "" {
			continue
		}
		switch classes[i] {
		case entry:
			p.index = append(p.index, i)
		case item:
			p.items = append(p.items, i)
		case head: // comes with its items
		default:
			p.people = append(p.people, i)
		}
	}
	p.head = func(i int) int {
		for i--; i >= 0; i-- {
			if classes[i] == head {
				return i
			}
		}
		return -1
	}
	dreamt := func(i int) int { // heading of the block in which an item was promoted; -1 for other items
		if h := p.head(i); h >= 0 && isDreamed(lines[h]) {
			return h
		}
		return -1
	}
	// Promoted items come first: the newest block, and in each block the strongest item,
	// which is its first. The other items follow, newest first.
	slices.SortStableFunc(p.items, func(a, b int) int {
		if c := cmp.Compare(dreamt(b), dreamt(a)); c != 0 || dreamt(a) >= 0 {
			return c
		}
		return cmp.Compare(decisionOf(trimEOL(lines[b])), decisionOf(trimEOL(lines[a])))
	})
	return p.text()
}

// promptLine returns a line of MEMORY.md without marks for programs. The line of an old
// note includes its age.
func promptLine(line string, c class, ages map[string]string) string {
	switch {
	case c == head:
		return strings.TrimSuffix(line, blockMark)
	case c == item:
		l, _ := itemLineOf(line)
		return "- " + l.text
	case c == entry, c == human && entryLine.MatchString(line):
		line, _ = cutCode(line)
		if m := entryLine.FindStringSubmatch(line); m != nil {
			line += ages[m[2]]
		}
	}
	return line
}

// agesOf returns the ages of old notes to show, by the target of the note's link.
func agesOf(entries []Entry, now time.Time) map[string]string {
	out := make(map[string]string)
	for _, e := range entries {
		if age := now.Sub(e.At); !e.At.IsZero() && age > OldAfter {
			out[escapePath(e.Path)] = fmt.Sprintf(" (%d days old)", int(age.Hours()/24))
		}
	}
	return out
}

// prompt chooses the lines of a prompt.
type prompt struct {
	lines                []string // as shown; empty for those never shown
	people, index, items []int    // indexes of lines, most important first
	shown                []bool
	head                 func(item int) int // the heading of an item; -1 for none
	left                 budget
}

func (p *prompt) text() string {
	people, index, items := p.people, p.index, p.items
	p.left = budget{PromptLines, PromptBytes}
	all := p.take(&p.items, p.left) && p.take(&p.index, p.left) && p.take(&p.people, p.left)
	if all {
		return collapseSpace(p.chosen(nil))
	}
	// Too much: start again and divide the budget.
	p.people, p.index, p.items = people, index, items
	clear(p.shown)
	total := budget{PromptLines - noteLines, PromptBytes - noteBytes}
	p.left = total
	p.take(&p.people, total.share(40))
	p.take(&p.index, total.share(35))
	p.take(&p.items, total.share(25))
	p.take(&p.items, total)
	p.take(&p.index, total)
	p.take(&p.people, total)
	p.cutLine()
	notes := make(map[int]string)
	note := func(all, left []int, format string) {
		if len(left) == 0 {
			return
		}
		last := -1
		for _, i := range all {
			if p.shown[i] {
				last = max(last, i)
			}
		}
		notes[last] += fmt.Sprintf(format, len(left)) + "\n"
	}
	note(people, p.people, "(cut: %d more lines stand in MEMORY.md)")
	note(index, p.index, "(cut: %d more notes are found by search)")
	note(items, p.items, "(cut: %d older items stand in MEMORY.md)")
	return collapseSpace(p.chosen(notes))
}

// take selects lines from the front of a list while they fit both most and p.left. It
// reports whether all did.
func (p *prompt) take(list *[]int, most budget) bool {
	for len(*list) > 0 {
		i := (*list)[0]
		cost := p.cost(i)
		h := -1
		if list == &p.items {
			h = p.head(i)
		}
		withHead := h >= 0 && !p.shown[h]
		if withHead {
			c := p.cost(h)
			cost = budget{cost.lines + c.lines, cost.bytes + c.bytes}
		}
		if !most.fits(cost) || !p.left.fits(cost) {
			return false
		}
		most, p.left = most.minus(cost), p.left.minus(cost)
		p.shown[i] = true
		if withHead {
			p.shown[h] = true
		}
		*list = (*list)[1:]
	}
	return true
}

// cost returns the maximum cost of a line: itself and a blank line before it.
func (p *prompt) cost(i int) budget {
	c := budget{1, len(p.lines[i]) + 1}
	if i == 0 || p.lines[i-1] == "" {
		c.lines, c.bytes = 2, c.bytes+1
	}
	return c
}

// cutLine selects the beginning of the first of people's lines that does not fit, if
// there is room for a good part of it.
func (p *prompt) cutLine() {
	if len(p.people) == 0 {
		return
	}
	i := p.people[0]
	if n := p.left.bytes - 8; n > 400 && p.left.lines > 2 && len(p.lines[i]) > n {
		for n > 0 && !utf8.RuneStart(p.lines[i][n]) {
			n--
		}
		p.lines[i] = p.lines[i][:n] + "…"
		p.shown[i] = true
	}
}

// chosen returns the selected lines with blank lines between them, and each note after
// its line; -1 means before the first.
func (p *prompt) chosen(notes map[int]string) []string {
	out := linesOf(notes[-1])
	gap := false
	for i, line := range p.lines {
		switch {
		case line == "":
			gap = true
		case p.shown[i]:
			if gap {
				out = append(out, "")
			}
			out, gap = append(out, line), false
		default: // the blank lines before it are omitted too
			gap = false
		}
		out = append(out, linesOf(notes[i])...)
	}
	return out
}
