package wordvec

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// largestStep is the largest value, in steps.
const largestStep = math.MaxInt8

// write writes the file. Dividing the most of a word by scale gives the largest of its
// prepared values, and values reads the prepared values of the word at a place.
func (b *Builder) write(to io.Writer, scale float64, values func(place int, into []float64) error) error {
	order := make([]int, len(b.words))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(b.words[x].text, b.words[y].text) })

	out := bufio.NewWriterSize(to, 1<<16) // keeps the first error until Flush
	out.WriteString(magic)
	texts := 0
	for _, w := range b.words {
		texts += len(w.text)
	}
	for _, n := range []int{len(b.words), b.dims, texts} {
		putUint32(out, n)
	}
	end := 0
	for _, i := range order {
		end += len(b.words[i].text)
		putUint32(out, end)
	}
	for _, i := range order {
		out.WriteString(b.words[i].text)
	}
	steps := make([]uint16, len(b.words))
	for _, i := range order {
		steps[i] = uint16(math.Ceil(b.words[i].most / scale * Unit / largestStep))
		out.Write(binary.LittleEndian.AppendUint16(nil, steps[i]))
	}
	row := make([]float64, b.dims)
	for _, i := range order {
		if err := values(i, row); err != nil {
			return err
		}
		for _, x := range row {
			n := math.RoundToEven(x * Unit / float64(max(steps[i], 1)))
			out.WriteByte(byte(int8(max(-largestStep, min(n, largestStep)))))
		}
	}
	return out.Flush()
}

func putUint32(out *bufio.Writer, n int) {
	out.Write(binary.LittleEndian.AppendUint32(nil, uint32(n)))
}

// rows holds vectors in a temporary file.
type rows struct {
	file    *os.File
	size    int    // bytes of a row
	pending []byte // the last rows, not yet written
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

// read reads row n into values, which must have one element for each dimension.
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
