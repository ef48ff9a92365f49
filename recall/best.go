package recall

import (
	"math/bits"
	"slices"
)

// best moves the n elements that come first in the order to the front of a list
// and returns them, in no order of their own. Sorting a long list to take a few
// would cost several times as much.
func best[T any](list []T, n int, compare func(a, b T) int) []T {
	n = min(n, len(list))
	const few = 16            // so many are sorted as fast
	low, high := 0, len(list) // what is before low is among the n first, what is from high on is not
	for rounds := 2 * bits.Len(uint(len(list))); low < n && n < high; rounds-- {
		if rounds == 0 || high-low <= few { // without end the pivots were bad ones, by chance or by intent
			slices.SortFunc(list[low:high], compare)
			break
		}
		if at := low + partition(list[low:high], compare); at < n {
			low = at + 1
		} else {
			high = at
		}
	}
	return list[:n]
}

// partition takes an element for a pivot, moves what comes before it in the
// order to its left and the rest to its right, and returns its place.
func partition[T any](list []T, compare func(a, b T) int) int {
	last := len(list) - 1
	pivot := median(list, 0, last/2, last, compare)
	list[pivot], list[last] = list[last], list[pivot]
	at := 0
	for i := range last {
		if compare(list[i], list[last]) < 0 {
			list[i], list[at] = list[at], list[i]
			at++
		}
	}
	list[at], list[last] = list[last], list[at]
	return at
}

// median returns which of three elements lies between the others.
func median[T any](list []T, a, b, c int, compare func(a, b T) int) int {
	if compare(list[a], list[b]) > 0 {
		a, b = b, a
	}
	switch {
	case compare(list[c], list[a]) < 0:
		return a
	case compare(list[c], list[b]) > 0:
		return b
	}
	return c
}
