package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// windows lets a turn have a part of the closeness of the turns beside it, as
// far as they are nearer to the question: the window around it is near, too.
// Those whose closeness is not known count as far away.
func (f *finder) windows() {
	if f.w.Window == 0 {
		return
	}
	type place struct {
		pool *pool
		at   store.Place
	}
	near := make(map[place]float64)
	for _, c := range f.cands {
		if c.compared && c.closeness > 0 && c.meta.Kind == strata.KindTurn {
			near[place{c.pool, store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq}}] = c.closeness
		}
	}
	if len(near) == 0 {
		return
	}
	for _, c := range f.cands {
		if c.meta.Kind != strata.KindTurn {
			continue
		}
		beside := 0.0
		for _, d := range []int64{-1, 1} {
			beside = max(beside, near[place{c.pool, store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq + d}}])
		}
		c.closeness += f.w.Window * max(0, beside-c.closeness)
	}
}
