package sqlite

import (
	"context"
	"math"
	"slices"
)

// A save asks for keys that mostly are not filed. A writer that has asked often
// enough in a scope makes a filter of what is filed, which says so of most of
// them: then no B-tree is searched. It is made bit by bit, in the order of the
// table: each look-up reads some more rows, and what lies beyond those that were
// read is looked up as before. So no save waits for it, and a process that soon
// ends has lost little (docs/decisions/0016-keys-wait.md).
//
// A key of which a filter says that it is not filed must not be. So all that is
// filed is added, by whatever way it comes to be filed, and where others have
// written the filter is given up. What is removed stays in it, and so does what
// was filed and undone: they are looked up for nothing. But what was read while
// something was removed counts as read only once that is committed.

const (
	// filterAfter is after how many look-ups in a scope its filter is made, and
	// filterStep how many rows each of the following reads, in some 15 µs: little
	// more than what it stands beside takes. All of 100,000 facts are worth 7,000
	// look-ups, so a process must look as if it went on: one that saves a batch of
	// 1,000 makes none.
	filterAfter = 1024
	filterStep  = 128
	// maxFilters bounds the bytes of the filters of one kind: five bits for each key
	// of a million facts. maxFiltered bounds the scopes of which it is known how
	// often they were asked.
	maxFilters  = 7 << 18
	maxFiltered = 1024

	// A filter is made with roomyBits for each key, made anew larger when they are
	// less than tightBits, unless it has the most there is already, and not at all
	// with less than leastBits: then too many keys are looked up all the same.
	roomyBits, tightBits, leastBits = 12, 6, 4

	// A filter that was given up is made anew after twice as many look-ups as
	// before, up to so many doublings, unless it has spared so many look-ups for
	// each step that it was worth making.
	filterDoublings = 10
	filterWorth     = 4
)

// filedFilters are the filters of one kind, by scope. Only the holder of the
// writer's baton uses them.
type filedFilters struct {
	scopes map[int64]*filedFilter
	bytes  int
	turn   int64 // counts the uses
	// read are those for which rows were read in the transaction at hand.
	read []*filedFilter
}

// filedFilter tells of the keys of a scope which are not filed. Keys are numbers
// here that have the order of the table.
type filedFilter struct {
	keys bloom
	// through is up to which key rows were read, and sure up to which in
	// transactions that are committed; 0 for none.
	through, sure uint64

	asked     int64 // since it was given up
	doublings int   // of the look-ups until it is made
	spared    int64 // look-ups that found nothing in it
	steps     int64 // in which it was made
	least     int   // keys that it must have room for
	others    int64 // the count of others when it was begun
	used      int64 // the turn of the last use
}

// mayBeFiled returns those of the keys of a scope that may be filed.
func (t *tx) mayBeFiled(ctx context.Context, uc *unfiledCache, scopeNo int64, keys []int64) ([]int64, error) {
	if t.group == nil { // what a reader sees may be older
		return keys, nil
	}
	f := uc.filters.of(scopeNo, uc.others)
	if f.asked++; f.asked <= t.db.filterAfter<<f.doublings {
		return keys, nil
	}
	if f.through < math.MaxUint64 {
		list, err := uc.filedFrom(t, ctx, scopeNo, f.through+1, t.db.filterStep)
		if err != nil {
			return nil, err
		}
		uc.filters.cover(f, list, int64(len(list)) < t.db.filterStep)
	}
	var may []int64
	for _, key := range keys {
		if f.mayHold(uc.order(key)) {
			may = append(may, key)
		}
	}
	if len(may) == 0 {
		f.spared++
	}
	return may, nil
}

// mayHold reports whether a key may be filed.
func (f *filedFilter) mayHold(key uint64) bool {
	return key == 0 || key > f.through || f.keys.mayHold(key)
}

// of returns the filter of a scope, which may not have been made yet.
func (fs *filedFilters) of(scopeNo, others int64) *filedFilter {
	f := fs.scopes[scopeNo]
	if f == nil {
		if fs.scopes == nil || len(fs.scopes) >= maxFiltered {
			*fs = filedFilters{scopes: make(map[int64]*filedFilter)}
		}
		f = &filedFilter{others: others}
		fs.scopes[scopeNo] = f
	}
	if f.others != others {
		fs.giveUp(f)
		f.others = others
	}
	fs.turn++
	f.used = fs.turn
	return f
}

// cover takes in the next keys that are filed, in their order; last says that
// there are no others.
func (fs *filedFilters) cover(f *filedFilter, list []uint64, last bool) {
	through := uint64(math.MaxUint64)
	if !last {
		through = list[len(list)-1]
	}
	if len(f.keys.blocks) == 0 {
		list = slices.Compact(list)
		// Keys are hashes: as many as lie in one part lie in any other.
		all := float64(len(list)) * (math.MaxUint64 / float64(through))
		fs.makeRoom(f, max(int(min(all, maxFilters*8)), f.least))
	}
	if len(f.keys.blocks) == 0 {
		return
	}
	f.steps++
	f.through = through
	fs.read = append(fs.read, f)
	for _, key := range list {
		f.keys.add(key)
	}
	fs.resize(f)
}

// add takes in keys that are about to be filed in a scope.
func (fs *filedFilters) add(scopeNo int64, keys []uint64) {
	f := fs.scopes[scopeNo]
	if f == nil || len(f.keys.blocks) == 0 {
		return
	}
	for _, key := range keys {
		f.keys.add(key)
	}
	fs.resize(f)
}

// makeRoom begins a filter for so many keys, unless they are too many. Others that
// were not used for longest are given up for it.
func (fs *filedFilters) makeRoom(f *filedFilter, keys int) {
	if keys*leastBits > maxFilters*8 {
		f.asked, f.doublings = 0, filterDoublings
		return
	}
	made := newBloom(keys*roomyBits, maxFilters)
	for fs.bytes+made.size() > maxFilters {
		fs.giveUp(fs.oldest(f))
	}
	f.keys = made
	fs.bytes += made.size()
}

// oldest is the filter, other than one, that was not used for longest.
func (fs *filedFilters) oldest(but *filedFilter) (first *filedFilter) {
	for _, f := range fs.scopes {
		if f != but && len(f.keys.blocks) > 0 && (first == nil || f.used < first.used) {
			first = f
		}
	}
	return first
}

// resize has a filter made anew that has become too full.
func (fs *filedFilters) resize(f *filedFilter) {
	if f.keys.perKey() < tightBits && f.keys.size() < maxFilters || f.keys.perKey() < leastBits {
		f.least = f.keys.keys
		fs.release(f)
	}
}

// release gives up what a filter knows.
func (fs *filedFilters) release(f *filedFilter) {
	fs.bytes -= f.keys.size()
	f.keys, f.through, f.sure = bloom{}, 0, 0
}

// giveUp has a filter made anew when it was asked often again.
func (fs *filedFilters) giveUp(f *filedFilter) {
	switch {
	case f.steps == 0:
	case f.spared >= filterWorth*f.steps:
		f.doublings = 0
	default:
		f.doublings = min(f.doublings+1, filterDoublings)
	}
	fs.release(f)
	f.asked, f.spared, f.steps = 0, 0, 0
}

// undo follows a function or transaction that was undone: what it had removed is
// there again, and may not have been when rows were read.
func (fs *filedFilters) undo() {
	for _, f := range fs.read {
		f.through = f.sure
	}
	fs.read = nil
}

// end follows a transaction that is committed.
func (fs *filedFilters) end() {
	for _, f := range fs.read {
		f.sure = f.through
	}
	fs.read = fs.read[:0]
}
