package sqlite

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/strata-memory/strata/store"
)

// A search of the term index takes most of its time for having every entry handed
// over, and for a row of table passage for each. So of a scope that is asked again
// and again a process keeps in memory what a search by words needs: 16 bytes for
// each passage, and of each term that was asked for the passages that hold it, 4
// bytes each. The term index stays what is stored, and what
// questions of another time are answered from, and the first ones where the
// passages of their scope do not lie in blocks.

const (
	// maxPostings bounds what is kept of all scopes, in bytes. A million facts of
	// 100 characters take 16 MB and, if every word of them was asked for, some 50
	// MB more. What was not used for longest goes first.
	maxPostings = 112 << 20
	// leastPosted is the number of passages from which a scope is kept. What
	// is handed over of a smaller one costs hardly more than looking for it.
	leastPosted = 500
	// askedBefore is how many searches the term index answers before a scope is read that is
	// not in blocks: a command that asks one question pays nothing for others that
	// never come.
	askedBefore = 4
	// leastRead and readShare bound what one search reads of a scope that is
	// not kept yet: so many passages, or this part of them. Of a million that
	// takes no longer than to search the term index.
	leastRead = 8192
	readShare = 16
	// maxAsked bounds the scopes of which is known how often they were asked.
	maxAsked = 1 << 14
)

// postingLimits are leastPosted, askedBefore, leastRead and besideFrom (0 is
// never), for tests to change.
type postingLimits struct{ passages, asked, read, beside int64 }

// postingCache keeps postings of scopes, so that a search reads of the database
// only what changed since the last one. Every change of a passage has a number,
// and a removal leaves a record: a reader sees at once whether what is kept is
// what its transaction sees.
type postingCache struct {
	limits postingLimits

	found sync.Pool // of *foundPlaces

	mu     sync.Mutex
	scopes map[int64]*cachedPostings
	bytes  int64 // of all scopes
	turn   int64 // counts the uses
}

// cachedPostings is what is kept of one scope.
type cachedPostings struct {
	set   atomic.Pointer[postingSet]
	asked atomic.Int64 // searches that the term index answered
	// unfit says that a number is too large for the cache, or the scope.
	unfit atomic.Bool
	// loading says that it is read beside the questions, rest what is left to do
	// so after a question has read the passages from their blocks.
	loading atomic.Bool
	rest    atomic.Pointer[packing]

	mu   sync.Mutex // held while it catches up or reads lists
	part *postingReader

	bytes int64 // as counted by the cache
	used  int64 // the turn of the last use
}

// postings returns the passages of a scope for a search by words, as the
// transaction sees them. It returns nil where the term index is to be asked: the scope is
// small or not read yet, or another time is meant, or the transaction writes, or
// is older than what is kept.
func (t *tx) postings(ctx context.Context, scopeNo int64, f store.Filter) (*postingSet, error) {
	if t.group != nil || f.AsOf != nil || f.SessionKind != "" {
		return nil, nil
	}
	if set, ok := t.posted[scopeNo]; ok {
		return set, nil
	}
	set, err := t.openPostings(ctx, scopeNo)
	if err != nil || set == nil {
		return nil, wrap("read postings of a scope", err)
	}
	if t.posted == nil {
		t.posted = make(map[int64]*postingSet)
	}
	t.posted[scopeNo] = set
	return set, nil
}

func (t *tx) openPostings(ctx context.Context, scopeNo int64) (*postingSet, error) {
	kept := t.db.postings.scope(scopeNo)
	if kept.set.Load() != nil {
		t.db.loadRest(scopeNo, kept)
		return t.newestPostings(ctx, scopeNo, kept)
	}
	if kept.unfit.Load() {
		return nil, nil
	}
	switch asked := kept.asked.Add(1) - 1; {
	case asked >= t.db.postings.limits.asked && kept.loading.Load():
		return nil, nil
	case asked >= t.db.postings.limits.asked:
		return t.newestPostings(ctx, scopeNo, kept)
	case asked == 0:
		return t.loadBlocks(ctx, scopeNo, kept)
	case asked >= besideAfter:
		return nil, t.beginLoading(ctx, scopeNo, kept)
	}
	return nil, nil
}

