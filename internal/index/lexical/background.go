package lexical

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/strata-memory/strata/internal/index/passage"
	"github.com/strata-memory/strata/internal/text"
)

// The first question to a large scope loads the passages itself if blocks hold
// nearly all of them. Otherwise a background goroutine loads them while questions
// are answered from entries. The posting lists of common words are read afterwards:
// the first lookup of a word that a tenth of a million passages hold takes as long
// as all the rest of a recall.

const (
	// sampled is the number of passages sampled to find the common words, and
	// commonFrom the number of them that must hold a word for it to count as common:
	// one in 250.
	sampled    = 2048
	commonFrom = 8
	// maxCommon bounds the size of the lists of common words, in bytes.
	maxCommon = 40 << 20
	// yieldFactor is how long to wait between two lists while others use the store, as a
	// multiple of the time that the first of the two took to read.
	yieldFactor = 4
)

// loadInBackground loads a scope that is not in memory yet. It reports whether the
// scope is being loaded.
func (x *Index) loadInBackground(scope int64, c *cachedScope) bool {
	if !c.loading.CompareAndSwap(false, true) {
		return true
	}
	begun := x.host.Go(func(ctx context.Context) {
		defer c.loading.Store(false)
		var todo Packing
		err := x.host.View(ctx, func(src Source) (err error) {
			todo, err = x.read(ctx, src, scope, c, false)
			return err
		})
		if err == nil {
			_ = x.readCommon(ctx, scope, c, todo) // lists that were not read are read on demand
		}
	})
	if !begun {
		c.loading.Store(false)
	}
	return begun
}

// finishLoading reads the lists of a scope's common terms when the scope gets its
// second question, if the first one loaded the passages: a command that asks a
// single question needs no further lists.
func (x *Index) finishLoading(scope int64, c *cachedScope) {
	if todo := c.packing.Swap(nil); todo != nil {
		x.host.Go(func(ctx context.Context) { _ = x.readCommon(ctx, scope, c, *todo) })
	}
}

// readCommon reads the lists of the commonest terms of a scope whose passages are in
// memory, and then writes the blocks that todo asks for, so that the next process
// need not read rows.
func (x *Index) readCommon(ctx context.Context, scope int64, c *cachedScope, todo Packing) error {
	p := c.passages.Load()
	if p == nil {
		return nil
	}
	var common []string
	err := x.host.View(ctx, func(src Source) (err error) {
		common, err = commonTerms(ctx, src, scope, int64(len(p.list)))
		return err
	})
	if err != nil {
		return err
	}
	for _, term := range common {
		begun := time.Now()
		err := x.host.View(ctx, func(src Source) error {
			s := x.Snapshot(src, false)
			v, err := s.scope(ctx, scope)
			if err != nil {
				return err
			}
			p, err := s.current(ctx, c, v)
			if err != nil || p == nil {
				return err
			}
			_, err = s.lists(ctx, p, []string{term})
			return err
		})
		if err == nil {
			err = x.host.GiveWay(ctx, yieldFactor*time.Since(begun))
		}
		if err != nil {
			return err
		}
	}
	if !todo.Wanted {
		return nil
	}
	return x.host.Pack(ctx, scope, todo)
}

// commonTerms returns the terms that many of a scope's passages hold, judged by a
// sample, the commonest first, until their lists would exceed maxCommon. Stop words
// are left out because no query asks for them.
func commonTerms(ctx context.Context, src Source, scope, passages int64) ([]string, error) {
	held := make(map[string]int)
	err := src.Sample(ctx, scope, sampled, func(terms string) error {
		list := slices.Sorted(passage.Terms(terms))
		for _, term := range slices.Compact(list) {
			held[term]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(held, func(term string, n int) bool {
		return n < commonFrom || Fold(term) != term || isStopWord(term)
	})
	terms := slices.SortedFunc(maps.Keys(held), func(a, b string) int {
		return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a, b))
	})
	bytes := int64(0)
	for i, term := range terms {
		if bytes += postingBytes * int64(held[term]) * passages / sampled; bytes > maxCommon {
			return terms[:i], nil
		}
	}
	return terms, nil
}

// isStopWord reports whether text analysis leaves a term out of questions.
func isStopWord(term string) bool {
	tokens := text.Analyze(term).Tokens()
	return len(tokens) == 1 && tokens[0].Stop
}
