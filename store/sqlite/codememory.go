package sqlite

// #include <stdlib.h>
import "C"

import (
	"runtime"
	"unsafe"
)

// memory is bytes outside of Go's heap. Codes are many megabytes that live long:
// on the heap, garbage of the same size could pile up beside them before it is
// collected.
type memory struct {
	bytes []byte
}

// newMemory returns n zero bytes, which are freed when nobody refers to the
// memory any more. Whoever uses bytes has to keep the memory itself alive.
func newMemory(n int) *memory {
	if n <= 0 {
		return new(memory)
	}
	p := C.calloc(1, C.size_t(n))
	if p == nil {
		return &memory{bytes: make([]byte, n)}
	}
	m := &memory{bytes: unsafe.Slice((*byte)(p), n)}
	runtime.AddCleanup(m, func(p unsafe.Pointer) { C.free(p) }, p)
	return m
}
