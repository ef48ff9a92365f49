//go:build !cgo

package offheap

// Memory is bytes; without a C compiler they are in Go's heap.
type Memory struct {
	Bytes []byte
}

// New returns n zero bytes.
func New(n int) *Memory { return &Memory{Bytes: make([]byte, max(n, 0))} }
