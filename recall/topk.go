package recall

import (
	"math/bits"
	"slices"
)

// topK moves the k elements that come first in the order to the front of a list
// and returns them, in no order of their own, by quickselect. Sorting a long list
// to take a few would cost several times as much.
func topK[T any](list []T, k int, compare func(a, b T) int) []T {
	k = min(k, len(list))
	const few = 16            // are sorted as fast
	low, high := 0, len(list) // the elements before low are among the first k, those from high on are not
	for rounds := 2 * bits.Len(uint(len(list))); low < k && k < high; rounds-- {
		if rounds == 0 || high-low <= few { // after so many rounds the pivots were bad, by chance or by intent
			slices.SortFunc(list[low:high], compare)
			break
		}
		if at := low + partition(list[low:high], compare); at < k {
			low = at + 1
		} else {
			high = at
		}
	}
	return list[:k]
}

// partition moves the elements that come before a pivot to its left and the rest
// to its right, and returns where the pivot is.
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

// median returns which of three elements lies between the other two.
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
