package recall

import (
	"github.com/strata-memory/strata"
)

// readAround sets own, around and reply of a candidate. A turn is read with the
// turns near it in its session: each word of the question counts by its best
// decayed contribution, so that a word said twice does not count twice.
func (f *finder) readAround(c *candidate) {
	p := c.pool
	if f.look.ideal == 0 {
		return
	}
	if c.meta.Kind != strata.KindTurn {
		if at, ok := p.find(c.meta.Number); ok {
			c.own = f.own(p, at)
		}
		return
	}
	n := f.look.size()
	if f.room == nil {
		f.room = make([]float64, 3*n)
	}
	clear(f.room)
	own, best, reply := f.room[:n], f.room[n:2*n], f.room[2*n:]
	first := c.meta.Seq - int64(len(f.w.Before))
	last := c.meta.Seq + int64(len(f.w.After))
	for i := p.firstTurn(c.meta.Parent, first); i < len(p.turns); i++ {
		at := p.turns[i]
		m := &p.passages[at]
		if m.Parent != c.meta.Parent || m.Seq > last {
			break
		}
		decay, asked := f.w.decay(m.Seq - c.meta.Seq)
		for _, h := range p.hits[at] {
			v := f.look.idf[h.feature] * saturate(float64(h.count), float64(m.Words), f.mean, f.w.K1, f.w.B)
			if m.Seq == c.meta.Seq {
				own[h.feature] = v
			}
			best[h.feature] = max(best[h.feature], decay*v)
			reply[h.feature] = max(reply[h.feature], asked*v)
		}
		if m.Seq == c.meta.Seq-1 {
			c.before = m.Number
		}
	}
	for i := range own {
		c.own += own[i]
		c.around += best[i] - own[i]
		c.reply += reply[i] - own[i]
	}
	c.own /= f.look.ideal
	c.around /= f.look.ideal
	c.reply /= f.look.ideal
	if c.reply <= c.around {
		c.before = 0
	}
}
