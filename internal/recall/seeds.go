package recall

import (
	"cmp"
	"slices"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/base/topk"
	"github.com/strata-memory/strata/store"
)

const (
	// commonShare is the share of passages, in [0,1], above which a word is too common: a
	// passage that holds no other word of the question does not become a candidate.
	commonShare = 0.2
	// maxSeeds is the most passages of a scope that become candidates by their
	// words, unless more are to be read. Source: at 1,200 no figure of
	// docs/ranking.md changes.
	maxSeeds = 600
)

// selectCandidates makes candidates of the passages with the highest BM25 score in each
// pool, and of the turns around the ones that are turns.
func (f *finder) selectCandidates() {
	common := f.commonFeatures()
	for _, p := range f.pools {
		f.inferSpeech(p, p.passages)
		p.indexTurns()
		seeds := f.seeds(p, common)
		p.cands = make(map[int64]*candidate, len(seeds))
		f.cands = slices.Grow(f.cands, len(seeds))
		f.addSeeds(p, seeds)
	}
}

// commonFeatures returns, for each feature, whether it is too common to make a candidate
// by itself. If all matching features are too common, it returns false for each.
func (f *finder) commonFeatures() []bool {
	out := make([]bool, f.query.size())
	rare := false
	bound := commonShare * f.passages()
	for i, df := range f.query.df {
		out[i] = float64(df) > bound && df > background
		rare = rare || df > 0 && !out[i]
	}
	if !rare {
		clear(out)
	}
	return out
}

// seeds returns the indexes of the passages with the highest BM25 score among those that
// hold a feature that is not common.
func (f *finder) seeds(p *pool, common []bool) []int32 {
	type seed struct {
		at   int32
		bm25 float64
	}
	seeds := make([]seed, 0, len(p.passages))
	for i, freqs := range p.freqs {
		if slices.ContainsFunc(freqs, func(t termFreq) bool { return !common[t.feature] }) {
			seeds = append(seeds, seed{int32(i), f.bm25(p, int32(i))})
		}
	}
	seeds = topk.Select(seeds, f.mostSeeds, func(a, b seed) int {
		if a.bm25 != b.bm25 {
			return cmp.Compare(b.bm25, a.bm25)
		}
		return cmp.Compare(b.at, a.at) // the newer
	})
	out := make([]int32, len(seeds))
	for i, s := range seeds {
		out[i] = s.at
	}
	return out
}

// bestAt returns the index of the passage with the highest BM25 score in the turn at a
// place; -1 if none matches.
func (f *finder) bestAt(p *pool, place store.Place) int32 {
	best, most := int32(-1), -1.0
	for _, at := range p.turns[p.firstTurn(place):] {
		if placeOf(p.passages[at]) != place {
			break
		}
		if score := f.bm25(p, at); score > most {
			best, most = at, score
		}
	}
	return best
}

// addSeeds makes candidates of the given passages, one for each turn, and of the
// neighbors of these turns.
func (f *finder) addSeeds(p *pool, seeds []int32) {
	var places []store.Place
	speech := make(map[store.Place]store.Speech) // speech of turns with an assistant, as far as it is known
	for _, at := range seeds {
		m := p.passages[at]
		if m.Kind != strata.KindTurn {
			f.addCandidate(p, m, at)
			continue
		}
		w := f.w.turn(m.Speech)
		for d := int64(-len(w.After)); d <= int64(len(w.Before)); d++ {
			if m.Seq+d > 0 {
				place := store.Place{Parent: m.Parent, Seq: m.Seq + d}
				places = append(places, place)
				if m.Speech != store.SpeechPeople {
					speech[place] = store.SpeechUser
				}
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	for _, place := range slices.Compact(places) {
		if at := f.bestAt(p, place); at >= 0 {
			f.addCandidate(p, p.passages[at], at)
		} else {
			f.addCandidate(p, store.Meta{Parent: place.Parent, Seq: place.Seq, Kind: strata.KindTurn, Speech: speech[place]}, -1)
		}
	}
}
