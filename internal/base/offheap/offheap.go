// Package offheap allocates memory outside Go's heap, for large caches that live long: on
// the heap, garbage of the same size could pile up beside them before it is collected.
package offheap

// #include <stdlib.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// Memory is bytes outside Go's heap. They are valid as long as the Memory is reachable,
// so a user of Bytes must keep the Memory alive.
type Memory struct {
	Bytes []byte
}

// New returns n zero bytes, which are freed once the Memory is unreachable.
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
