package nearest

import (
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata/internal/base/lru"
)

// maxBytes bounds the codes kept in memory: those of four million vectors of 384
// dimensions. What was not used for longest goes first.
const maxBytes = 256 << 20

// Index keeps the codes of heads in memory, so that a search reads of the store
// only what changed since the last one. Every change of a block has a number,
// which its head has too: a search sees at once whether what is kept is what its
// transaction sees. The zero value is empty and ready for use, by any number of
// goroutines.
type Index struct {
	scores sync.Pool // of *[]uint16, room for the scores of a search

	heads lru.Cache[cachedHead]

	mu      sync.Mutex // guards damaged
	damaged map[int64]bool
}

// cachedHead is what is kept of one head.
type cachedHead struct {
	codes atomic.Pointer[codes]

	mu sync.Mutex // held while it catches up
}

// Bytes is what the codes in memory take.
func (x *Index) Bytes() int64 { return x.heads.Bytes() }

// noteDamage notes that codes of a head are not what was written. Searches measure
// every vector from then on, which is right and slow, until the next
// [Index.Add] has made the codes anew.
func (x *Index) noteDamage(head int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.damaged == nil {
		x.damaged = make(map[int64]bool)
	}
	x.damaged[head] = true
}

// isDamaged reports whether codes of a head are to be made anew.
func (x *Index) isDamaged(head int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.damaged[head]
}

// rebuilt notes that the codes of a head were made anew. If the damage is still
// there, a search will see it.
func (x *Index) rebuilt(head int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.damaged, head)
}

// borrowScores returns room for n scores.
func (x *Index) borrowScores(n int) *[]uint16 {
	if p, ok := x.scores.Get().(*[]uint16); ok && cap(*p) >= n {
		*p = (*p)[:n]
		return p
	}
	s := make([]uint16, n, n+n/8)
	return &s
}

// returnScores takes back what borrowScores gave.
func (x *Index) returnScores(p *[]uint16) { x.scores.Put(p) }
