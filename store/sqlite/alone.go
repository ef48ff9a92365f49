package sqlite

import (
	"context"
	"maps"
)

// alone is what the writing connection knows from its last transaction. As long as
// no other connection has written since, of this process or another, it need not
// be read again.
type alone struct {
	told    bool  // the version is known
	version int64 // as SQLite counts what others commit
	known   bool  // so is the rest
	change  int64 // the last change number; 0: not known
	// next holds the numbers that scopes give next, newest the greatest ids of
	// facts and decisions that were given.
	next   map[int64]int64
	newest map[newestKey]string
	// tombstones says of the scopes that were asked whether they have any. It may
	// say so of one whose only tombstone was undone: then they are looked through
	// for nothing.
	tombstones map[int64]bool
	// tally is settled and kept for what it remembers; nil for nothing.
	tally *tally
}

// maxAlone bounds the scopes of which anything is known.
const maxAlone = 4096

// meetOthers finds out, when a transaction has begun, whether others wrote since
// the last one. If so, or if that cannot be told, what is known from then is
// looked up again. The caller holds the baton.
func (db *DB) meetOthers() {
	version, err := db.writing.integers(context.Background(), 1, `PRAGMA data_version`, nil)
	told := err == nil && len(version) == 1
	nobody := told && db.alone.told && version[0] == db.alone.version
	if nobody && db.alone.known {
		return
	}
	db.alone = alone{told: told, known: told, next: make(map[int64]int64), newest: make(map[newestKey]string)}
	if told {
		db.alone.version = version[0]
	}
	if nobody { // a transaction was undone, which has given up what it changed
		return
	}
	db.pending.drop()
}

// keep takes over what a group knows that is committed.
func (a *alone) keep(g *group) {
	a.change = g.change
	maps.Copy(a.next, g.next)
	if len(a.next) > maxAlone {
		clear(a.next)
	}
	if len(a.newest) > maxAlone {
		clear(a.newest)
	}
	if len(a.tombstones) > maxAlone {
		clear(a.tombstones)
	}
	if a.tally = g.tally; a.tally != nil && !a.tally.mayStay() {
		a.tally = nil
	}
}
