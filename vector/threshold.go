package vector

// binShift makes 4,096 places of the 65,536 scores there are.
const binShift = 4

// Histogram counts scores of [Probe.Scan], so that the best can be separated from the
// rest without sorting. The zero value has counted nothing.
type Histogram struct {
	counts [(maxScore + 1) >> binShift]uint32
}

// Add counts scores.
func (t *Histogram) Add(scores []uint16) {
	if len(scores) > 0 {
		bestKernel().count(t.counts[:], scores, binShift)
	}
}

// Join adds what another has counted.
func (t *Histogram) Join(other *Histogram) {
	for i, n := range other.counts {
		t.counts[i] += n
	}
}

// Least returns the highest score that at least n of the scores counted reach,
// give or take 16, and never 0; 1 where there are fewer.
func (t *Histogram) Least(n int) uint16 {
	for i := len(t.counts) - 1; i > 0; i-- {
		if n -= int(t.counts[i]); n <= 0 {
			return uint16(i << binShift)
		}
	}
	return 1
}

// Reach returns how many of the scores counted may be at least low.
func (t *Histogram) Reach(low uint16) (n int) {
	for _, c := range t.counts[low>>binShift:] {
		n += int(c)
	}
	return n
}

// Above lists where scores are at least low, up to the length of slots. It
// returns how many it lists.
func Above(slots []int32, scores []uint16, low uint16) int {
	if len(slots) == 0 || len(scores) == 0 {
		return 0
	}
	return bestKernel().above(slots, scores, low)
}
