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

// Of a large scope the first question reads the passages, where blocks tell
// nearly all of them. Else they are read in the background, while entries answer
// the questions. The lists of common words follow: the first look at a word that a
// tenth of a million passages hold takes as long as all the rest of a recall.

const (
	// sampled is how many passages tell which words are common, and commonFrom
	// how many of these hold a word that is: one in 250.
	sampled    = 2048
	commonFrom = 8
	// maxCommon bounds the lists read so, in bytes.
	maxCommon = 40 << 20
	// yields is how many times as long as it took to read a list the next one
	// waits where others ask.
	yields = 4
)

// loadInBackground reads a scope that is not kept yet. It reports whether it does.
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
			_ = x.readCommon(ctx, scope, c, todo) // what is missing is read when it is asked for
		}
	})
	if !begun {
		c.loading.Store(false)
	}
	return begun
}

// finishLoading has the lists of a scope read at its second question, of which the
// first has read the passages: a command that asks one needs no other lists.
func (x *Index) finishLoading(scope int64, c *cachedScope) {
	if todo := c.packing.Swap(nil); todo != nil {
		x.host.Go(func(ctx context.Context) { _ = x.readCommon(ctx, scope, c, *todo) })
	}
}

// readCommon reads the lists of the commonest terms of a scope whose passages are
// kept, and has packed what the next process would have to read from rows.
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
			err = x.host.GiveWay(ctx, yields*time.Since(begun))
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

// commonTerms returns the terms that many of so many passages hold, by a sample,
// the commonest first, as far as their lists are to be kept. What says nothing
// about the subject of a text is never asked for.
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

// isStopWord reports whether a term is one of those that analysis leaves out of
// questions.
func isStopWord(term string) bool {
	tokens := text.Analyze(term).Tokens()
	return len(tokens) == 1 && tokens[0].Stop
}
