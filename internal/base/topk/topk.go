// Package topk finds the first few of a long list by an order.
package topk

import (
	"math/bits"
	"slices"
)

// few elements are sorted as fast as they are divided.
const few = 16

// Select moves the k elements that come first in an order to the front of a list and
// returns them, in no order of their own, by quickselect. Sorting a long list to take a
// few would cost several times as much. All are returned if there are no more than k.
func Select[T any](list []T, k int, compare func(a, b T) int) []T {
	k = min(k, len(list))
	low, high := 0, len(list) // the elements before low are among the first k, those from high on are not
	for rounds := 2 * bits.Len(uint(len(list))); low < k && k < high; rounds-- {
		if rounds == 0 || high-low <= few { // after so many rounds the pivots were bad, by chance or by intent
			slices.SortFunc(list[low:high], compare)
			break
		}
		less, more := partition(list[low:high], compare)
		switch {
		case k < low+less:
			high = low + less
		case k > low+more:
			low += more
		default: // which of the equal ones come first does not matter
			return list[:k]
		}
	}
	return list[:k]
}

// partition moves the elements that come before a pivot to its left and those that come
// after it to its right. Those from less up to more are equal to it.
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

// median returns which of three elements lies between the other two. As a pivot it keeps
// lists that are sorted already from taking quadratic time.
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
