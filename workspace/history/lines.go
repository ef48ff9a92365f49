package history

import (
	"slices"
	"sort"
)

// matched are n lines that are the same in two texts.
type matched struct{ a, b, n int }

// edit replaces the lines a to aEnd of one text by b to bEnd of another.
type edit struct{ a, aEnd, b, bEnd int }

// edits are what lies between matched lines.
func edits(same []matched, lenA, lenB int) []edit {
	var out []edit
	a, b := 0, 0
	for _, m := range append(same, matched{lenA, lenB, 0}) {
		if m.a > a || m.b > b {
			out = append(out, edit{a, m.a, b, m.b})
		}
		a, b = m.a+m.n, m.b+m.n
	}
	return out
}

// Bounds of the search for lines that are the same. Beyond them a part of the
// text is shown as replaced, which is true, if not as short as can be.
const (
	maxNesting = 64
	maxTable   = 1 << 20 // pairs of lines that are compared
)

// matchLines finds lines that are the same in two texts, in order. Lines that
// occur once in each are found first; they are what a reader looks for.
func matchLines(a, b []string) []matched {
	m := matcher{a: a, b: b}
	m.part(0, len(a), 0, len(b), 0)
	return m.out
}

type matcher struct {
	a, b []string
	out  []matched
}

func (m *matcher) add(a, b, n int) {
	if n == 0 {
		return
	}
	if last := len(m.out) - 1; last >= 0 && m.out[last].a+m.out[last].n == a && m.out[last].b+m.out[last].n == b {
		m.out[last].n += n
		return
	}
	m.out = append(m.out, matched{a, b, n})
}

// part matches a part of each text.
func (m *matcher) part(a, aEnd, b, bEnd, depth int) {
	head := 0
	for a+head < aEnd && b+head < bEnd && m.a[a+head] == m.b[b+head] {
		head++
	}
	m.add(a, b, head)
	a, b = a+head, b+head
	tail := 0
	for aEnd-tail > a && bEnd-tail > b && m.a[aEnd-tail-1] == m.b[bEnd-tail-1] {
		tail++
	}
	aEnd, bEnd = aEnd-tail, bEnd-tail
	if a < aEnd && b < bEnd {
		m.middle(a, aEnd, b, bEnd, depth)
	}
	m.add(aEnd, bEnd, tail)
}

// middle matches parts that begin and end differently.
func (m *matcher) middle(a, aEnd, b, bEnd, depth int) {
	anchors := m.anchors(a, aEnd, b, bEnd)
	if len(anchors) == 0 || depth == maxNesting {
		if (aEnd-a)*(bEnd-b) <= maxTable {
			m.table(a, aEnd, b, bEnd)
		}
		return
	}
	for _, at := range anchors {
		if at.a < a || at.b < b {
			continue // the one before reached over it
		}
		m.part(a, at.a, b, at.b, depth+1)
		m.add(at.a, at.b, 1)
		a, b = at.a+1, at.b+1
	}
	m.part(a, aEnd, b, bEnd, depth+1)
}

// anchors are the lines that occur once in each part, as many as are in the
// same order.
func (m *matcher) anchors(a, aEnd, b, bEnd int) []matched {
	type count struct{ inA, inB, atB int }
	counts := make(map[string]count)
	for i := a; i < aEnd; i++ {
		c := counts[m.a[i]]
		c.inA++
		counts[m.a[i]] = c
	}
	for i := b; i < bEnd; i++ {
		if c, ok := counts[m.b[i]]; ok {
			c.inB++
			c.atB = i
			counts[m.b[i]] = c
		}
	}
	// The longest row of growing places, by the ends of the shortest rows.
	var found []matched
	var ends, before []int
	for i := a; i < aEnd; i++ {
		c := counts[m.a[i]]
		if c.inA != 1 || c.inB != 1 {
			continue
		}
		n := sort.Search(len(ends), func(k int) bool { return found[ends[k]].b >= c.atB })
		found = append(found, matched{i, c.atB, 1})
		prior := -1
		if n > 0 {
			prior = ends[n-1]
		}
		before = append(before, prior)
		if n == len(ends) {
			ends = append(ends, 0)
		}
		ends[n] = len(found) - 1
	}
	var out []matched
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			out = append(out, found[i])
		}
	}
	slices.Reverse(out)
	return out
}

// table matches two small parts as well as can be, by comparing every pair.
func (m *matcher) table(a, aEnd, b, bEnd int) {
	rows, cols := aEnd-a, bEnd-b
	best := make([]int32, (rows+1)*(cols+1)) // matches from here to the end
	at := func(i, j int) *int32 { return &best[i*(cols+1)+j] }
	for i := rows - 1; i >= 0; i-- {
		for j := cols - 1; j >= 0; j-- {
			if m.a[a+i] == m.b[b+j] {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < rows && j < cols; {
		switch {
		case m.a[a+i] == m.b[b+j]:
			m.add(a+i, b+j, 1)
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
}
