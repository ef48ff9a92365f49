package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// block is a part of a document: text of a person, or one generated block.
type block struct {
	lines     []string
	generated bool
}

// divide separates generated blocks from text of people. A generated block begins with
// one of the headings that Strata writes, "## Extracted …" and "## Dreamed …", and ends at
// the next heading of that level or above, or where somebody wrote below its items: after
// an empty line.
func (m *source) divide() {
	lines := m.blocks[0].lines
	m.blocks = nil
	begin, generated, items := 0, false, false
	flush := func(end int) {
		if end > begin {
			m.blocks = append(m.blocks, block{lines[begin:end], generated})
		}
		begin = end
	}
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "):
			flush(i)
			generated, items = isGenerated(line), false
		case generated && items && line != "" && lines[i-1] == "":
			flush(i)
			generated = false
		case isItem(line):
			items = true
		}
	}
	flush(len(lines))
}

func isGenerated(heading string) bool {
	for _, word := range []string{"## Extracted", "## Dreamed"} {
		if rest, ok := strings.CutPrefix(heading, word); ok && (rest == "" || rest[0] == ' ') {
			return true
		}
	}
	return false
}

func isItem(line string) bool { return strings.HasPrefix(line, "- ") }

// leaveOut takes the items out of generated blocks whose text, in the normal form of
// package internal/text, is shown elsewhere.
func (m *source) leaveOut(shown map[string]bool) {
	for i, b := range m.blocks {
		if !b.generated {
			continue
		}
		m.blocks[i].lines = slices.DeleteFunc(slices.Clone(b.lines), func(line string) bool {
			item, ok := strings.CutPrefix(line, "- ")
			item, _, _ = strings.Cut(item, " _(") // what it was promoted for
			return ok && shown[text.Normalize(item)]
		})
	}
	m.dropEmpty()
	m.part.Total = len(m.lines())
}

// dropEmpty takes away generated blocks that hold nothing but their heading.
func (m *source) dropEmpty() {
	m.blocks = slices.DeleteFunc(m.blocks, func(b block) bool {
		return len(b.lines) == 0 || b.generated && !slices.ContainsFunc(b.lines[1:], func(line string) bool { return strings.TrimSpace(line) != "" })
	})
}

// limitGenerated bounds the generated blocks of all indexes together. They are what a
// session does not need to begin with, for recall finds it: text of people counts first,
// and leaves them a quarter in any case. So a prompt does not grow with memory.
func (c *content) limitGenerated(chars int) {
	needs, written := make([]int, len(c.indexes)), 0
	for i, m := range c.indexes {
		for _, b := range m.blocks {
			n := costOf(b.lines...).chars
			if b.generated {
				needs[i] += n
			} else {
				written += n
			}
		}
	}
	for i, share := range fair(max(chars-written, chars/4, 0), needs) {
		if share < needs[i] {
			c.indexes[i].keepGenerated(share)
		}
	}
}

// keepGenerated keeps what of the generated blocks fits into a number of characters, the
// newest block, which is the last, before the others, and says how many items are missing.
func (m *source) keepGenerated(chars int) {
	all := m.items()
	left := budget{unlimited.lines, unlimited.bytes, chars}
	full := false
	for i, b := range slices.Backward(m.blocks) {
		switch {
		case !b.generated:
		case full:
			m.blocks[i].lines = nil
		default:
			m.blocks[i].lines = left.takeBlock(b.lines)
			full = len(m.blocks[i].lines) < len(b.lines) || cutShort(m.blocks[i].lines, b.lines)
		}
	}
	m.dropEmpty()
	if missing := all - m.items(); missing > 0 {
		m.notes = append(m.notes, fmt.Sprintf("(%d more that memory noted are found with memory_recall)", missing))
	}
}

// items counts the items of generated blocks.
func (m *source) items() (n int) {
	for _, b := range m.blocks {
		for _, line := range b.lines {
			if b.generated && isItem(line) {
				n++
			}
		}
	}
	return n
}
