package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/strata-memory/strata"
	"github.com/strata-memory/strata/internal/text"
	"github.com/strata-memory/strata/store"
)

const (
	// background is the number of imagined passages without any word of the
	// question that every store is judged against. Without it the only fact of
	// a store would match nothing: every word of it would be in all passages.
	background = 50
	// commonShare is the share of passages from which a word is too common to
	// make candidates of passages that hold no other.
	commonShare = 0.2
	// enough is how many passages of a large scope must hold one of the rarer
	// words of the question for those that hold only common ones to be left
	// out.
	enough = 150
	// maxSeeds is, unless more must be read, the most passages of a scope that are read with their
	// neighbors and ranked; those with the best words of their own.
	maxSeeds = 600

	// A phrase counts half of what its words count together, beside them.
	phraseWeight = 0.5
	maxPhraseHit = 200

	// What a part of a word counts where the word itself is unknown.
	prefixCount    = 0.6
	substringCount = 0.6
	stemCount      = 0.35
	maxParts       = 2  // terms looked up by part, at most
	maxPartHits    = 50 // passages of each
	minSubstring   = 3  // characters, as the store asks
)

// findWords fills the pools with everything that matches by words, and makes
// candidates of the best.
func (f *finder) findWords(ctx context.Context) error {
	if err := f.openPools(ctx); err != nil {
		return err
	}
	f.prepareVectors(ctx)
	for _, p := range f.pools {
		filter := p.filter
		filter.Enough, filter.Contenders = enough, f.reads // no more are read at first
		filter.Most = f.most(filter)
		m, err := f.r.Match(ctx, p.scope, f.look.terms, filter)
		if err != nil {
			return fmt.Errorf("match words in %s: %w", p.scope, err)
		}
		p.take(m)
		for i, n := range m.Frequency {
			f.look.df[i] += n
		}
	}
	if err := f.findPhrases(ctx); err != nil {
		return err
	}
	if err := f.findRelated(ctx); err != nil {
		return err
	}
	if err := f.findParts(ctx); err != nil {
		return err
	}
	f.weigh()
	for _, p := range f.pools {
		p.sortTurns()
	}
	if err := f.weighParents(ctx); err != nil {
		return err
	}
	common := f.common()
	for _, p := range f.pools {
		f.seed(p, common)
	}
	return nil
}

// most is how many passages of a large scope words need to find: four times those
// that become candidates, because the store chooses by plain BM25. Of turns and
// sections all are needed, for their neighbors and parents count, too; 0 says so.
func (f *finder) most(filter store.Filter) int {
	if len(filter.Kinds) != 1 || filter.Kinds[0] != strata.KindFact {
		return 0
	}
	return 4 * max(maxSeeds, f.reads)
}

// findPhrases adds the passages that hold the phrases of the question.
func (f *finder) findPhrases(ctx context.Context) error {
	for i, phrase := range f.look.phrases {
		feature := len(f.look.terms) + i
		for _, p := range f.pools {
			found, err := f.r.MatchPhrase(ctx, p.scope, phrase, false, p.filter, maxPhraseHit)
			if err != nil {
				return fmt.Errorf("match phrase in %s: %w", p.scope, err)
			}
			p.add(found, feature, 1)
			f.look.df[feature] += int64(len(found))
		}
	}
	return nil
}

