package lexical

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
