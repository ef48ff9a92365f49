package sqlite

import (
	"context"
	"math"
	"slices"

	"github.com/strata-memory/strata/vector"
)

// A code's score says roughly how similar its vector is. How roughly, a search
// learns by measuring the vectors with the best scores: that gives the line
// from score to similarity, and how far vectors lie from it. After that only
// those need be measured that could still be among the k nearest.

const (
	// firstMeasured is how many of the best scores are measured to learn from
	// where at least firstFew neighbors are wanted. With fewer wanted one that
	// is missed weighs more, and twice as many are measured.
	firstMeasured = 128
	firstFew      = 10
	// doubt is by how many standard deviations a vector may be more similar
	// than its score says before it is missed. The spread around the line is
	// learnt from the best scores and is somewhat wider elsewhere: with 3, one
	// in fifty of the ten nearest was missed, with 4 one in 200
	// (docs/decisions/0001-vector-layout.md).
	doubt = 4
)

// maxMeasured bounds what is measured of so many codes, however little their
// scores say.
func maxMeasured(k int, codes int) int { return 1000 + 10*k + codes/50 }

// scoredHead is a head of codes with the scores of one query.
type scoredHead struct {
	scoredCodes
	first []vector.Scored // those measured first, the best
}

// scan scores every code of a passage in within, and lists the passages that
// have no code yet.
func (s *search) scan(ctx context.Context, within *numberSet) (heads []scoredHead, waiting []int64, err error) {
	for _, h := range s.heads {
		if h.coded > 0 {
			var scored scoredHead
			if scored.scoredCodes, err = s.t.scanCodes(ctx, s.model, h, s.query, within); err != nil {
				return nil, nil, err
			}
			first := firstMeasured
			if s.k < firstFew {
				first = 2 * firstMeasured
			}
			scored.first = scored.best(max(first, 2*s.k))
			heads = append(heads, scored)
		}
		list, err := s.t.numberList(ctx, `SELECT number FROM uncoded WHERE head = ?`, h.id)
		if err != nil {
			return nil, nil, err
		}
		for _, n := range list {
			if within.has(n) {
				waiting = append(waiting, n)
			}
		}
	}
	return heads, waiting, nil
}

// rest returns the codes outside of the first that may belong to a vector at
// least as similar as the k-th of those measured, the likeliest first.
func (h scoredHead) rest(measured distances, kth float64, k int) []int64 {
	most := maxMeasured(k, len(h.scores)) - len(h.first)
	done := make(map[int64]bool, len(h.first))
	for _, c := range h.first {
		done[c.ID] = true
	}
	var out []vector.Scored
	h.above(float32(h.cutoff(measured, kth)), func(number int64, score float32) {
		if !done[number] {
			out = append(out, vector.Scored{ID: number, Similarity: score})
		}
	})
	if len(out) > most {
		slices.SortFunc(out, func(a, b vector.Scored) int {
			switch {
			case a.Similarity > b.Similarity:
				return -1
			case a.Similarity < b.Similarity:
				return 1
			}
			return 0
		})
		out = out[:max(0, most)]
	}
	list := make([]int64, len(out))
	for i, c := range out {
		list[i] = c.ID
	}
	return list
}

// cutoff is the score below which a vector as similar as kth is not to be
// expected: by the least-squares line through what was measured, and the spread
// around it. Where too little was measured to tell, there is none.
func (h scoredHead) cutoff(measured distances, kth float64) float64 {
	similarity := measured.byNumber()
	var n, sx, sy, sxx, sxy, syy float64
	for _, c := range h.first {
		y, ok := similarity[c.ID]
		if !ok {
			continue // does not pass the filter
		}
		x := float64(c.Similarity)
		n, sx, sy, sxx, sxy, syy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y, syy+y*y
	}
	const enough = 32
	if n < enough {
		return math.Inf(-1)
	}
	vx, vy, cov := sxx-sx*sx/n, syy-sy*sy/n, sxy-sx*sy/n
	slope := cov / vx
	if !(slope > 0) {
		return math.Inf(-1)
	}
	spread := math.Sqrt(max(0, vy-slope*cov) / (n - 2))
	return sx/n + (kth-doubt*spread-sy/n)/slope
}
