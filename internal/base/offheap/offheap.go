// Package offheap holds memory outside of Go's heap, for caches of many megabytes
// that live long: on the heap, garbage of the same size could pile up beside them
// before it is collected.
package offheap

// #include <stdlib.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// Memory is bytes outside of Go's heap. Whoever uses Bytes has to keep the Memory
// itself alive.
type Memory struct {
	Bytes []byte
}

// New returns n zero bytes, which are freed when nobody refers to the Memory any
// more.
func New(n int) *Memory {
	if n <= 0 {
		return new(Memory)
	}
	p := C.calloc(1, C.size_t(n))
	if p == nil {
		return &Memory{Bytes: make([]byte, n)}
	}
	m := &Memory{Bytes: unsafe.Slice((*byte)(p), n)}
	runtime.AddCleanup(m, func(p unsafe.Pointer) { C.free(p) }, p)
	return m
}
