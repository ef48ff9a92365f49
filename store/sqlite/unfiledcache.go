package sqlite

import (
	"context"

	"github.com/strata-memory/strata/neardup"
)

// maxUnfiled bounds what a cache keeps of what waits, in entries of some 48 bytes
// with their share of the map: 24 MiB. Of keys of near-duplicates most facts have
// three, so these are some 150,000 facts. What was not used for longest goes first.
const maxUnfiled = 512 << 10

// unfiledCache keeps what waits to be filed, by scope: keys of near-duplicates,
// or hashes of texts. Only the holder of the writer's baton uses it: a writer sees
// all that is committed, so that what one has read is there for the next, save
// for what was added or removed since. A change that is undone has all of it
// given up, but for the filters of what is filed.
type unfiledCache struct {
	unfiledTable
	scopes  map[int64]*unfiledScope
	entries int   // of all scopes
	turn    int64 // counts the uses
	others  int64 // counts how often others were found to have written
	changed bool  // the transaction at hand added or removed facts
	filters filedFilters
}

// unfiledTable says where what waits is stored and how it is filed.
type unfiledTable struct {
	// between yields (number, bits, keys) of what waits of a range of numbers, in
	// their order, packed; filed whether anything of a scope is filed.
	between, filed string
	// file files what waits of a scope, which is given.
	file func(t *tx, ctx context.Context, scopeNo int64, c *unfiledScope) error
	// order makes of a key a number that has the order of what is filed, and
	// filedFrom yields so many of these from one on, as often as they are filed.
	order     func(key int64) uint64
	filedFrom func(t *tx, ctx context.Context, scopeNo int64, first uint64, limit int64) ([]uint64, error)
}

// unfiledScope is what waits of one scope. Facts that another process has
// removed or filed meanwhile are still in it.
type unfiledScope struct {
	seen    int64           // the greatest number read
	facts   int64           // those that were read and not removed
	newest  map[int64]int32 // the newest entry of each key, as older
	entries []unfiledEntry
	free    int32 // the first of the entries to be used again, as older
	filed   bool  // there may be others, which are filed

	begun    int64 // the count of others when it was first read
	caughtUp int64 // the same when it was read last
	counted  int   // entries, as counted by the cache
	used     int64 // the turn of the last use
}

// unfiledEntry is a key of a fact, or the beginning of a hash.
type unfiledEntry struct {
	number int64
	bits   uint64
	older  int32 // the next older entry of the key: its place, from 1; 0 for none
}

// scope returns what is kept of a scope, or nil.
func (uc *unfiledCache) scope(no int64) *unfiledScope {
	c := uc.scopes[no]
	if c != nil {
		uc.turn++
		c.used = uc.turn
	}
	return c
}

// keep counts the entries of a scope, which has just been used, and gives up
// other scopes until what is kept fits.
func (uc *unfiledCache) keep(no int64, c *unfiledScope) {
	if uc.scopes[no] != c {
		uc.drop(no)
		if uc.scopes == nil {
			uc.scopes = make(map[int64]*unfiledScope)
		}
		uc.scopes[no] = c
		uc.turn++
		c.used = uc.turn
	}
	uc.entries += len(c.entries) - c.counted
	c.counted = len(c.entries)
	for uc.entries > maxUnfiled && len(uc.scopes) > 1 {
		uc.drop(uc.oldest(no))
	}
}

// oldest is the scope, other than one, that was not used for longest.
func (uc *unfiledCache) oldest(but int64) (no int64) {
	var first *unfiledScope
	for n, c := range uc.scopes {
		if n != but && (first == nil || c.used < first.used) {
			no, first = n, c
		}
	}
	return no
}

// drop gives up what is kept of a scope.
func (uc *unfiledCache) drop(no int64) {
	if c := uc.scopes[no]; c != nil {
		uc.entries -= c.counted
		delete(uc.scopes, no)
	}
}

// dropAll gives up all that is kept.
func (uc *unfiledCache) dropAll() {
	uc.dropScopes()
	uc.filters = filedFilters{}
}

