package markdown

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/strata-memory/strata"
)

// BlockBudget is the default size limit in bytes for the generated blocks of a file: an
// eighth of the part of MEMORY.md that is in prompts. The blocks show what is new. Every
// session reads them, so they do not grow with memory. Older facts are found by recall,
// and are promoted if that happens often.
const BlockBudget = PromptBytes / 8

// Item is one generated line. Decision is the id of the decision that led to it, by which
// the line is found again. It is empty only for lines that people wrote in a daily log.
type Item struct {
	Text, Decision string
	At             time.Time
}

// isDecision reports whether id has the form of a decision id.
func isDecision(id string) bool {
	rest, ok := strings.CutPrefix(id, "dec_")
	return ok && rest != "" && len(rest) <= 40 &&
		strings.Trim(rest, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") == ""
}

func (it Item) blockLine() string {
	text := escapeMarkers(it.Text, MaxItem)
	return "- " + text + " <!-- " + it.Decision + " " + hashOfLine(text) + " -->"
}

// PutBlock adds items to a generated block of MEMORY.md: a heading and one item per line,
// sorted by decision. If there is no block with this title, it is added at the end of the
// file. Items already in any block stay unchanged. Items without text or decision are
// ignored.
//
// All generated blocks, apart from those of [PutDreamed], together take at most budget
// bytes; 0 or less means [BlockBudget]. The items of the oldest decisions are removed
// first, but an item that is too long for what the newer ones leave is removed before
// those older than it. A heading is removed with its last item. PutBlock never changes
// text that people wrote, even between items, and does not count it.
func PutBlock(content, title string, items []Item, budget int) string {
	if budget <= 0 {
		budget = BlockBudget
	}
	lines := linesOf(content)
	classes := classify(strata.IndexPath, lines)
	eol := lineEndOf(content)
	heading := "## " + escapeMarkers(title, MaxTitle) + blockMark
	added, gone := choose(lines, classes, heading+eol, items, budget, len(eol))
	lines = without(lines, classes, gone)
	if len(added) > 0 {
		lines = addBlock(lines, heading, added, eol)
	}
	return joinLines(lines, eol, content)
}

// choose returns the items to add and the lines to remove, so that the newest items are
// kept within the budget.
func choose(lines []string, classes []class, heading string, items []Item, budget, eol int) (added []Item, gone []bool) {
	gone = make([]bool, len(lines))
	paid := make(map[int]bool) // headings that are counted
	for _, c := range blockItems(lines, classes, heading, items, eol) {
		size := c.size
		switch {
		case paid[c.head] || c.head == -1:
		case c.head == newHead:
			size += len(heading)
		default:
			size += len(lines[c.head])
		}
		if size > budget {
			if c.line >= 0 {
				gone[c.line] = true
			}
			continue
		}
		budget -= size
		paid[c.head] = true
		if c.line < 0 {
			added = append(added, c.Item)
		}
	}
	for i := range lines {
		if !gone[i] || classes[i] != item {
			continue
		}
		if h := emptyHead(classes, gone, i); h >= 0 && !paid[h] {
			gone[h] = true
		}
	}
	slices.Reverse(added)
	return added, gone
}

// newHead stands for the heading of a block that does not exist yet.
const newHead = -2

// blockItem is an item that is in a block or will be.
type blockItem struct {
	Item
	line, head int // indexes of its line and its heading; -1 for none
	size       int // bytes of its line
}

// blockItems returns the items of all blocks that share a budget with the block under a
// heading, and the new items, newest first.
func blockItems(lines []string, classes []class, heading string, items []Item, eol int) []blockItem {
	var all []blockItem
	have := make(map[string]bool)
	above, below := -1, newHead
	for i, line := range lines {
		line = trimEOL(line)
		l, ok := itemLineOf(line)
		if ok {
			have[l.decision] = true
		}
		switch {
		case classes[i] == head:
			above = i
			if below == newHead && line == trimEOL(heading) {
				below = i
			}
		case classes[i] == item && above >= 0 && isDreamed(lines[above]) != isDreamed(heading):
			// It is in a block with another budget.
		case classes[i] == item:
			all = append(all, blockItem{Item{Decision: l.decision}, i, above, len(lines[i])})
		}
	}
	for _, it := range items {
		if have[it.Decision] || !isDecision(it.Decision) || escapeMarkers(it.Text, MaxItem) == "" {
			continue
		}
		have[it.Decision] = true
		all = append(all, blockItem{it, -1, below, len(it.blockLine()) + eol})
	}
	slices.SortStableFunc(all, func(a, b blockItem) int { return cmp.Compare(b.Decision, a.Decision) })
	return all
}

// addBlock inserts items under their heading, which it adds if necessary.
func addBlock(lines []string, heading string, added []Item, eol string) []string {
	classes := classify(strata.IndexPath, lines)
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += eol
	}
	put := func(at int, line string, c class) {
		lines, classes = slices.Insert(lines, at, line+eol), slices.Insert(classes, at, c)
	}
	from := -1
	for i := range lines {
		if classes[i] == head && trimEOL(lines[i]) == heading {
			from = i
			break
		}
	}
	if from < 0 {
		if n := len(lines); n > 0 && !isBlank(lines[n-1]) {
			put(n, "", human)
		}
		from = len(lines)
		put(from, heading, head)
		put(from+1, "", human)
	}
	for _, it := range added {
		at, own := len(lines), false
		for i := from + 1; i < len(lines) && classes[i] != head; i++ {
			if classes[i] != item {
				continue
			}
			if decisionOf(trimEOL(lines[i])) > it.Decision {
				if !own {
					at = i
				}
				break
			}
			at, own = i+1, true
		}
		if at == len(lines) && !own { // the block has no items
			if at = from + 1; at < len(lines) && isBlank(lines[at]) {
				at++
			}
		}
		put(at, it.blockLine(), item)
	}
	return lines
}

