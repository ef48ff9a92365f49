package main

import "runtime"

// spareBytes is what spareHeap allocates.
const spareBytes = 16 << 20

// spareHeap allocates memory that is never touched, so that the system gives
// none for it, and keeps it until the function it returns is called. Go collects
// garbage when the heap has doubled. That of a process that answers from memory
// outside of it is a few megabytes: it was collected anew every second question,
// for a fifth of all processor time. With this it may grow by so much more first.
func spareHeap() (keep func()) {
	spare := make([]byte, spareBytes)
	return func() { runtime.KeepAlive(spare) }
}
