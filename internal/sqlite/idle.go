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

// idleAfter is how long nothing must have been written before the writer frees the
// memory of its pages. Reading them again costs a save little.
const idleAfter = 2 * time.Second

// idler notices when nobody writes any more.
type idler struct {
	mu    sync.Mutex // guards the fields below
	timer *time.Timer
	armed bool // the timer or the function that it calls is running
	wrote bool // since the timer was set
}

// note schedules memory to be freed once nothing has been written for a while. The
// caller has just written.
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

// stop stops the timer.
func (i *idler) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.timer != nil {
		i.timer.Stop()
	}
}

// seeIdle frees memory, unless someone is writing or has written since the timer was
// set; then it tries again later.
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

// releaseMemory returns the memory used for writing to the system: up to 32 MiB of
// pages, and freed memory that the C library keeps. It reports false if someone is
// writing.
func (db *DB) releaseMemory() bool {
	if !db.dropPages() {
		return false
	}
	C.release_memory()
	return true
}

// dropPages frees the writer's page cache. It reports false if someone is writing or
// the handle is read-only.
func (db *DB) dropPages() bool {
	if db.writing == nil || !db.commits.tryLead() {
		return false
	}
	// If this fails, the pages stay in memory, which does no harm.
	_ = db.writing.Control("PRAGMA shrink_memory")
	db.commits.leave()
	return true
}
