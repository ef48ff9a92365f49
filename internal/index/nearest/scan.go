package nearest

import (
	"context"
	"errors"
	"runtime"
	"sort"
	"sync"

	"github.com/strata-memory/strata/vector"
)

// rescoreCount returns how many of the best codes have their vectors measured: 200 for
// the ten nearest of a million vectors of 384 dimensions, and more if codes have
// fewer bits and so tell less. If there are few vectors, most are in the page cache,
// where measuring up to twice as many costs little. See
// docs/decisions/0009-nearest-of-a-million.md.
func rescoreCount(k, dim, codes int) int {
	most := 200 * 384 / max(dim, 32)
	most += most * CodeFrom * 3 / 2 / max(codes, CodeFrom*3/2)
	return max(most, 10*k)
}

// scoredHead is a head of codes with the scores of one query. Scores of two heads
// are not comparable, since each head has its own center. Slots are numbered across
// all segments.
type scoredHead struct {
	codes     *codes
	probe     *vector.Probe
	starts    []int32 // the first slot of each segment
	scores    []uint16
	histogram vector.Histogram // of the scores
}

// byCodes returns the passages in within whose codes are closest to the query.
func (s *search) byCodes(ctx context.Context, head Head, within *numberSet) ([]int64, error) {
	c, err := s.index.open(ctx, s.src, head, len(s.Vector), s.Writing)
	if errors.Is(err, errDamaged) {
		s.index.noteDamage(head.ID)
	}
	if err != nil {
		return nil, err
	}
	h := scoredHead{codes: c}
	if h.probe, err = c.coder.Probe(s.Vector); err != nil {
		return nil, err
	}
	slots := int32(0)
	for _, segment := range c.segments {
		h.starts = append(h.starts, slots)
		slots += int32(len(segment.numbers))
	}
	borrowed := s.index.borrowScores(int(slots))
	defer s.index.returnScores(borrowed)
	h.scores = *borrowed
	if err := h.scan(within); err != nil {
		return nil, err
	}
	return h.best(rescoreCount(s.K, len(s.Vector), int(head.Coded))), nil
}

// scan computes the scores of all codes. Passages that are not in within score 0.
func (h *scoredHead) scan(within *numberSet) error {
	// worth is how many codes justify another goroutine: scanning fewer takes no longer
	// than starting one.
	const worth = 1 << 15
	workers := max(1, min(runtime.GOMAXPROCS(0), len(h.scores)/worth))
	if workers == 1 {
		return h.scanPart(0, len(h.codes.segments), &h.histogram, within)
	}
	var wg sync.WaitGroup
	errs, histograms := make([]error, workers), make([]vector.Histogram, workers)
	n := len(h.codes.segments)
	for w := range workers {
		wg.Go(func() { errs[w] = h.scanPart(n*w/workers, n*(w+1)/workers, &histograms[w], within) })
	}
	wg.Wait()
	for w := range workers {
		h.histogram.Join(&histograms[w])
	}
	return errors.Join(errs...)
}

// scanPart scores the segments from first up to, but not including, end.
func (h *scoredHead) scanPart(first, end int, histogram *vector.Histogram, within *numberSet) error {
	for i := first; i < end; i++ {
		s := h.codes.segments[i]
		scores := h.scores[h.starts[i] : int(h.starts[i])+len(s.numbers)]
		err := h.probe.Scan(scores, s.groups.Bytes[:len(scores)*vector.CodeBytes(s.dim)])
		runtime.KeepAlive(s.groups)
		if err != nil {
			return err
		}
		for _, slot := range s.empty {
			scores[slot] = 0
		}
		if within != nil {
			for slot, n := range s.numbers {
				if !within.has(n) {
					scores[slot] = 0
				}
			}
		}
		histogram.Add(scores)
	}
	return nil
}

// best returns the passages of about the n best codes.
func (h *scoredHead) best(n int) []int64 {
	low := h.histogram.Least(n)
	// Many may tie at the lowest score; any of them will do.
	slots := make([]int32, min(h.histogram.Reach(low), 2*n))
	slots = slots[:vector.Above(slots, h.scores, low)]
	out := make([]int64, len(slots))
	for i, slot := range slots {
		segment := sort.Search(len(h.starts), func(i int) bool { return h.starts[i] > slot }) - 1
		out[i] = h.codes.segments[segment].numbers[slot-h.starts[segment]]
	}
	return out
}
