package nearest

import (
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata/internal/base/lru"
)

// maxBytes bounds the codes kept in memory: those of four million vectors of 384
// dimensions. The least recently used are dropped first.
const maxBytes = 256 << 20

// Index keeps the codes of heads in memory, so that a search reads from the store
// only what changed since the last one. Every change of a block has a number, which
// is also recorded in its head, so a search can tell at once whether the codes in
// memory are what its transaction sees. The zero value is empty and ready for use.
// An Index is safe for concurrent use.
type Index struct {
	scores sync.Pool // of *[]uint16, scratch memory for scores

	heads lru.Cache[cachedHead]

	mu      sync.Mutex // guards damaged
	damaged map[int64]bool
}

// cachedHead is what the index keeps of one head.
type cachedHead struct {
	codes atomic.Pointer[codes]

	mu sync.Mutex // held while the codes catch up
}

// Bytes returns how much memory the codes use.
func (x *Index) Bytes() int64 { return x.heads.Bytes() }

// noteDamage records that the codes of a head are damaged. From then on, searches
// measure every vector, which is correct but slow, until the next [Index.Add]
// rebuilds the codes.
func (x *Index) noteDamage(head int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.damaged == nil {
		x.damaged = make(map[int64]bool)
	}
	x.damaged[head] = true
}

// isDamaged reports whether the codes of a head are to be rebuilt.
func (x *Index) isDamaged(head int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.damaged[head]
}

// rebuilt records that the codes of a head were rebuilt. If the damage is still
// there, a search will notice it.
func (x *Index) rebuilt(head int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	delete(x.damaged, head)
}

// borrowScores returns memory for n scores.
func (x *Index) borrowScores(n int) *[]uint16 {
	if p, ok := x.scores.Get().(*[]uint16); ok && cap(*p) >= n {
		*p = (*p)[:n]
		return p
	}
	s := make([]uint16, n, n+n/8)
	return &s
}

// returnScores gives back what borrowScores returned.
func (x *Index) returnScores(p *[]uint16) { x.scores.Put(p) }
