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
	forms = NewMemo[form](1 << 13) // about 1 MiB when full

	// Single words, which come in great numbers, do not take the places of
	// statements.
	shortTexts = NewMemo[*known](1 << 10)
	longTexts  = NewMemo[*known](1 << 11)
)

// short is the length of the longest text, in bytes, that is taken for a word.
const short = 24

// known is what was made of a text so far. All of it is in one place, because to
// find the place takes about as long as to make any of it.
type known struct {
	text   string
	normal lazy[string]
	words  lazy[[]string]
	tokens lazy[[]Token]
	hashes lazy[[]uint64]
}

// lazy is a value that is made when it is first asked for. Who asks at the same
// time may make it, too: all make the same.
type lazy[V any] struct{ made atomic.Pointer[V] }

// get returns the value, which is what of makes of a text.
func (l *lazy[V]) get(k *known, of func(*known) V) V {
	if v := l.made.Load(); v != nil {
		return *v
	}
	v := of(k)
	l.made.Store(&v)
	return v
}

// normalized, cut and analyzed are what [Normalize], [Words] and [Analyze] return of
// the text.
func (k *known) normalized() string { return k.normal.get(k, normalize) }
func (k *known) cut() []string      { return k.words.get(k, split) }
func (k *known) analyzed() []Token  { return k.tokens.get(k, analyze) }

// memoOf returns the memo for texts as long as s.
func memoOf(s string) *Memo[*known] {
	if len(s) <= short {
		return shortTexts
	}
	return longTexts
}

// knownOf returns what is remembered of a text, which may be nothing yet.
func knownOf(s string) *known {
	return memoOf(s).Get(s, func(s string) *known { return &known{text: s} })
}

// maxRemembered bounds the texts that are remembered, in bytes. With it the
// memos take some 6 MiB where every slot holds a sentence.
const maxRemembered = 1 << 10

// Memo is a bounded, lock-free table from a string to what was made of it. Each
// string has two slots that it can be in: a new one takes the first, and what was
// there takes the second. With one slot for each, two words of real talk were
// forgotten in each turn before they came again; with two it is 1.4, and of the
// larger memo of forms 0.6 rather than 1.1. To find a string writes nothing.
type Memo[V any] struct {
	slots [][2]atomic.Pointer[entry[V]] // a power of two
}

type entry[V any] struct {
	key   string
	value V
}

// NewMemo returns an empty memo with room for so many strings, a power of two.
func NewMemo[V any](size int) *Memo[V] {
	return &Memo[V]{slots: make([][2]atomic.Pointer[entry[V]], size/2)}
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

// look returns what is remembered of a key, if anything is.
func (m *Memo[V]) look(key string) (value V, ok bool) {
	if key == "" || len(key) > maxRemembered {
		return value, false
	}
	if e := find(m.slotsOf(key), key); e != nil {
		return e.value, true
	}
	return value, false
}

// slotsOf returns the slots that a key can be in.
func (m *Memo[V]) slotsOf(key string) *[2]atomic.Pointer[entry[V]] {
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
