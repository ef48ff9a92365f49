package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"github.com/strata-memory/strata/internal/text"
)

// block is a part of a document: text written by people, or one generated block.
type block struct {
	lines     []string
	generated bool
}

// divide separates generated blocks from text written by people. A generated block begins
// with a heading that Strata writes, "## Extracted …" or "## Dreamed …". It ends at the
// next heading of the same or a higher level, or where text follows its items after an
// empty line, because a person wrote that.
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

// leaveOut removes from generated blocks the items whose text, in the normal form of
// package internal/text, is shown elsewhere.
func (m *source) leaveOut(shown map[string]bool) {
	for i, b := range m.blocks {
		if !b.generated {
			continue
		}
		m.blocks[i].lines = slices.DeleteFunc(slices.Clone(b.lines), func(line string) bool {
			item, ok := strings.CutPrefix(line, "- ")
			item, _, _ = strings.Cut(item, " _(") // followed by why it was promoted
			return ok && shown[text.Normalize(item)]
		})
	}
	m.dropEmpty()
	m.part.Total = len(m.lines())
}

// dropEmpty removes generated blocks that hold only their heading.
func (m *source) dropEmpty() {
	m.blocks = slices.DeleteFunc(m.blocks, func(b block) bool {
		return len(b.lines) == 0 || b.generated && !slices.ContainsFunc(b.lines[1:], func(line string) bool { return strings.TrimSpace(line) != "" })
	})
}

// limitGenerated limits the generated blocks of all indexes together, so that a prompt
// does not grow with memory. A session does not need them at its start, because recall
// finds what they say. Text written by people has priority, but leaves them at least a
// quarter.
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

// keepGenerated keeps as much of the generated blocks as fits into chars characters,
// starting with the last block, which is the newest, and notes how many items are
// missing.
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
