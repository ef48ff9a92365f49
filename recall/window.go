package recall

import (
	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// windows lets a turn have a part of the closeness of the turns beside it, as
// far as they are nearer to the question: the window around it is near, too.
// closeness is where that of a candidate stands; 0 means far away or not known.
func (f *finder) windows(among []*candidate, closeness func(*candidate) *float64) {
	if f.w.Window == 0 {
		return
	}
	type place struct {
		pool *pool
		at   store.Place
	}
	near := make(map[place]float64)
	for _, c := range among {
		if v := *closeness(c); v > 0 && c.meta.Kind == strata.KindTurn {
			near[place{c.pool, store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq}}] = v
		}
	}
	if len(near) == 0 {
		return
	}
	for _, c := range among {
		if c.meta.Kind != strata.KindTurn {
			continue
		}
		beside := 0.0
		for _, d := range []int64{-1, 1} {
			beside = max(beside, near[place{c.pool, store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq + d}}])
		}
		v := closeness(c)
		*v += f.w.Window * max(0, beside-*v)
	}
}

// ofModel is the closeness by the model's vectors, ofBuiltin that by those which
// stand in for them.
func ofModel(c *candidate) *float64   { return &c.closeness }
func ofBuiltin(c *candidate) *float64 { return &c.builtin }
