package vector

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Scan calls emit with the Hamming distance between query and every code of a
// block, in order. The fastest estimate; [Table] is a better one. A block that
// is not a whole number of codes is an error that wraps [ErrLength].
func Scan(block []byte, query []uint64, emit func(i, distance int)) error {
	size := 8 * len(query)
	if size == 0 || len(block)%size != 0 {
		return fmt.Errorf("scan %d bytes of codes of %d: %w", len(block), size, ErrLength)
	}
	if len(query) == 6 {
		scan6(block, [6]uint64(query), emit)
		return nil
	}
	for i := 0; len(block) > 0; i++ {
		distance := 0
		for w, q := range query {
			distance += bits.OnesCount64(q ^ binary.LittleEndian.Uint64(block[8*w:]))
		}
		emit(i, distance)
		block = block[size:]
	}
	return nil
}

// scan6 is Scan for 384 dimensions, unrolled.
func scan6(block []byte, q [6]uint64, emit func(i, distance int)) {
	for i := 0; len(block) >= 48; i++ {
		c := block[:48]
		emit(i, bits.OnesCount64(q[0]^binary.LittleEndian.Uint64(c[0:]))+
			bits.OnesCount64(q[1]^binary.LittleEndian.Uint64(c[8:]))+
			bits.OnesCount64(q[2]^binary.LittleEndian.Uint64(c[16:]))+
			bits.OnesCount64(q[3]^binary.LittleEndian.Uint64(c[24:]))+
			bits.OnesCount64(q[4]^binary.LittleEndian.Uint64(c[32:]))+
			bits.OnesCount64(q[5]^binary.LittleEndian.Uint64(c[40:])))
		block = block[48:]
	}
}

// Table estimates similarity from codes without rounding the query to signs: it
// holds, for each byte of a code and each value of it, what these eight signs
// contribute to the inner product with the rotated query. It is made once for a
// query (48 x 256 values for 384 dimensions), is immutable and safe for
// concurrent use.
type Table struct {
	values []float32 // 256 for each byte of a code
}

// Table returns the table of a query. Errors are those of [Check].
func (c *Coder) Table(query []float32) (*Table, error) {
	if err := Check(query, c.rotation.dims); err != nil {
		return nil, fmt.Errorf("table of query: %w", err)
	}
	size := CodeBytes(c.rotation.dims)
	// The query is not centered: the inner product with the center is the same
	// for every code and cannot change their order.
	rotated := make([]float32, 8*size)
	if err := c.rotation.Apply(rotated[:len(query)], query); err != nil {
		return nil, err
	}
	t := &Table{values: make([]float32, 256*size)}
	for b := range size {
		signs, values := rotated[8*b:8*b+8], t.values[256*b:256*b+256]
		for _, x := range signs {
			values[0] -= x
		}
		for v := 1; v < 256; v++ { // a value is the one without its lowest bit, that bit turned on
			values[v] = values[v&(v-1)] + 2*signs[bits.TrailingZeros8(uint8(v))]
		}
	}
	return t, nil
}

// Score returns the estimate for one stored code: the higher, the more similar.
// Scores compare only within one query. A code of another length than the
// table's counts as far as both reach.
func (t *Table) Score(code []byte) float32 {
	if len(code) == 48 && len(t.values) == 48*256 {
		return score48((*[48]byte)(code), (*[48 * 256]float32)(t.values))
	}
	var s0, s1, s2, s3 float32
	values := t.values
	for len(code) >= 4 && len(values) >= 4*256 {
		s0 += values[code[0]]
		s1 += values[256+int(code[1])]
		s2 += values[512+int(code[2])]
		s3 += values[768+int(code[3])]
		code, values = code[4:], values[4*256:]
	}
	return (s0 + s1) + (s2 + s3)
}

// score48 is Score for 384 dimensions: with lengths that are known, no index
// needs to be checked.
func score48(code *[48]byte, values *[48 * 256]float32) float32 {
	var s0, s1, s2, s3 float32
	for i := 0; i < 48; i += 4 {
		s0 += values[i*256+int(code[i])]
		s1 += values[i*256+256+int(code[i+1])]
		s2 += values[i*256+512+int(code[i+2])]
		s3 += values[i*256+768+int(code[i+3])]
	}
	return (s0 + s1) + (s2 + s3)
}

// ScoreAll writes the score of each code of a block to dst, in order. A block
// that is not len(dst) whole codes is an error that wraps [ErrLength].
func (t *Table) ScoreAll(dst []float32, block []byte) error {
	size := len(t.values) / 256
	if size == 0 || len(block) != size*len(dst) {
		return fmt.Errorf("score %d bytes as %d codes of %d: %w", len(block), len(dst), size, ErrLength)
	}
	if size == 48 {
		values := (*[48 * 256]float32)(t.values)
		for i := range dst {
			dst[i] = score48((*[48]byte)(block[48*i:]), values)
		}
		return nil
	}
	for i := range dst {
		dst[i] = t.Score(block[size*i : size*i+size])
	}
	return nil
}