// dropScopes gives up what is kept of all scopes.
func (uc *unfiledCache) dropScopes() { uc.scopes, uc.entries = nil, 0 }

// undo follows a function or transaction that was undone: the numbers of facts
// that it added are given again.
func (uc *unfiledCache) undo() {
	if uc.changed {
		uc.dropScopes()
	}
	uc.filters.undo()
}

// end follows a transaction.
func (uc *unfiledCache) end() {
	uc.changed = false
	uc.filters.end()
}

// noteOthers says that others wrote since the last transaction: they may have
// added facts.
func (uc *unfiledCache) noteOthers() { uc.others++ }

// remove takes out a fact that waits no more.
func (uc *unfiledCache) remove(number int64, keys []int64) {
	uc.changed = true
	if c := uc.scopes[scopeOf(number)]; c != nil {
		c.remove(number, keys)
	}
}

// noteFiled follows what is about to be filed in a scope by itself: it is asked
// for from now on.
func (uc *unfiledCache) noteFiled(no int64, keys []int64) {
	if c := uc.scopes[no]; c != nil {
		c.filed = true
	}
	uc.filters.add(no, uc.inOrder(keys))
}

// inOrder are keys as filters know them.
func (uc *unfiledCache) inOrder(keys []int64) []uint64 {
	list := make([]uint64, len(keys))
	for i, key := range keys {
		list[i] = uc.order(key)
	}
	return list
}

// addAll takes in facts that are newer than all before, in order.
func (c *unfiledScope) addAll(list []unfiledFact) {
	if c.newest == nil { // and not grown bit by bit, which takes most of the time
		keys := 0
		for _, f := range list {
			keys += len(f.sketch.Keys)
		}
		c.newest = make(map[int64]int32, keys)
		c.entries = make([]unfiledEntry, 0, keys)
	}
	for _, f := range list {
		c.add(f)
	}
}

// add takes in a fact that is newer than all before.
func (c *unfiledScope) add(f unfiledFact) {
	for _, key := range f.sketch.Keys {
		e := unfiledEntry{f.number, f.sketch.Bits, c.newest[key]}
		at := c.free
		if at == 0 {
			c.entries = append(c.entries, e)
			at = int32(len(c.entries))
		} else {
			c.free = c.entries[at-1].older
			c.entries[at-1] = e
		}
		c.newest[key] = at
	}
	c.facts++
	c.seen = f.number
}

// remove takes out a fact.
func (c *unfiledScope) remove(number int64, keys []int64) {
	if number > c.seen {
		return
	}
	for _, key := range keys {
		c.unlink(key, number)
	}
	c.facts--
}

// unlink takes out one key of a fact.
func (c *unfiledScope) unlink(key, number int64) {
	newer, at := int32(0), c.newest[key]
	for at != 0 && c.entries[at-1].number != number {
		newer, at = at, c.entries[at-1].older
	}
	if at == 0 {
		return
	}
	e := &c.entries[at-1]
	switch {
	case newer != 0:
		c.entries[newer-1].older = e.older
	case e.older != 0:
		c.newest[key] = e.older
	default:
		delete(c.newest, key)
	}
	e.older, c.free = c.free, at
}

// like returns facts that share a key with a sketch and hardly differ in its
// bits, among the newest of each key. A fact may come several times.
func (c *unfiledScope) like(s neardup.Sketch) (found []likeness) {
	for _, key := range s.Keys {
		at := c.newest[key]
		for n := 0; at != 0 && n < sketchRows; n++ {
			e := c.entries[at-1]
			if apart := neardup.Apart(e.bits, s.Bits); apart <= neardup.MaxApart {
				found = append(found, likeness{e.number, int64(apart)})
			}
			at = e.older
		}
	}
	return found
}

// having returns the facts that have a key.
func (c *unfiledScope) having(key int64) (numbers []int64) {
	for at := c.newest[key]; at != 0; at = c.entries[at-1].older {
		numbers = append(numbers, c.entries[at-1].number)
	}
	return numbers
}
