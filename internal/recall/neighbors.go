package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
)

// scoreWords sets the components of a candidate that come from its own words and from
// those of its neighbors.
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

// scoreTurn scores a turn together with the turns near it in its session. Each feature
// counts once, by its best decayed contribution, so that a word said twice does not count
// twice.
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

// sumFeatures sums the contributions of the features to a candidate: own in its own text,
// best together with its neighbors, and reply the same if the turn before asks a
// question. For a question with several parts, it also counts the part that matches best,
// so that a full answer to one part is worth as much as a weak match of each.
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

// resolveNeighbors looks up the turns among the candidates of which only the place is
// known. A turn keeps the number 0 if it does not exist, does not pass the filter, or is
// a candidate already.
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
				if c.meta.Number == 0 { // otherwise m is another passage of the same turn
					c.meta = p.withSpeech(m)
				}
				p.cands[m.Number] = c
			}
		}
	}
	return nil
}

// unresolved returns the candidates of a pool of which only the place is known.
func unresolved(p *pool, among []*candidate) map[store.Place]*candidate {
	out := make(map[store.Place]*candidate)
	for _, c := range among {
		if c.pool == p && c.meta.Number == 0 {
			out[c.place()] = c
		}
	}
	return out
}

// shareCloseness raises the closeness of a turn toward that of the closer of its two
// direct neighbors. field points to the closeness to use; 0 means that it is small or
// unknown.
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
