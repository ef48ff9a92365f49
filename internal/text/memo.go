package text

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// forms caches the forms of recent words. Stemming is most of the cost of an analysis,
// and few words make up most of what people write.
var forms = NewMemo[form](1 << 13) // about 1 MiB when full

// maxRemembered is the length of the longest word to cache, in bytes.
const maxRemembered = 1 << 10

// Memo is a bounded, lock-free cache of values computed from strings. Each string has two
// slots: a new one takes the first, and moves the string there to the second. With one
// slot for each string, a turn of real conversation evicts two words before they come
// again; with two slots it evicts 1.4, and 0.6 rather than 1.1 in the larger memo of
// forms. A hit writes nothing.
type Memo[V any] struct {
	size  int // a power of two
	once  sync.Once
	slots [][2]atomic.Pointer[entry[V]] // allocated on first use
}

type entry[V any] struct {
	key   string
	value V
}

// NewMemo returns an empty memo with room for size strings. size must be a power of two.
func NewMemo[V any](size int) *Memo[V] {
	return &Memo[V]{size: size}
}

var memoSeed = maphash.MakeSeed()

// Get returns made(key), from the memo if it is cached. The result is shared and must not
// be modified.
func (m *Memo[V]) Get(key string, made func(string) V) V {
	if len(key) > maxRemembered {
		return made(key)
	}
	slots := m.slotsOf(key)
	if e := find(slots, key); e != nil {
		return e.value
	}
	key = strings.Clone(key) // it may be part of a large text
	e := &entry[V]{key: key, value: made(key)}
	slots[1].Store(slots[0].Load())
	slots[0].Store(e)
	return e.value
}

// slotsOf returns the two slots of a key.
func (m *Memo[V]) slotsOf(key string) *[2]atomic.Pointer[entry[V]] {
	m.once.Do(func() { m.slots = make([][2]atomic.Pointer[entry[V]], m.size/2) })
	return &m.slots[maphash.String(memoSeed, key)&uint64(len(m.slots)-1)]
}

// find returns the entry of a key in its slots, or nil if there is none.
func find[V any](slots *[2]atomic.Pointer[entry[V]], key string) *entry[V] {
	if e := slots[0].Load(); e != nil && e.key == key {
		return e
	}
	if e := slots[1].Load(); e != nil && e.key == key {
		return e
	}
	return nil
}
