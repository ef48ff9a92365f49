package sqlite

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// static void release_memory(void) { malloc_trim(0); }
// #else
// static void release_memory(void) {}
// #endif
import "C"

import (
	"sync"
	"time"
)

// idleAfter is how long nothing must have been written for the writer to give back
// the memory of its pages. To read them again costs a save little.
const idleAfter = 2 * time.Second

// idler notices when nobody writes any more.
type idler struct {
	mu    sync.Mutex // guards the fields below
	timer *time.Timer
	armed bool // the timer runs, or what it calls
	wrote bool // since the timer was set
}

// note has memory given back once nothing was written for a while. The caller has
// just written.
func (i *idler) note(db *DB) {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.armed:
		i.wrote = true
	case i.timer == nil:
		i.armed = true
		i.timer = time.AfterFunc(db.idleAfter, db.seeIdle)
	default:
		i.armed = true
		i.timer.Reset(db.idleAfter)
	}
}

// stop has nothing begun any more.
func (i *idler) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
	}
}

// seeIdle gives memory back unless somebody wrote since the timer was set, or
// writes: then it looks again later.
func (db *DB) seeIdle() {
	if db.enter("give memory back") != nil {
		return // it is closed
	}
	defer db.leave()
	i := &db.idle
	i.mu.Lock()
	wrote := i.wrote
	i.wrote = false
	i.mu.Unlock()
	gave := !wrote && db.releaseMemory()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.armed = !gave || i.wrote; i.armed {
		i.wrote = false
		i.timer.Reset(db.idleAfter)
	}
}

// releaseMemory returns memory to the system that was needed to write: up to 32 MiB of
// pages, and what the C library keeps of memory that was freed. It reports false
// if somebody writes at the moment.
func (db *DB) releaseMemory() bool {
	if !db.dropPages() {
		return false
	}
	C.release_memory()
	return true
}

// dropPages frees the writer's memory of pages. It reports false if somebody
// writes at the moment, or the handle only reads.
func (db *DB) dropPages() bool {
	if db.writing == nil || !db.commits.tryLead() {
		return false
	}
	// Where it fails the pages stay, which does no harm.
	_ = db.writing.Control("PRAGMA shrink_memory")
	db.commits.leave()
	return true
}
