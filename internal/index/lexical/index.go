package lexical

import (
	"sync"
	"sync/atomic"
)

const (
	// maxBytes bounds what is kept of all scopes. A million facts of 100 characters
	// take 16 MB and, if every word of them was asked for, some 50 MB more. What was
	// not used for longest goes first.
	maxBytes = 112 << 20
	// maxScopes bounds the scopes of which anything is known.
	maxScopes = 1 << 14
	// backgroundAfter is how many searches come before a scope is read in the
	// background: as many as one question takes.
	backgroundAfter = 2
)

// Limits say which scopes an [Index] holds in memory, and when it reads them.
type Limits struct {
	// Passages is how many a scope has at least. What is handed over of a smaller
	// one costs hardly more than looking for it.
	Passages int64
	// Asked is how many searches are answered from entries before a scope is read:
	// a command that asks one question pays nothing for others that never come.
	Asked int64
	// Background is the number of passages of a scope from which these are read in
	// the background, save where blocks tell nearly all of them.
	Background int64
	// Stale is how many passages may have changed since their blocks were written,
	// or be in none, before these are made anew. A 64th of the scope may, too.
	Stale int64
	// Anew is how many may have changed since what is in memory was read, before
	// all are read anew. An eighth of the scope may, too.
	Anew int64
}

// DefaultLimits are those of an index in use.
var DefaultLimits = Limits{Passages: 500, Asked: 4, Background: 50_000, Stale: 4096, Anew: 4096}

// stale is Stale for a scope of so many passages.
func (l *Limits) stale(passages int) int64 { return max(l.Stale, int64(passages/64)) }

// anew is Anew for a scope of so many passages. What changed is held in memory
// with its terms at one time.
func (l *Limits) anew(passages int) int64 {
	const most = 1 << 15
	return min(max(l.Anew, int64(passages/8)), most)
}

// Index keeps passages and posting lists of scopes in memory, so that a search
// reads of the store only what changed since the last one. Every change of a
// passage has a number, and a removal leaves a record: a reader sees at once
// whether what is kept is what its transaction sees. It is for any number of
// goroutines.
type Index struct {
	Limits Limits // set before the first use
	host   Host

	candidates sync.Pool // of *candidates

	mu     sync.Mutex
	scopes map[int64]*cachedScope
	bytes  int64 // of all scopes
	turn   int64 // counts the uses
}

// cachedScope is what is kept of one scope.
type cachedScope struct {
	passages atomic.Pointer[passages]
	pending  atomic.Pointer[Pending]
	asked    atomic.Int64 // searches while the passages were not there
	// unfit says that a number is too large for the index, or the scope.
	unfit atomic.Bool
	// loading says that somebody reads the passages, packing what is left to do
	// after a question has read them from their blocks.
	loading atomic.Bool
	packing atomic.Pointer[Packing]

	mu sync.Mutex // held while passages catch up, lists are made or either is counted

	bytes int64 // as counted by the index
	used  int64 // the turn of the last use
}

// NewIndex returns an index that is empty.
func NewIndex(host Host) *Index { return &Index{Limits: DefaultLimits, host: host} }

// scope returns the place where a scope is kept.
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

// count counts what is kept of a scope, and drops what was not used for longest
// until all that is kept fits: other scopes, then lists of this one. The caller
// holds the lock of the scope.
func (x *Index) count(no int64, c *cachedScope) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.scopes[no] != c {
		return // it was dropped meanwhile
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
			return // what is pending is little
		}
		p.lists.dropOldest(max(0, maxBytes*7/8-p.fixedBytes()))
		if x.countBytes(c); x.bytes > maxBytes { // its passages alone are too many
			c.unfit.Store(true)
			c.passages.Store(nil)
			x.countBytes(c)
		}
	}
}

// countBytes takes what a scope takes of memory into the sum.
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

// Drop gives up all that is kept.
func (x *Index) Drop() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.scopes, x.bytes = nil, 0
}

// Bytes is about what the index takes of memory.
func (x *Index) Bytes() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.bytes
}

// borrowCandidates returns room for what a search finds.
func (x *Index) borrowCandidates() *candidates {
	if c, ok := x.candidates.Get().(*candidates); ok {
		return c
	}
	return new(candidates)
}

// returnCandidates takes back what borrowCandidates gave.
func (x *Index) returnCandidates(c *candidates) { x.candidates.Put(c) }
