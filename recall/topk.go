package recall

// topK moves the k elements that come first in the order to the front of a list
// and returns them, in no order of their own.
//
// The front of the list is a heap with the last of the k on top, so that most of
// the other elements cost one comparison. Sorting would cost several times as
// much.
func topK[T any](list []T, k int, compare func(a, b T) int) []T {
	k = min(k, len(list))
	top := list[:k]
	for i := k/2 - 1; i >= 0; i-- {
		siftDown(top, i, compare)
	}
	for i := k; i < len(list) && k > 0; i++ {
		if compare(list[i], top[0]) < 0 {
			list[i], top[0] = top[0], list[i]
			siftDown(top, 0, compare)
		}
	}
	return top
}

// siftDown restores the order of a heap below its i-th element.
func siftDown[T any](heap []T, i int, compare func(a, b T) int) {
	for {
		child := 2*i + 1
		if child >= len(heap) {
			return
		}
		if right := child + 1; right < len(heap) && compare(heap[right], heap[child]) > 0 {
			child = right
		}
		if compare(heap[child], heap[i]) <= 0 {
			return
		}
		heap[i], heap[child] = heap[child], heap[i]
		i = child
	}
}