// findParts looks for words that no passage holds: as the beginning of a longer
// word, as a substring, as a slip for another word (in a large scope before the
// substring), and by their own beginning.
// So "postgres" finds PostgreSQL, and a misspelt name finds the right one.
func (f *finder) findParts(ctx context.Context) error {
	tried := 0
	for i := range f.look.terms {
		if f.look.df[i] > 0 || tried == maxParts {
			continue
		}
		tried++
		if err := f.findPartsOf(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// findPartsOf looks for one of these words, by one way after the other until it
// is found.
func (f *finder) findPartsOf(ctx context.Context, i int) error {
	term, word := f.look.terms[i], f.look.words[i]
	runes := []rune(word)
	by := func(count float32, find func(p *pool) ([]store.Meta, error)) func() (bool, error) {
		return func() (bool, error) { return f.findPart(ctx, i, count, find) }
	}
	slip := func() (bool, error) { return f.meant(ctx, i) }
	// To look for a word inside of others takes longest in a large scope, and
	// finds nothing of one that is misspelt.
	slipFirst := f.passages() > manyPassages
	var ways []func() (bool, error)
	if len(runes) >= minSubstring || text.HasUnspaced(word) {
		ways = append(ways, by(prefixCount, func(p *pool) ([]store.Meta, error) {
			return f.r.MatchPhrase(ctx, p.scope, []string{term}, true, p.filter, maxPartHits)
		}))
	}
	if slipFirst {
		ways = append(ways, slip)
	}
	if len(runes) > minSubstring {
		ways = append(ways, by(substringCount, func(p *pool) ([]store.Meta, error) { return f.holding(ctx, p, word) }))
	}
	if !slipFirst {
		ways = append(ways, slip)
	}
	if len(runes) >= 2*minSubstring {
		ways = append(ways, by(stemCount, func(p *pool) ([]store.Meta, error) {
			return f.holdingPiece(ctx, p, string(runes[:max(4, len(runes)*2/3)]))
		}))
	}
	for _, way := range ways {
		if found, err := way(); found || err != nil {
			return err
		}
	}
	return nil
}

// holding returns the newest passages of a pool that hold a word somewhere. A
// short one is inside of longer words by chance, and no more than a guess.
func (f *finder) holding(ctx context.Context, p *pool, word string) ([]store.Meta, error) {
	if utf8.RuneCountInString(word) < 2*minSubstring && !text.HasUnspaced(word) {
		return f.holdingPiece(ctx, p, word)
	}
	return f.r.MatchSubstring(ctx, p.scope, word, p.filter, maxPartHits)
}

// findPart adds the passages that one way finds of a word of which only a part may
// be held. It reports whether there are any.
func (f *finder) findPart(ctx context.Context, feature int, count float32, find func(p *pool) ([]store.Meta, error)) (bool, error) {
	for _, p := range f.pools {
		found, err := find(p)
		if err != nil {
			return false, fmt.Errorf("match part of a word in %s: %w", p.scope, err)
		}
		p.add(found, feature, count)
		f.look.df[feature] += int64(len(found))
	}
	return f.look.df[feature] > 0, nil
}

// weigh sets the inverse document frequency of each feature over all scopes.
// A word that no passage holds counts as one that a single passage holds.
func (f *finder) weigh() {
	f.mean = f.meanWords()
	n := f.passages() + background
	for i, df := range f.look.df {
		f.look.idf[i] = f.look.weights[i] * idf(n, float64(max(df, 1)))
	}
	for i, phrase := range f.look.phrases {
		sum := 0.0
		for _, term := range phrase {
			if at := slices.Index(f.look.terms, term); at >= 0 {
				sum += f.look.idf[at]
			}
		}
		f.look.idf[len(f.look.terms)+i] = phraseWeight * sum
	}
	for _, v := range f.look.idf {
		f.look.ideal += v
	}
	for _, terms := range f.req.Analysis.Parts {
		if s := f.look.subset(terms); s.ideal > 0 && s.ideal < f.look.ideal {
			f.parts = append(f.parts, s)
		}
	}
	if a := f.req.Analysis.Relative; a != nil {
		f.event = f.look.subset(a.Terms)
	}
}

// passages returns how many passages the view holds.
func (f *finder) passages() float64 {
	n := 0.0
	for _, p := range f.pools {
		n += float64(p.total)
	}
	return n
}

// meanWords returns the mean length of the passages of the view.
func (f *finder) meanWords() float64 {
	n, words := 0.0, 0.0
	for _, p := range f.pools {
		n += float64(p.total)
		words += float64(p.words)
	}
	return max(words/max(n, 1), 1)
}

// idf is the inverse document frequency of a term that df of n passages hold,
// never below 0.
func idf(n, df float64) float64 {
	return math.Log1p((max(n-df, 0) + 0.5) / (df + 0.5))
}

// saturate is the part of BM25 between 0 and 1: how well count occurrences in a
// passage of the given length match, where mean is the length of all.
func saturate(count, length, mean, k1, b float64) float64 {
	return count / (count + k1*(1-b+b*length/mean))
}

// common tells which features are too common to make candidates alone. If
// every feature that matches anything is, none is.
func (f *finder) common() []bool {
	out := make([]bool, f.look.size())
	rare := false
	bound := commonShare * f.passages()
	for i, df := range f.look.df {
		out[i] = float64(df) > bound && df > background
		rare = rare || df > 0 && !out[i]
	}
	if !rare {
		clear(out)
	}
	return out
}

// seed makes candidates of the passages with the best words of their own and
// of the neighbors of the turns among them.
func (f *finder) seed(p *pool, common []bool) {
	type seed struct {
		at  int32
		own float64
	}
	seeds := make([]seed, 0, len(p.passages))
	for i := range p.passages {
		tells := false
		for _, h := range p.hits[i] {
			tells = tells || !common[h.feature]
		}
		if tells {
			seeds = append(seeds, seed{int32(i), f.own(p, i)})
		}
	}
	if most := max(maxSeeds, f.reads); len(seeds) > most {
		seeds = best(seeds, most, func(a, b seed) int {
			if a.own != b.own {
				return cmp.Compare(b.own, a.own)
			}
			return cmp.Compare(b.at, a.at) // the newer
		})
	}
	p.cands = make(map[int64]*candidate, len(seeds))
	f.cands = slices.Grow(f.cands, len(seeds))
	var places []store.Place
	for _, s := range seeds {
		m := p.passages[s.at]
		if m.Kind != strata.KindTurn {
			if c := f.candidate(p, m); f.alone() {
				c.own = s.own
			} else {
				f.readAround(c)
			}
			continue
		}
		for d := int64(-len(f.w.After)); d <= int64(len(f.w.Before)); d++ {
			if m.Seq+d > 0 {
				places = append(places, store.Place{Parent: m.Parent, Seq: m.Seq + d})
			}
		}
	}
	slices.SortFunc(places, comparePlaces)
	for _, at := range slices.Compact(places) {
		m := store.Meta{Parent: at.Parent, Seq: at.Seq, Kind: strata.KindTurn}
		if i := p.firstTurn(at.Parent, at.Seq); i < len(p.turns) {
			if t := p.passages[p.turns[i]]; t.Parent == at.Parent && t.Seq == at.Seq {
				m = t
			}
		}
		f.propose(p, m)
	}
}

// own is the BM25 of a matched passage, in [0,1].
func (f *finder) own(p *pool, at int) float64 {
	if f.look.ideal == 0 {
		return 0
	}
	sum := 0.0
	for _, h := range p.hits[at] {
		sum += f.look.idf[h.feature] * saturate(float64(h.count), float64(p.passages[at].Words), f.mean, f.w.K1, f.w.B)
	}
	return sum / f.look.ideal
}

// phraseWord is how a phrase is shown among the terms that matched.
func phraseWord(terms []string) string { return strings.Join(terms, " ") }
