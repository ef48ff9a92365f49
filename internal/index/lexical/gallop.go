package lexical

// gallop returns the smallest index below n for which reached is true, or n if there
// is none. It calls reached only a few times if that index is near the beginning.
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
