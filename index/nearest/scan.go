package nearest

import (
	"context"
	"runtime"
	"sort"
	"sync"

	"github.com/strata-memory/strata/vector"
)

// scoredHead is a head of codes with the scores of one query. Scores of two
// heads do not compare: each has its own center. Slots count through all
// segments.
type scoredHead struct {
	head   Head
	codes  *codes
	probe  *vector.Probe
	starts []int32 // the first slot of each segment
	scores []uint16
	// borrowed is the slice of scores that goes back to the index.
	borrowed  *[]uint16
	histogram vector.Histogram // of the scores

	low     uint16 // codes with this score and better ones were refined
	refined []refined
	// cachesFine says that fine codes that are read are cached.
	cachesFine bool
}

// refined is a passage whose fine code was looked at.
type refined struct {
	number     int64
	score      uint16
	similarity float32
}

// scanCodes sets the scores of all codes of a head. Those of passages that are not
// in within are 0.
func scanCodes(h *scoredHead, within *numberSet) error {
	slots := int32(0)
	for _, s := range h.codes.segments {
		h.starts = append(h.starts, slots)
		slots += int32(len(s.numbers))
	}
	// worth is how many codes are worth another goroutine: to scan fewer takes no
	// longer than to start one.
	const worth = 1 << 15
	workers := max(1, min(runtime.GOMAXPROCS(0), int(slots)/worth))
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
		if errs[w] != nil {
			return errs[w]
		}
		h.histogram.Join(&histograms[w])
	}
	return nil
}

// scanPart scores the segments from first up to end.
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

// segmentOf returns the segment of a slot.
func (h *scoredHead) segmentOf(slot int32) int {
	return sort.Search(len(h.starts), func(i int) bool { return h.starts[i] > slot }) - 1
}

// deepen refines the codes of at least a score that were not refined yet: the best
// of them, so that no more than most are refined in all.
func (e *codeSearch) deepen(ctx context.Context, h *scoredHead, low uint16, most int) error {
	low = max(low, 1)
	if h.histogram.Reach(low) > most {
		low = max(low, h.histogram.Least(most))
	}
	if h.low != 0 && low >= h.low {
		return nil
	}
	// Many may have the same score, of which any are as good.
	slots := make([]int32, min(h.histogram.Reach(low), 2*most))
	slots = slots[:vector.Above(slots, h.scores, low)]
	if h.low != 0 { // those were refined before
		kept := slots[:0]
		for _, s := range slots {
			if h.scores[s] < h.low {
				kept = append(kept, s)
			}
		}
		slots = kept
	}
	h.low = low
	return e.refine(ctx, h, slots, func(number int64, score uint16, similarity float32) {
		h.refined = append(h.refined, refined{number, score, similarity})
	})
}
