package snapshot

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata/internal/secrets/fence"
)

// budget is the space that a text takes or may still take: lines and bytes as in its
// file, characters as in the prompt.
type budget struct{ lines, bytes, chars int }

// unlimited is a budget that fits everything.
var unlimited = budget{math.MaxInt, math.MaxInt, math.MaxInt}

// costOf returns the space that lines take.
func costOf(lines ...string) budget {
	c := budget{lines: len(lines)}
	for _, line := range lines {
		c.bytes += len(line) + 1
		c.chars += utf8.RuneCountInString(line) + fence.QuoteCost
	}
	return c
}

func (r budget) fits(c budget) bool {
	return c.lines <= r.lines && c.bytes <= r.bytes && c.chars <= r.chars
}

func (r budget) plus(c budget) budget {
	return budget{r.lines + c.lines, r.bytes + c.bytes, r.chars + c.chars}
}
func (r budget) minus(c budget) budget {
	return budget{r.lines - c.lines, r.bytes - c.bytes, r.chars - c.chars}
}

func (r budget) min(c budget) budget {
	return budget{min(r.lines, c.lines), min(r.bytes, c.bytes), min(r.chars, c.chars)}
}

// quarter is the share of an index that text written by people leaves to generated
// blocks.
func (r budget) quarter() budget { return budget{r.lines / 4, r.bytes / 4, r.chars / 4} }

// takeHead takes the first lines that fit. If the first line alone is too long, takeHead
// cuts it.
func (r *budget) takeHead(lines []string) []string {
	for i, line := range lines {
		c := costOf(line)
		if !r.fits(c) {
			if i == 0 {
				return r.takeCut(line)
			}
			return lines[:i]
		}
		*r = r.minus(c)
	}
	return lines
}

// takeTail takes the last entries that fit. An entry begins with a line that is neither
// empty nor indented. If the last entry alone is too long, takeTail cuts it.
func (r *budget) takeTail(lines []string) []string {
	start := len(lines)
	left := *r
	for i := len(lines) - 1; i >= 0; i-- {
		c := costOf(lines[i])
		if !left.fits(c) {
			break
		}
		left = left.minus(c)
		if beginsEntry(lines[i]) {
			start, *r = i, left
		}
	}
	if start < len(lines) || len(lines) == 0 {
		return lines[start:]
	}
	last := len(lines) - 1
	for last > 0 && !beginsEntry(lines[last]) {
		last--
	}
	return r.takeHead(lines[last:])
}

func beginsEntry(line string) bool {
	return line != "" && !strings.HasPrefix(line, " ")
}

// minCut is the fewest characters of a line that are worth showing.
const minCut = 40

// takeCut takes the beginning of a line that does not fit.
func (r *budget) takeCut(line string) []string {
	limit := min(r.chars-fence.QuoteCost, r.bytes-1)
	if r.lines < 1 || limit < minCut {
		return nil
	}
	short := fence.Cut(line, limit)
	for !r.fits(costOf(short)) { // multibyte characters
		limit = limit * 3 / 4
		if limit < minCut {
			return nil
		}
		short = fence.Cut(line, limit)
	}
	*r = r.minus(costOf(short))
	return []string{short}
}