// emptyHead returns the index of the heading above a line if all items under it are gone,
// or -1.
func emptyHead(classes []class, gone []bool, at int) int {
	h := at
	for h >= 0 && classes[h] != head {
		h--
	}
	if h < 0 {
		return -1
	}
	for i := h + 1; i < len(classes) && classes[i] != head; i++ {
		if classes[i] == item && !gone[i] {
			return -1
		}
	}
	return h
}

// without returns the lines that are not gone. It also removes the blank lines that were
// added with a removed heading.
func without(lines []string, classes []class, gone []bool) []string {
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		after := i > 0 && gone[i-1] && classes[i-1] == head
		if gone[i] || after && isBlank(line) && len(out) > 0 && isBlank(out[len(out)-1]) {
			gone[i] = gone[i] || after
			continue
		}
		out = append(out, line)
	}
	return out
}

// Without removes the generated lines of the given decisions, even if a person has
// changed them, and the headings of generated blocks that have no items left. The rest of
// the file stays unchanged.
func Without(content string, decisions map[string]bool) string {
	lines := linesOf(content)
	classes := make([]class, len(lines))
	classifyBlocks(lines, make([]bool, len(lines)), classes)
	gone := make([]bool, len(lines))
	found := false
	for i, line := range lines {
		if id := decisionOf(trimEOL(line)); id != "" && decisions[id] {
			gone[i], found = true, true
		}
	}
	if !found {
		return content
	}
	for i := range lines {
		if gone[i] && classes[i] != head {
			if h := emptyHead(classes, gone, i); h >= 0 {
				gone[h] = true
			}
		}
	}
	return strings.Join(without(lines, classes, gone), "")
}

// ItemDecisions returns the decisions of the generated items in MEMORY.md, without
// duplicates, except for items that a person changed.
func ItemDecisions(content string) (out []string) {
	lines := linesOf(content)
	for i, c := range classify(strata.IndexPath, lines) {
		if id := decisionOf(trimEOL(lines[i])); c == item && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// decisionOf returns the id at the end of a line, or "".
func decisionOf(line string) string {
	if l, ok := itemLineOf(line); ok {
		return l.decision
	}
	l, _ := dailyLineOf(line)
	return l.decision
}
