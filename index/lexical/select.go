package lexical

// selectFirst puts the first n of a list, by an order, before the others.
func selectFirst[T any](list []T, n int, order func(a, b T) int) {
	for low, high := 0, len(list); n > low && n < high && high-low > 1; {
		// The median of three keeps sorted lists from taking quadratic time.
		pivot, mid, last := list[low], list[low+(high-low)/2], list[high-1]
		if order(mid, pivot) < 0 {
			pivot, mid = mid, pivot
		}
		if order(last, mid) < 0 {
			mid = last
		}
		if order(mid, pivot) > 0 {
			pivot = mid
		}
		less, more := low, high
		for i := low; i < more; {
			switch c := order(list[i], pivot); {
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
		switch { // those from less to more are equal
		case n < less:
			high = less
		case n >= more:
			low = more
		default:
			return
		}
	}
}

// gallop returns the first of n indexes for which reached is true, and n if it
// is for none. It looks at few where that is near the beginning.
func gallop(n int, reached func(int) bool) int {
	low, step := 0, 1 // reached is false below low
	for low+step <= n && !reached(low+step-1) {
		low += step
		step *= 2
	}
	high := min(low+step-1, n)
	for low < high {
		if mid := int(uint(low+high) >> 1); reached(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}
