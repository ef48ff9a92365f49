package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/store"
	"github.com/strata-memory/strata/vector"
)

// minCompared is the fewest candidates found by words whose closeness is looked
// up.
const minCompared = 60

// leastCloseness is the closeness up to which a passage that shares no word with the
// question counts as unrelated to it.
const leastCloseness = 0.1

// queryEmbedding is the embedding of the question by one model.
type queryEmbedding struct {
	model  string
	vector []float32
}

// queryEmbeddings returns the embedding that compares candidates and the one that
// re-ranks them. It treats a vector of zeros as missing.
func queryEmbeddings(req Request) (base, model queryEmbedding) {
	model, base = queryEmbedding{req.Model, req.Vector}, queryEmbedding{req.Base, req.BaseVector}
	if isZero(model.vector) {
		model.vector = nil
	}
	if isZero(base.vector) {
		return model, queryEmbedding{}
	}
	return base, model
}

func isZero(v []float32) bool {
	return !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
}

// weighVectors sets the weight of closeness: the less of the question the best passage
// matches by words, the more meaning counts.
func (f *finder) weighVectors() {
	best := 0.0
	for _, c := range f.cands {
		best = max(best, c.own+c.around)
	}
	f.vector = f.w.Vector + f.w.Unmatched*leftOpen(best)
}

// addNearest adds the passages that a vector search found to the candidates.
func (f *finder) addNearest(ctx context.Context, p *pool, found []vector.Candidate) error {
	var unknown []int64
	turns := turnCandidates(p, f.cands)
	for _, n := range found {
		if p.cands[n.ID] != nil {
			continue
		}
		if at := p.index(n.ID); at < 0 {
			unknown = append(unknown, n.ID)
		} else if c := turns[placeOf(p.passages[at])]; c != nil && p.passages[at].Kind == strata.KindTurn {
			p.cands[n.ID] = c // another passage of a turn that is a candidate
		} else {
			c := f.addCandidate(p, p.passages[at], at)
			turns[c.place()] = c
		}
	}
	items, err := f.r.Items(ctx, p.scope, unknown)
	if err != nil {
		return fmt.Errorf("read what is near in %s: %w", p.scope, err)
	}
	for _, it := range items {
		c := turns[placeOf(it.Meta)]
		if c == nil || it.Kind != strata.KindTurn {
			c = f.addCandidate(p, p.withSpeech(it.Meta), -1)
			turns[c.place()] = c
		}
		if c.meta.Number == 0 || c.meta.Number == it.Number {
			c.meta, c.reading = p.withSpeech(it.Meta), &reading{item: it}
		}
		p.cands[it.Number] = c
	}
	for _, n := range found {
		if c := p.cands[n.ID]; c != nil {
			if !c.compared || n.Similarity > c.similarity {
				c.similarity, c.closeness, c.compared = n.Similarity, f.w.closeness(n.Similarity), true
			}
			c.tier = min(c.tier, n.Tier, p.tierOf(c.meta.Parent))
		}
	}
	f.nearDocuments(p, found)
	f.setParentScores(p)
	return nil
}

// turnCandidates returns the candidates of a pool that are turns, by place.
func turnCandidates(p *pool, among []*candidate) map[store.Place]*candidate {
	out := make(map[store.Place]*candidate)
	for _, c := range among {
		if c.pool == p && c.meta.Kind == strata.KindTurn {
			out[c.place()] = c
		}
	}
	return out
}

// setParentScores updates the parent component of the candidates of a pool.
func (f *finder) setParentScores(p *pool) {
	for _, c := range f.cands {
		if c.pool == p {
			c.parent = p.parents[c.meta.Parent].relevance(f.w)
		}
	}
}

// nearDocuments sets the closeness of documents in a scope that was searched flat: the
// documents of the nearest sections count as the nearest documents. Most documents have a
// section or two, so comparing the mean vectors of thousands of them would find the same
// and take twice as long as comparing the sections.
func (f *finder) nearDocuments(p *pool, found []vector.Candidate) {
	if p.total > cheapFlat {
		return
	}
	seen, least := 0, float32(0)
	for _, n := range found {
		c := p.cands[n.ID]
		if c == nil || c.meta.Kind != strata.KindSection || seen >= nearParents && n.Similarity < least {
			continue
		}
		if par := p.parent(c.meta.Parent); par.closeness == 0 {
			par.closeness = f.w.closeness(n.Similarity)
			seen, least = seen+1, n.Similarity
		}
	}
}

// compareCandidates looks up the closeness of the best candidates that the tiers
// did not find.
func (f *finder) compareCandidates(ctx context.Context) error {
	best := f.preselect(neighborSlack * max(f.reads, minCompared))
	if err := f.resolveNeighbors(ctx, best); err != nil {
		return err
	}
	for _, p := range f.pools {
		var numbers []int64
		for _, c := range best {
			if c.pool == p && c.meta.Number != 0 && !c.compared {
				numbers = append(numbers, c.meta.Number)
			}
		}
		if len(numbers) == 0 {
			continue
		}
		found, err := f.r.Similarities(ctx, p.scope, f.base.model, f.base.vector, numbers)
		if err != nil {
			return fmt.Errorf("compare candidates in %s: %w", p.scope, err)
		}
		for i, s := range found {
			c := p.cands[numbers[i]]
			c.similarity, c.closeness, c.compared = s, f.w.closeness(s), true
		}
	}
	return nil
}
