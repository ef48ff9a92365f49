package vector

// binShift reduces the 65,536 possible scores to 4,096 bins.
const binShift = 4

// Histogram counts scores of [Probe.Scan] to separate the best from the rest without
// sorting. The zero value is an empty histogram ready for use.
type Histogram struct {
	counts [(maxScore + 1) >> binShift]uint32
}

// Add counts scores.
func (t *Histogram) Add(scores []uint16) {
	if len(scores) > 0 {
		bestKernel().count(t.counts[:], scores, binShift)
	}
}

// Join adds the counts of other.
func (t *Histogram) Join(other *Histogram) {
	for i, n := range other.counts {
		t.counts[i] += n
	}
}

// Least returns the highest score, rounded down to a multiple of 16, that at least n of
// the counted scores reach. It is never 0, and 1 if there are fewer than n.
func (t *Histogram) Least(n int) uint16 {
	for i := len(t.counts) - 1; i > 0; i-- {
		if n -= int(t.counts[i]); n <= 0 {
			return uint16(i << binShift)
		}
	}
	return 1
}

// Reach returns an upper bound on how many counted scores are at least low.
func (t *Histogram) Reach(low uint16) (n int) {
	for _, c := range t.counts[low>>binShift:] {
		n += int(c)
	}
	return n
}

// Above writes to slots the indexes of the scores that are at least low, until slots is
// full, and returns how many it wrote.
func Above(slots []int32, scores []uint16, low uint16) int {
	if len(slots) == 0 || len(scores) == 0 {
		return 0
	}
	return bestKernel().above(slots, scores, low)
}
