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
		f.readAlone(c)
		return
	}
	own, best, reply := f.rooms()
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
	f.sum(c, own, best, reply)
	if c.reply <= c.around {
		c.before = 0
	}
}

// readAlone sets own of a candidate without neighbors.
func (f *finder) readAlone(c *candidate) {
	at, ok := c.pool.find(c.meta.Number)
	if !ok {
		return
	}
	if f.alone() {
		c.own = f.own(c.pool, at)
		return
	}
	own, _, _ := f.rooms()
	for _, h := range c.pool.hits[at] {
		own[h.feature] = f.look.idf[h.feature] * saturate(float64(h.count), float64(c.meta.Words), f.mean, f.w.K1, f.w.B)
	}
	f.sum(c, own, own, own)
}

// alone reports whether what a passage without neighbors has in common with the
// question is its own words and nothing else: the question has no parts, and
// tells no time by an event.
func (f *finder) alone() bool { return len(f.parts) == 0 && f.event.ideal == 0 }

// rooms returns three empty slices with a place for each feature.
func (f *finder) rooms() (own, best, reply []float64) {
	n := f.look.size()
	if f.room == nil {
		f.room = make([]float64, 3*n)
	}
	clear(f.room)
	return f.room[:n], f.room[n : 2*n], f.room[2*n:]
}

// sum adds up what the features of a candidate contribute: over the whole
// question and, where it has several parts, over the part that is matched best,
// so that the evidence of one part stands level with what matches a little of
// each.
func (f *finder) sum(c *candidate, own, best, reply []float64) {
	for i := range own {
		c.own += own[i]
		c.around += best[i] - own[i]
		c.reply += reply[i] - own[i]
	}
	c.own /= f.look.ideal
	c.around /= f.look.ideal
	c.reply /= f.look.ideal
	if f.event.ideal > 0 {
		c.event = f.event.matched(best)
	}
	var part *subset
	most := c.own + c.around
	for i := range f.parts {
		if m := f.parts[i].matched(best); m > most {
			part, most = &f.parts[i], m
		}
	}
	if part == nil {
		return
	}
	mine := part.matched(own)
	c.own += f.w.Part * (mine - c.own)
	c.around += f.w.Part * (most - mine - c.around)
	c.reply += f.w.Part * (max(part.matched(reply), most) - mine - c.reply)
}
