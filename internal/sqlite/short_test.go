package sqlite

import "testing"

// rounds is how often something is tried: n times, in short tests a quarter as
// often.
func rounds(n int) int {
	if testing.Short() {
		return max(1, n/4)
	}
	return n
}
