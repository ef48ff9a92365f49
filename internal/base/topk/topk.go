// Package topk selects the first few elements of a long list.
package topk

import (
	"math/bits"
	"slices"
)

// few elements are sorted as fast as they are partitioned.
const few = 16

// Select moves the k elements that come first in an order to the front of a list and
// returns them, unordered. It returns all elements if there are no more than k. It uses
// quickselect: sorting a long list to take a few elements would cost several times as
// much.
func Select[T any](list []T, k int, compare func(a, b T) int) []T {
	k = min(k, len(list))
	low, high := 0, len(list) // elements before low are among the first k, those from high on are not
	for rounds := 2 * bits.Len(uint(len(list))); low < k && k < high; rounds-- {
		if rounds == 0 || high-low <= few { // after so many rounds the pivots must be bad, by chance or by attack
			slices.SortFunc(list[low:high], compare)
			break
		}
		less, more := partition(list[low:high], compare)
		switch {
		case k < low+less:
			high = low + less
		case k > low+more:
			low += more
		default: // it does not matter which of the equal ones come first
			return list[:k]
		}
	}
	return list[:k]
}

// partition moves the elements that come before a pivot to its left and those that come
// after it to its right. The elements from less up to more equal the pivot.
func partition[T any](list []T, compare func(a, b T) int) (less, more int) {
	pivot := median(list[0], list[len(list)/2], list[len(list)-1], compare)
	more = len(list)
	for i := 0; i < more; {
		switch c := compare(list[i], pivot); {
		case c < 0:
			list[i], list[less] = list[less], list[i]
			less++
			i++
		case c > 0:
			more--
			list[i], list[more] = list[more], list[i]
		default:
			i++
		}
	}
	return less, more
}

// median returns the median of three elements. As a pivot it avoids quadratic time on
// lists that are already sorted.
func median[T any](a, b, c T, compare func(a, b T) int) T {
	if compare(a, b) > 0 {
		a, b = b, a
	}
	switch {
	case compare(c, a) < 0:
		return a
	case compare(c, b) > 0:
		return b
	}
	return c
}
