// Package textdiff compares two versions of a text line by line and word by word, and
// merges two versions of the same base.
package textdiff

import (
	"slices"
	"strings"
)

// Limits of a comparison. Parts that exceed them are reported as replaced, which is
// correct, but not the shortest possible result.
const (
	// mostCells is the most cells in the table of an exact comparison: 4 MiB. Longer
	// lists are first cut at items that occur once in both.
	mostCells = 1 << 20
	// mostNesting is how often a part of a list is cut again.
	mostNesting = 64
)

// match returns the indexes of equal items in two lists, ascending in both. It finds the
// most pairs possible if the lists are short between items that occur once in both.
func match(a, b []string) (pairs [][2]int) {
	return matchAt(a, b, 0, 0, 0, nil)
}

// matchAt appends the pairs of a and b, which begin at indexes i and j of the whole
// lists.
func matchAt(a, b []string, i, j, depth int, pairs [][2]int) [][2]int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		pairs = append(pairs, [2]int{i, j})
		a, b, i, j = a[1:], b[1:], i+1, j+1
	}
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	a, b = a[:len(a)-tail], b[:len(b)-tail]
	if len(a)*len(b) <= mostCells {
		pairs = longest(a, b, i, j, pairs)
	} else if depth < mostNesting {
		from, to := 0, 0
		for _, p := range anchors(a, b) {
			pairs = matchAt(a[from:p[0]], b[to:p[1]], i+from, j+to, depth+1, pairs)
			pairs = append(pairs, [2]int{i + p[0], j + p[1]})
			from, to = p[0]+1, p[1]+1
		}
		if from > 0 { // otherwise no common item can be identified
			pairs = matchAt(a[from:], b[to:], i+from, j+to, depth+1, pairs)
		}
	}
	for k := range tail {
		pairs = append(pairs, [2]int{i + len(a) + k, j + len(b) + k})
	}
	return pairs
}

// longest appends the pairs of a longest common subsequence.
func longest(a, b []string, i, j int, pairs [][2]int) [][2]int {
	width := len(b) + 1
	length := make([]int32, (len(a)+1)*width) // length of the subsequence from each pair of indexes on
	for x := len(a) - 1; x >= 0; x-- {
		for y := len(b) - 1; y >= 0; y-- {
			at := x*width + y
			if a[x] == b[y] {
				length[at] = length[at+width+1] + 1
			} else {
				length[at] = max(length[at+width], length[at+1])
			}
		}
	}
	for x, y := 0, 0; x < len(a) && y < len(b); {
		switch at := x*width + y; {
		case a[x] == b[y]:
			pairs = append(pairs, [2]int{i + x, j + y})
			x, y = x+1, y+1
		case length[at+width] >= length[at+1]:
			x++
		default:
			y++
		}
	}
	return pairs
}

// anchors returns the indexes of items that occur once in each list: the most pairs that
// ascend in both (patience sorting).
func anchors(a, b []string) [][2]int {
	inA, inB := once(a), once(b)
	var piles []int // index in found of the top of each pile
	var found [][2]int
	var before []int
	for x, item := range a {
		y, ok := inB[item]
		if inA[item] != x || !ok || y < 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(piles, y, func(top, y int) int { return found[top][1] - y })
		last := -1
		if at > 0 {
			last = piles[at-1]
		}
		found, before = append(found, [2]int{x, y}), append(before, last)
		if at == len(piles) {
			piles = append(piles, len(found)-1)
		} else {
			piles[at] = len(found) - 1
		}
	}
	var out [][2]int
	if len(piles) > 0 {
		for at := piles[len(piles)-1]; at >= 0; at = before[at] {
			out = append(out, found[at])
		}
	}
	slices.Reverse(out)
	return out
}

// once returns the index of each item; -1 for an item that occurs more than once.
func once(list []string) map[string]int {
	at := make(map[string]int, len(list))
	for i, item := range list {
		if _, again := at[item]; again {
			i = -1
		}
		at[item] = i
	}
	return at
}

// Merge merges two versions of the same base, line by line. It returns false if both
// changed the same or adjacent lines in different ways: such a conflict cannot be
// resolved.
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
		// Find the next line, or the end, that both versions keep.
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

// places returns the index in a version of each line of the base; -1 if the version lacks
// the line. The last element is for the end of the base, which maps to the end of the
// version.
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