// newestPostings returns the postings of a scope with all that changed before the
// transaction began.
func (t *tx) newestPostings(ctx context.Context, scopeNo int64, kept *cachedPostings) (*postingSet, error) {
	change, err := t.postingChange(ctx, scopeNo)
	if err != nil {
		return nil, err
	}
	if set := kept.set.Load(); set != nil && set.change == change {
		return set, nil
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	set := kept.set.Load()
	switch {
	case set != nil && set.change == change:
		return set, nil
	case set != nil && set.change > change:
		return nil, nil
	case set == nil:
		set, err = t.readPostings(ctx, scopeNo, kept, change)
	default:
		set, err = t.catchUpPostings(ctx, scopeNo, set, change)
	}
	if err != nil {
		return nil, err
	}
	kept.set.Store(set)
	t.db.postings.keep(scopeNo, kept)
	return set, nil
}

// postingChange is the number of the last change of a scope's passages.
func (t *tx) postingChange(ctx context.Context, scopeNo int64) (int64, error) {
	last, err := t.queryIntegers(ctx, 2, `SELECT
		coalesce((SELECT change FROM passage WHERE number >> 40 = ?1 ORDER BY change DESC LIMIT 1), 0),
		coalesce((SELECT change FROM removal WHERE scope_no = ?1 ORDER BY change DESC LIMIT 1), 0)`,
		scopeNo)
	if err != nil {
		return 0, err
	}
	return slices.Max(last), nil
}

// readPostings reads a part of a scope that is not kept yet. It returns nil
// until all of it is read.
func (t *tx) readPostings(ctx context.Context, scopeNo int64, kept *cachedPostings, change int64) (*postingSet, error) {
	r := kept.part
	if r == nil {
		totals, err := t.kindTotals(ctx, scopeNo)
		if err != nil || totals.all().passages < t.db.postings.limits.passages {
			kept.asked.Store(0)
			return nil, err
		}
		if t.loadsBeside(totals) && t.db.loadBeside(scopeNo, kept) {
			return nil, nil
		}
		r = newPostingReader(scopeNo, change, totals.all().passages, t.db.postings.limits.read)
	}
	if change < r.set.change {
		return nil, nil // what changed since would be missed
	}
	kept.part = r
	done, err := t.readPosted(ctx, r)
	if err != nil || !done {
		if err != nil || r.unfit {
			kept.part = nil
			kept.unfit.Store(r.unfit)
		}
		return nil, err
	}
	kept.part = nil
	return t.catchUpPostings(ctx, scopeNo, r.set, change)
}

// scope returns the place where the postings of a scope are kept.
func (pc *postingCache) scope(no int64) *cachedPostings {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	c := pc.scopes[no]
	if c == nil {
		if pc.scopes == nil || len(pc.scopes) >= maxAsked {
			pc.scopes, pc.bytes = make(map[int64]*cachedPostings), 0
		}
		c = new(cachedPostings)
		pc.scopes[no] = c
	}
	pc.turn++
	c.used = pc.turn
	return c
}

// keep counts the postings of a scope, and drops what was not used for longest
// until all that is kept fits: other scopes, then terms of this one.
func (pc *postingCache) keep(no int64, c *cachedPostings) {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	if pc.scopes[no] != c {
		return // it was dropped meanwhile
	}
	pc.count(c)
	for pc.bytes > maxPostings {
		oldest := no
		for other, o := range pc.scopes {
			if o != c && o.bytes > 0 && (oldest == no || o.used < pc.scopes[oldest].used) {
				oldest = other
			}
		}
		if oldest != no {
			pc.bytes -= pc.scopes[oldest].bytes
			delete(pc.scopes, oldest)
			continue
		}
		set := c.set.Load()
		set.lists.dropOldest(max(0, maxPostings*7/8-set.fixedBytes()))
		if pc.count(c); pc.bytes > maxPostings { // its passages alone are too many
			c.unfit.Store(true)
			c.set.Store(nil)
			pc.count(c)
		}
	}
}

// count takes what a scope takes of memory into the sum.
func (pc *postingCache) count(c *cachedPostings) {
	var bytes int64
	if set := c.set.Load(); set != nil {
		bytes = set.fixedBytes() + set.lists.size()
	}
	pc.bytes += bytes - c.bytes
	c.bytes = bytes
}

// drop gives up all that is kept.
func (pc *postingCache) drop() {
	pc.mu.Lock()
	defer pc.mu.Unlock()
	pc.scopes, pc.bytes = nil, 0
}

// borrowFound returns room for what a search finds.
func (pc *postingCache) borrowFound() *foundPlaces {
	if f, ok := pc.found.Get().(*foundPlaces); ok {
		return f
	}
	return new(foundPlaces)
}

// giveFound takes back what borrowFound gave.
func (pc *postingCache) giveFound(f *foundPlaces) { pc.found.Put(f) }
