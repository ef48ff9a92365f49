package nearest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/strata-memory/strata/vector"
)

// A search by codes has three stages, each for fewer passages than the one before:
// the score of a code, the similarity that a fine code gives, and the vector
// itself. How much the values of one stage say about those of the next is learnt
// from the best of each search, by linear regression. Then only the passages go on
// that could still be among the k nearest.

const (
	// firstRefined is how many of the best codes are refined for the regression. A
	// fine code costs a fiftieth of a vector.
	firstRefined = 512
	// firstMeasured is how many of the best are measured for the regression.
	firstMeasured = 48
	// margin is by how many standard deviations a vector may be more similar than
	// expected and still be found. The deviation is that of the best and is somewhat
	// greater elsewhere: with 3, one in fifty of the ten nearest was missed, with 4
	// one in 200 (docs/decisions/0001-vector-layout.md).
	margin = 4
	// maxRounds bounds how often a search goes on because a filter left fewer than
	// expected.
	maxRounds = 4
)

// maxRefined and maxMeasured bound how many of so many codes are refined and
// measured, however little the stage before says about them.
func maxRefined(k, codes int) int  { return 4096 + 20*k + codes/20 }
func maxMeasured(k, codes int) int { return 1000 + 10*k + codes/100 }

// codeSearch is a search by codes under way.
type codeSearch struct {
	*search
	heads    []*scoredHead
	pending  []int64           // passages without a code
	codes    int               // of all heads
	measured map[int64]float64 // the similarity of passages that pass
	tried    map[int64]bool    // those that were measured, or do not pass
	found    []vector.Scored   // the same in the order in which they were
}

func (s *search) newCodeSearch() *codeSearch {
	return &codeSearch{search: s, measured: make(map[int64]float64), tried: make(map[int64]bool)}
}

// open scores every code of a passage in within and lists the passages that have
// no code yet.
func (e *codeSearch) open(ctx context.Context, heads []Head, within *numberSet) error {
	for _, h := range heads {
		if h.Coded > 0 {
			if err := e.scan(ctx, h, within); err != nil {
				return err
			}
		}
		pending, err := e.src.Pending(ctx, h.ID)
		if err != nil {
			return err
		}
		for _, n := range pending {
			if within.has(n) {
				e.pending = append(e.pending, n)
			}
		}
	}
	return nil
}

func (e *codeSearch) scan(ctx context.Context, head Head, within *numberSet) error {
	c, err := e.index.open(ctx, e.src, head, len(e.Vector), e.Writing)
	if errors.Is(err, errDamaged) {
		e.index.noteDamage(head.ID)
	}
	if err != nil {
		return err
	}
	h := &scoredHead{head: head, codes: c, cachesFine: e.index.heads.Get(head.ID).Value.searches.Add(1) >= cacheFineFrom}
	if h.probe, err = c.coder.Probe(e.Vector); err != nil {
		return err
	}
	slots := 0
	for _, s := range c.segments {
		slots += len(s.numbers)
	}
	h.borrowed = e.index.borrowScores(slots)
	h.scores = *h.borrowed
	e.heads = append(e.heads, h)
	e.codes += int(head.Coded)
	return scanCodes(h, within)
}

// close returns what the search borrowed.
func (e *codeSearch) close() {
	for _, h := range e.heads {
		e.index.returnScores(h.borrowed)
	}
}

// run measures what may be among the k nearest.
func (e *codeSearch) run(ctx context.Context, filtered bool) error {
	for _, h := range e.heads {
		if err := e.deepen(ctx, h, h.histogram.Least(max(firstRefined, 4*e.K)), max(firstRefined, 4*e.K)); err != nil {
			return err
		}
	}
	// What is pending is measured in any case, with the best of the others.
	if err := e.measureNew(ctx, append(e.pending, e.closest(max(firstMeasured, 2*e.K))...)); err != nil {
		return err
	}
	for range maxRounds {
		low := kth(e.found, e.K)
		if low < -1 && filtered {
			return nil // too few pass to go on this way
		}
		for _, h := range e.heads {
			if err := e.deepen(ctx, h, h.lowest(low), maxRefined(e.K, int(h.head.Coded))); err != nil {
				return err
			}
		}
		before := len(e.tried)
		if err := e.measureNew(ctx, e.likeliest(low)); err != nil || len(e.tried) == before {
			return err
		}
	}
	return nil
}

// measureNew measures those of the passages that were not measured before.
func (e *codeSearch) measureNew(ctx context.Context, list []int64) error {
	var fresh []int64
	for _, n := range list {
		if !e.tried[n] {
			e.tried[n] = true
			fresh = append(fresh, n)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	passing, err := e.passing(ctx, fresh)
	if err != nil || len(passing) == 0 {
		return err
	}
	found, err := e.measure(ctx, Passages{Scope: e.Scope, Numbers: passing})
	e.found = append(e.found, found...)
	for _, f := range found {
		e.measured[f.ID] = float64(f.Similarity)
	}
	return err
}

// closest returns the n passages that are the nearest by their fine codes.
func (e *codeSearch) closest(n int) []int64 {
	top := vector.NewTopK(n)
	for _, h := range e.heads {
		for _, r := range h.refined {
			top.Offer(r.number, r.similarity)
		}
	}
	var out []int64
	for _, s := range top.Sorted() {
		out = append(out, s.ID)
	}
	return out
}

// likeliest returns the passages that may be at least as similar as kth by their
// fine codes, the likeliest first, no more than may be measured.
func (e *codeSearch) likeliest(kth float64) []int64 {
	var line regression
	for _, h := range e.heads {
		for _, r := range h.refined {
			if y, ok := e.measured[r.number]; ok {
				line.add(float64(r.similarity), y)
			}
		}
	}
	low := line.cutoff(kth)
	var list []refined
	for _, h := range e.heads {
		for _, r := range h.refined {
			if float64(r.similarity) >= low {
				list = append(list, r)
			}
		}
	}
	if most := maxMeasured(e.K, e.codes); len(list) > most {
		slices.SortFunc(list, func(a, b refined) int {
			return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.number, b.number))
		})
		list = list[:most]
	}
	out := make([]int64, len(list))
	for i, r := range list {
		out[i] = r.number
	}
	return out
}

// lowest returns the score below which no vector as similar as kth is expected.
func (h *scoredHead) lowest(kth float64) uint16 {
	var line regression
	for _, r := range h.refined {
		line.add(float64(r.score), float64(r.similarity))
	}
	return uint16(max(1, min(math.MaxUint16, math.Floor(line.cutoff(kth)))))
}

// regression is a linear regression of y on x, by its sums.
type regression struct{ n, sx, sy, sxx, sxy, syy float64 }

func (r *regression) add(x, y float64) {
	r.n, r.sx, r.sy, r.sxx, r.sxy, r.syy = r.n+1, r.sx+x, r.sy+y, r.sxx+x*x, r.sxy+x*y, r.syy+y*y
}

// cutoff returns the x below which no y as large as low is expected. It is minus
// infinity where there are too few points, or y does not rise with x.
func (r *regression) cutoff(low float64) float64 {
	const enough = 32
	if r.n < enough {
		return math.Inf(-1)
	}
	vx, vy, cov := r.sxx-r.sx*r.sx/r.n, r.syy-r.sy*r.sy/r.n, r.sxy-r.sx*r.sy/r.n
	slope := cov / vx
	if !(slope > 0) {
		return math.Inf(-1)
	}
	spread := math.Sqrt(max(0, vy-slope*cov) / (r.n - 2))
	return r.sx/r.n + (low-margin*spread-r.sy/r.n)/slope
}
