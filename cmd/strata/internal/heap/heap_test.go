package heap

import (
	"runtime"
	"testing"
)

// A small heap keeps its spare memory, however often garbage is collected, and one
// that has grown lets go of it.
func TestSpareHeap_GoesWhenTheHeapHasGrown(t *testing.T) {
	s := spareHeap()
	looked := make(chan struct{})
	collect := func() { // returns once the cleanups of a collection have run
		runtime.AddCleanup(new([64]byte), func(c chan struct{}) { c <- struct{}{} }, looked)
		runtime.GC()
		<-looked
	}
	for range 5 {
		collect()
	}
	if s.held.Load() == nil {
		t.Fatal("a small heap has no spare memory left")
	}
	large := make([]byte, 2*spareBytes)
	for i := 0; s.held.Load() != nil; i++ {
		if i == 100 {
			t.Fatal("a large heap still has spare memory")
		}
		collect()
	}
	runtime.KeepAlive(large)
}
