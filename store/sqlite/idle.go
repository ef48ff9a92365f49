package sqlite

// #include <stdlib.h>
// #ifdef __GLIBC__
// #include <malloc.h>
// static void give_back(void) { malloc_trim(0); }
// #else
// static void give_back(void) {}
// #endif
import "C"

import "time"

// idleAfter is how long nothing large must have been written for the writer to
// give back the memory of its pages. To read them again costs a save little.
const idleAfter = 2 * time.Second

// giveBack returns memory to the system that was needed to write: up to 32 MiB of
// pages, and what the C library keeps of memory that was freed. It reports false
// if somebody writes at the moment.
func (db *DB) giveBack() bool {
	if !db.dropPages() {
		return false
	}
	C.give_back()
	return true
}

// dropPages frees the writer's memory of pages. It reports false if somebody
// writes at the moment, or the handle only reads.
func (db *DB) dropPages() bool {
	w := &db.writer
	if db.writing == nil || !w.take() {
		return false
	}
	// Where it fails the pages stay, which does no harm.
	_ = db.writing.control("PRAGMA shrink_memory")
	w.passOn(nil)
	return true
}
