package textdiff

import (
	"slices"
	"strings"
)

// Merge makes one text of two that were made of the same one, line by line. It reports
// false where both changed the same or neighboring lines in different ways; then it
// cannot be told what is wanted.
func Merge(base, ours, theirs string) (merged string, ok bool) {
	switch {
	case ours == theirs, theirs == base:
		return ours, true
	case ours == base:
		return theirs, true
	}
	b, o, t := lines(base), lines(ours), lines(theirs)
	inOurs, inTheirs := places(match(b, o), len(b), len(o)), places(match(b, t), len(b), len(t))
	var out []string
	at, oAt, tAt := 0, 0, 0
	for at <= len(b) {
		// The next line, or the end, that both have.
		next := at
		for inOurs[next] < 0 || inTheirs[next] < 0 {
			next++
		}
		was, mine, other := b[at:next], o[oAt:inOurs[next]], t[tAt:inTheirs[next]]
		switch {
		case slices.Equal(mine, other), slices.Equal(other, was):
			out = append(out, mine...)
		case slices.Equal(mine, was):
			out = append(out, other...)
		default:
			return "", false
		}
		if next < len(b) {
			out = append(out, b[next])
		}
		at, oAt, tAt = next+1, inOurs[next]+1, inTheirs[next]+1
	}
	return strings.Join(out, ""), true
}

// places are, for each line of the base, where it stands in a version; -1 where it does
// not. The end stands at the end.
func places(pairs [][2]int, base, version int) []int {
	out := make([]int, base+1)
	for i := range out {
		out[i] = -1
	}
	for _, p := range pairs {
		out[p[0]] = p[1]
	}
	out[base] = version
	return out
}
