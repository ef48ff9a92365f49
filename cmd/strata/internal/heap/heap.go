// Package heap sets how often a run of the command collects garbage: rarely before memory
// is opened, since most runs that leave their work to a server end before there is much.
package heap

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
)

// startPercent is how much the heap may grow between two collections while no memory is
// open, in percent: from 4 MiB to about 32. Most commands that leave their work to a
// server end before that.
const startPercent = 800

// usualPercent is how much it may grow once memory is open; usual sets it once.
var (
	usualPercent = 100
	usual        sync.Once
)

// CollectLittle makes garbage collection rare while the process starts.
func CollectLittle() { usualPercent = debug.SetGCPercent(startPercent) }

// CollectAsUsual restores normal garbage collection. It is called when memory is opened,
// because the process may run for long from then on.
func CollectAsUsual() {
	usual.Do(func() {
		debug.SetGCPercent(usualPercent)
		spareHeap()
	})
}

// spareBytes is the size of the spare memory.
const spareBytes = 16 << 20

// spare is memory that is never touched, so that the system does not back it with pages.
//
// Go collects garbage when the heap has doubled. The heap of a process that answers from
// memory outside of it is only a few megabytes: it was collected at every second
// question, which took a fifth of all processor time. With spare memory the heap may grow
// by that much more first. A heap that is larger by itself needs none: there it would
// only add garbage for hardly any time saved.
type spare struct{ held atomic.Pointer[[]byte] }

// spareHeap allocates spare memory, and holds it until the rest of the heap takes as
// much.
func spareHeap() *spare {
	s := new(spare)
	bytes := make([]byte, spareBytes)
	s.held.Store(&bytes)
	s.watch()
	return s
}

// watch calls look after the next garbage collection.
func (s *spare) watch() {
	marker := new([64]byte) // unreferenced; smaller objects may share memory with others
	runtime.AddCleanup(marker, func(s *spare) { s.look() }, s)
}

// look releases the spare memory if the heap has grown.
func (s *spare) look() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Uint64() >= 2*spareBytes {
		s.held.Store(nil)
		return
	}
	s.watch()
}
