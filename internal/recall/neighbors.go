package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// scoreWords sets what the words of a candidate and of its neighbors make of the
// question.
func (f *finder) scoreWords(c *candidate) {
	switch {
	case f.query.sumIDF == 0:
	case c.meta.Kind == strata.KindTurn:
		f.scoreTurn(c)
	case c.matched < 0:
	case len(f.subqueries) == 0 && f.event.sumIDF == 0:
		c.own = f.bm25(c.pool, c.matched)
	default:
		own, _, _ := f.scratchSpace()
		for _, t := range c.pool.freqs[c.matched] {
			own[t.feature] = f.featureScore(t, &c.meta)
		}
		f.sumFeatures(c, own, own, own)
	}
}

// scoreTurn reads a turn with the turns near it in its session: each feature
// counts by its best decayed contribution, so that a word said twice does not
// count twice.
func (f *finder) scoreTurn(c *candidate) {
	p, w := c.pool, f.w.turn(c.meta.Speech)
	own, best, reply := f.scratchSpace()
	first := store.Place{Parent: c.meta.Parent, Seq: c.meta.Seq - int64(len(w.Before))}
	last := c.meta.Seq + int64(len(w.After))
	for _, at := range p.turns[p.firstTurn(first):] {
		m := &p.passages[at]
		if m.Parent != c.meta.Parent || m.Seq > last {
			break
		}
		plain, asked := w.decay(m.Seq - c.meta.Seq)
		mine := m.Number == c.meta.Number
		if m.Seq == c.meta.Seq && !mine {
			plain, asked = w.Rest, w.Rest
		}
		for _, t := range p.freqs[at] {
			v := f.featureScore(t, m)
			if mine {
				own[t.feature] = v
			}
			best[t.feature] = max(best[t.feature], plain*v)
			reply[t.feature] = max(reply[t.feature], asked*v)
		}
		if m.Seq == c.meta.Seq-1 {
			c.previous = m.Number
		}
	}
	f.sumFeatures(c, own, best, reply)
	if c.aroundReply <= c.around {
		c.previous = 0
	}
}

// scratchSpace returns three slices of zeros with a place for each feature. They
// are valid until the next call.
func (f *finder) scratchSpace() (own, best, reply []float64) {
	n := f.query.size()
	if f.scratch == nil {
		f.scratch = make([]float64, 3*n)
	}
	clear(f.scratch)
	return f.scratch[:n], f.scratch[n : 2*n], f.scratch[2*n:]
}

// sumFeatures adds up what the features contribute to a candidate: in its own
// text, with its neighbors, and with these if it replies to a question. Where the
// question has several parts, the one that is matched best counts as well as the
// whole, so that what answers one part is worth as much as what matches a little
// of each.
func (f *finder) sumFeatures(c *candidate, own, best, reply []float64) {
	for i := range own {
		c.own += own[i]
		c.around += best[i] - own[i]
		c.aroundReply += reply[i] - own[i]
	}
	c.own /= f.query.sumIDF
	c.around /= f.query.sumIDF
	c.aroundReply /= f.query.sumIDF
	if f.event.sumIDF > 0 {
		c.eventMatch = f.event.score(best)
	}
	var part *subquery
	most := c.own + c.around
	for i := range f.subqueries {
		if v := f.subqueries[i].score(best); v > most {
			part, most = &f.subqueries[i], v
		}
	}
	if part == nil {
		return
	}
	mine := part.score(own)
	c.own += f.w.Subquestion * (mine - c.own)
	c.around += f.w.Subquestion * (most - mine - c.around)
	c.aroundReply += f.w.Subquestion * (max(part.score(reply), most) - mine - c.aroundReply)
}

// resolveNeighbors looks up the turns among some candidates that are known by
// their place alone. Those that do not exist, that do not pass the filter or that
// are candidates already keep the number 0.
func (f *finder) resolveNeighbors(ctx context.Context, among []*candidate) error {
	for _, p := range f.pools {
		open := unresolved(p, among)
		if len(open) == 0 {
			continue
		}
		places := make([]store.Place, 0, len(open))
		for at := range open {
			places = append(places, at)
		}
		slices.SortFunc(places, comparePlaces)
		found, err := f.r.PassagesAt(ctx, p.scope, places, p.filter)
		if err != nil {
			return fmt.Errorf("read neighbors in %s: %w", p.scope, err)
		}
		f.inferSpeech(p, found)
		for _, m := range found {
			if c := open[placeOf(m)]; c != nil && p.cands[m.Number] == nil {
				if c.meta.Number == 0 { // else it is another passage of the turn
					c.meta = p.withSpeech(m)
				}
				p.cands[m.Number] = c
			}
		}
	}
	return nil
}

// unresolved returns the candidates of a pool that are known by place alone.
func unresolved(p *pool, among []*candidate) map[store.Place]*candidate {
	out := make(map[store.Place]*candidate)
	for _, c := range among {
		if c.pool == p && c.meta.Number == 0 {
			out[c.place()] = c
		}
	}
	return out
}

// shareCloseness gives a turn a part of the closeness of the turns directly before
// and after it, as far as they are closer to the question. The closeness is the
// one that field points to; 0 means that it is small or not known.
func (f *finder) shareCloseness(among []*candidate, field func(*candidate) *float64) {
	if f.w.Window == 0 {
		return
	}
	type place struct {
		pool *pool
		at   store.Place
	}
	closest := make(map[place]float64)
	for _, c := range among {
		if at := (place{c.pool, c.place()}); c.meta.Kind == strata.KindTurn && *field(c) > closest[at] {
			closest[at] = *field(c)
		}
	}
	if len(closest) == 0 {
		return
	}
	for _, c := range among {
		if c.meta.Kind != strata.KindTurn {
			continue
		}
		before, after := c.place(), c.place()
		before.Seq--
		after.Seq++
		neighbor := max(closest[place{c.pool, before}], closest[place{c.pool, after}])
		v := field(c)
		*v += f.w.Window * max(0, neighbor-*v)
	}
}
