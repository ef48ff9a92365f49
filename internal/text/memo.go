package text

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// The memos remember what was made of words and texts seen lately. They change
// no answer, only how fast it comes.
//
// Stemming is most of the cost of an analysis, and few words make up most of
// what people write: with the memo a sentence of 100 characters takes a fifth
// of the time (BenchmarkAnalyze). On its way into memory a statement is
// cut into words for its category, its tags, its near-duplicates and the index, and
// normalized to be compared, all within one write.
var (
	forms      = newMemo[form](1 << 13) // about 1 MiB when full
	analyses   = newMemo[[]Token](1 << 11)
	wordLists  = newMemo[[]string](1 << 11)
	normalized = newMemo[string](1 << 11)
)

// maxRemembered bounds the texts that are remembered, in bytes. With it the
// memos take some 6 MiB where every slot holds a sentence.
const maxRemembered = 1 << 10

// memo is a bounded, lock-free table from a string to what was made of it. A
// string that hashes to a taken slot takes the place of the one before.
type memo[V any] struct {
	slots []atomic.Pointer[entry[V]] // a power of two
}

type entry[V any] struct {
	key   string
	value V
}

func newMemo[V any](slots int) *memo[V] {
	return &memo[V]{slots: make([]atomic.Pointer[entry[V]], slots)}
}

var memoSeed = maphash.MakeSeed()

// get returns what made makes of key, from the memo if it is remembered.
func (m *memo[V]) get(key string, made func(string) V) V {
	if len(key) > maxRemembered {
		return made(key)
	}
	slot := &m.slots[maphash.String(memoSeed, key)&uint64(len(m.slots)-1)]
	if e := slot.Load(); e != nil && e.key == key {
		return e.value
	}
	key = strings.Clone(key) // it may be a part of a text that is large
	e := &entry[V]{key: key, value: made(key)}
	slot.Store(e)
	return e.value
}
