package wordvec

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
)

// rows are vectors that wait in a file.
type rows struct {
	file    *os.File
	size    int    // bytes of a row
	pending []byte // of the last rows, still to be written
	written int64  // bytes in the file
}

const (
	rowValueBytes = 8
	// rowBuffer is how many bytes are written at once.
	rowBuffer = 1 << 20
)

func newRows(file *os.File, dims int) *rows { return &rows{file: file, size: rowValueBytes * dims} }

func (r *rows) append(values []float64) error {
	for _, x := range values {
		r.pending = binary.LittleEndian.AppendUint64(r.pending, math.Float64bits(x))
	}
	if len(r.pending) < rowBuffer {
		return nil
	}
	return r.flush()
}

func (r *rows) flush() error {
	n, err := r.file.WriteAt(r.pending, r.written)
	r.written += int64(n)
	r.pending = r.pending[:0]
	if err != nil {
		return fmt.Errorf("put values aside: %w", err)
	}
	return nil
}

// read reads row n into values, which has room for one.
func (r *rows) read(n int, values []float64) error {
	if len(r.pending) > 0 {
		if err := r.flush(); err != nil {
			return err
		}
	}
	b := make([]byte, r.size)
	if _, err := r.file.ReadAt(b, int64(n)*int64(r.size)); err != nil {
		return fmt.Errorf("read values that were put aside: %w", err)
	}
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[rowValueBytes*i:]))
	}
	return nil
}
