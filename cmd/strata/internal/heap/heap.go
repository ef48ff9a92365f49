// Package heap says how much garbage a run of the command collects: little before memory is
// opened, since most runs that leave their work to a server end before there is much.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// startPercent is how much a heap may grow between two collections while no memory is
// open, in percent: from 4 MiB to 32. Most commands that leave their work to a server end
// before.
const startPercent = 800

// usualPercent is what it may grow otherwise, and usual sets it, once.
var (
	usualPercent = 100
	usual        sync.Once
)

// CollectLittle has the process collect little while it begins.
func CollectLittle() { usualPercent = debug.SetGCPercent(startPercent) }

// CollectAsUsual is for when memory is opened: the process may last from then on.
func CollectAsUsual() {
	usual.Do(func() {
		debug.SetGCPercent(usualPercent)
		spareHeap()
	})
}

// spareBytes is what spareHeap allocates.
const spareBytes = 16 << 20

// spare is memory that is never touched, so that the system gives none for it.
//
// Go collects garbage when the heap has doubled. That of a process that answers
// from memory outside of it is a few megabytes: it was collected anew every second
// question, for a fifth of all processor time. With spare memory it may grow by so
// much more first. A heap that is larger by itself needs none: there it would add
// as much garbage for hardly any time.
type spare struct{ held atomic.Pointer[[]byte] }

// spareHeap allocates spare memory. It is held until what else lives on the heap
// takes as much.
func spareHeap() *spare {
	s := new(spare)
	bytes := make([]byte, spareBytes)
	s.held.Store(&bytes)
	s.watch()
	return s
}

// watch looks at the heap once garbage was collected.
func (s *spare) watch() {
	marker := new([64]byte) // nobody refers to it; smaller ones may share memory with others
	runtime.AddCleanup(marker, func(s *spare) { s.look() }, s)
}

// look lets go of the spare memory if the heap has grown.
func (s *spare) look() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Uint64() >= 2*spareBytes {
		s.held.Store(nil)
		return
	}
	s.watch()
}
