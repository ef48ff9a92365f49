package text

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// forms are those of the words seen lately: stemming is most of the cost of an
// analysis, and few words make up most of what people write.
var forms = NewMemo[form](1 << 13) // about 1 MiB when full

// maxRemembered bounds the words that are remembered, in bytes.
const maxRemembered = 1 << 10

// Memo is a bounded, lock-free table from a word to what is known of it, which
// changes no answer, only how fast it comes. Each
// string has two slots that it can be in: a new one takes the first, and what was
// there takes the second. With one slot for each, two words of real talk were
// forgotten in each turn before they came again; with two it is 1.4, and of the
// larger memo of forms 0.6 rather than 1.1. To find a string writes nothing.
type Memo[V any] struct {
	size  int // a power of two
	once  sync.Once
	slots [][2]atomic.Pointer[entry[V]] // nil until something is remembered
}

type entry[V any] struct {
	key   string
	value V
}

// NewMemo returns an empty memo with room for so many strings, a power of two.
func NewMemo[V any](size int) *Memo[V] {
	return &Memo[V]{size: size}
}

var memoSeed = maphash.MakeSeed()

// Get returns what made makes of key, from the memo if it is remembered. What it
// returns is shared: it must not be changed.
func (m *Memo[V]) Get(key string, made func(string) V) V {
	if len(key) > maxRemembered {
		return made(key)
	}
	slots := m.slotsOf(key)
	if e := find(slots, key); e != nil {
		return e.value
	}
	key = strings.Clone(key) // it may be a part of a text that is large
	e := &entry[V]{key: key, value: made(key)}
	slots[1].Store(slots[0].Load())
	slots[0].Store(e)
	return e.value
}

// slotsOf returns the slots that a key can be in.
func (m *Memo[V]) slotsOf(key string) *[2]atomic.Pointer[entry[V]] {
	m.once.Do(func() { m.slots = make([][2]atomic.Pointer[entry[V]], m.size/2) })
	return &m.slots[maphash.String(memoSeed, key)&uint64(len(m.slots)-1)]
}

// find returns the entry of a key in its slots; nil for none.
func find[V any](slots *[2]atomic.Pointer[entry[V]], key string) *entry[V] {
	if e := slots[0].Load(); e != nil && e.key == key {
		return e
	}
	if e := slots[1].Load(); e != nil && e.key == key {
		return e
	}
	return nil
}
