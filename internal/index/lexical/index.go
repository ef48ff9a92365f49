package lexical

import (
	"sync"
	"sync/atomic"
)

const (
	// maxBytes bounds the memory of all scopes. A million facts of 100 characters take
	// 16 MB, and about 50 MB more once every word of them has been queried. The least
	// recently used data is dropped first.
	maxBytes = 112 << 20
	// maxScopes bounds the number of scopes the index keeps anything of.
	maxScopes = 1 << 14
	// backgroundAfter is how many searches a large scope gets before it is loaded in
	// the background: as many as one question makes.
	backgroundAfter = 2
)

// Limits say which scopes an [Index] holds in memory, and when it loads them.
type Limits struct {
	// Passages is the least number of passages of a scope held in memory. For a smaller
	// scope, searching costs hardly more than returning what is found.
	Passages int64
	// Asked is how many searches of a scope are answered from entries before it is
	// loaded, so that a command that asks one question does not pay for others that
	// never come.
	Asked int64
	// Background is the number of passages from which a scope is loaded in the
	// background, unless blocks hold nearly all of its passages.
	Background int64
	// Stale is how many passages may have changed since their blocks were written, or
	// be in no block, before blocks are written anew. It is at least a 64th of the
	// scope.
	Stale int64
	// Anew is how many passages may have changed since a scope was loaded before it is
	// loaded anew. It is at least an eighth of the scope, within a fixed maximum.
	Anew int64
}

// DefaultLimits are the limits that [NewIndex] sets.
var DefaultLimits = Limits{Passages: 500, Asked: 4, Background: 50_000, Stale: 4096, Anew: 4096}

// stale returns Stale for a scope of the given size.
func (l *Limits) stale(passages int) int64 { return max(l.Stale, int64(passages/64)) }

// anew returns Anew for a scope of the given size. It is bounded because catching up
// holds everything that changed in memory at once, terms included.
func (l *Limits) anew(passages int) int64 {
	const most = 1 << 15
	return min(max(l.Anew, int64(passages/8)), most)
}

// Index keeps the passages and posting lists of scopes in memory, so that a search
// reads from the store only what changed since the last one. Every change of a
// passage has a number, and a removal leaves a record, so a reader can tell at once
// whether the data in memory is what its transaction sees. An Index is safe for
// concurrent use.
type Index struct {
	Limits Limits // set before the first use
	host   Host

	candidates sync.Pool // of *candidates

	mu     sync.Mutex
	scopes map[int64]*cachedScope
	bytes  int64 // of all scopes
	turn   int64 // counts uses, to find the least recent
}

// cachedScope is what the index keeps of one scope.
type cachedScope struct {
	passages atomic.Pointer[passages]
	pending  atomic.Pointer[Pending]
	asked    atomic.Int64 // searches before the passages were loaded
	// unfit is set if the scope, or a number in it, is too large for the index.
	unfit atomic.Bool
	// loading is set while a goroutine loads the passages. packing holds the blocks
	// still to be written after a question loaded the passages from blocks.
	loading atomic.Bool
	packing atomic.Pointer[Packing]

	mu sync.Mutex // held while passages catch up, lists are built or bytes are counted

	bytes int64 // as last counted in Index.bytes
	used  int64 // the turn of the last use
}

// NewIndex returns an empty index with [DefaultLimits].
func NewIndex(host Host) *Index { return &Index{Limits: DefaultLimits, host: host} }

// scope returns the entry of a scope, creating it if needed, and marks it as used.
func (x *Index) scope(no int64) *cachedScope {
	x.mu.Lock()
	defer x.mu.Unlock()
	c := x.scopes[no]
	if c == nil {
		if x.scopes == nil || len(x.scopes) >= maxScopes {
			x.scopes, x.bytes = make(map[int64]*cachedScope), 0
		}
		c = new(cachedScope)
		x.scopes[no] = c
	}
	x.turn++
	c.used = x.turn
	return c
}

// count updates the memory used by a scope and then drops the least recently used
// data until everything fits: first other scopes, then lists of this one. The caller
// holds the scope's lock.
func (x *Index) count(no int64, c *cachedScope) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.scopes[no] != c {
		return // it was dropped in the meantime
	}
	x.countBytes(c)
	for x.bytes > maxBytes {
		oldest := no
		for other, o := range x.scopes {
			if o != c && o.bytes > 0 && (oldest == no || o.used < x.scopes[oldest].used) {
				oldest = other
			}
		}
		if oldest != no {
			x.bytes -= x.scopes[oldest].bytes
			delete(x.scopes, oldest)
			continue
		}
		p := c.passages.Load()
		if p == nil {
			return // pending terms take little
		}
		p.lists.dropOldest(max(0, maxBytes*7/8-p.fixedBytes()))
		if x.countBytes(c); x.bytes > maxBytes { // its passages alone take too much
			c.unfit.Store(true)
			c.passages.Store(nil)
			x.countBytes(c)
		}
	}
}

// countBytes updates the sum of bytes with the memory used by a scope.
func (x *Index) countBytes(c *cachedScope) {
	var bytes int64
	if p := c.passages.Load(); p != nil {
		bytes = p.fixedBytes() + p.lists.size()
	}
	if p := c.pending.Load(); p != nil {
		bytes += p.bytes()
	}
	x.bytes += bytes - c.bytes
	c.bytes = bytes
}

// Drop drops everything in memory.
func (x *Index) Drop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.scopes, x.bytes = nil, 0
}

// Bytes returns about how much memory the index uses.
func (x *Index) Bytes() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.bytes
}

// borrowCandidates returns memory for the results of a search.
func (x *Index) borrowCandidates() *candidates {
	if c, ok := x.candidates.Get().(*candidates); ok {
		return c
	}
	return new(candidates)
}

// returnCandidates gives back what borrowCandidates returned.
func (x *Index) returnCandidates(c *candidates) { x.candidates.Put(c) }
